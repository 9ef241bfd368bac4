// Stores that rewrite what a resumed session remembers. They lie over another one, which keeps everything as it came:
// only what load() hands out is rewritten, by the pure functions of the transcript room.

import { errorText } from "../core/errors.ts";
import { type RewritePolicies, type Rewriting, rewrite } from "../transcript/rewrite.ts";
import type { ResolvedRewriting } from "./rewriting-options.ts";
import type { SessionKey, SessionStore, SessionStoreEntry } from "./session-store.ts";
import { writeSpillFiles } from "./spill-folder.ts";
import { SqliteSessionStore } from "./sqlite-session-store.ts";

/** What the last load of a session came to; its workers' transcripts count with it. */
export interface TrimReport {
  /** Stale looks whose results went. */
  readonly expired: number;
  /** Results that went to a file. */
  readonly cleared: number;
  /** Results that trimming looked at and left. */
  readonly kept: number;
  /** Characters the model need not read again. */
  readonly charsSaved: number;
}

const NOTHING: TrimReport = { expired: 0, cleared: 0, kept: 0, charsSaved: 0 };

function isMain(key: SessionKey): boolean {
  return key.subpath === undefined || key.subpath === "";
}

/**
 * What the rewriting stores have in common: load() rewrites; append and everything else go straight to the store below.
 * When a result cannot be put on disk nothing is trimmed: the session is loaded without that, and `lastFault` says why.
 */
export abstract class RewritingSessionStore implements SessionStore {
  /** The store below. */
  readonly inner: SessionStore;
  /** Absolute path. */
  readonly workspace: string;
  /** Which rewrites are on. */
  readonly policies: RewritePolicies;
  /** What the last load of a session came to. */
  lastReport: TrimReport = NOTHING;
  /** Why nothing was trimmed at the last load, or undefined. */
  lastFault: string | undefined;
  declare readonly listSessions?: NonNullable<SessionStore["listSessions"]>;
  declare readonly listSessionSummaries?: NonNullable<SessionStore["listSessionSummaries"]>;
  declare readonly delete?: NonNullable<SessionStore["delete"]>;
  declare readonly listSubkeys?: NonNullable<SessionStore["listSubkeys"]>;

  constructor({ inner, workspace, policies }: ResolvedRewriting) {
    this.inner = inner;
    this.workspace = workspace;
    this.policies = policies;
    if (inner.listSessions) this.listSessions = inner.listSessions.bind(inner);
    if (inner.listSessionSummaries) this.listSessionSummaries = inner.listSessionSummaries.bind(inner);
    if (inner.delete) this.delete = inner.delete.bind(inner);
    if (inner.listSubkeys) this.listSubkeys = inner.listSubkeys.bind(inner);
  }

  /** Add `entries` to the store below, as they are. */
  append(key: SessionKey, entries: SessionStoreEntry[]): Promise<void> {
    return this.inner.append(key, entries);
  }

  /** The entries as the model is to remember them, or null when nothing is stored under the key. */
  async load(key: SessionKey): Promise<SessionStoreEntry[] | null> {
    const stored = await this.inner.load(key);
    if (isMain(key)) this.resetReports();
    if (stored === null) return null;
    const rewriting = this.#spilled(stored);
    this.addToReports(rewriting);
    return rewriting.entries as SessionStoreEntry[];
  }

  /** The SQLite store at the bottom, for the questions only it answers; undefined when another kind is there. */
  get sqlite(): SqliteSessionStore | undefined {
    const { inner } = this;
    if (inner instanceof SqliteSessionStore) return inner;
    return inner instanceof RewritingSessionStore ? inner.sqlite : undefined;
  }

  /** Let go of the SQLite file, if there is one. */
  close(): void {
    this.sqlite?.close();
  }

  /** Start anew: another session is being loaded. */
  protected resetReports(): void {
    this.lastReport = NOTHING;
    this.lastFault = undefined;
  }

  /** Add what one transcript's rewriting came to. */
  protected addToReports({ expiry, trimming }: Rewriting): void {
    const { expired, cleared, kept, charsSaved } = this.lastReport;
    this.lastReport = {
      expired: expired + expiry.expired,
      cleared: cleared + trimming.cleared,
      kept: kept + trimming.kept,
      charsSaved: charsSaved + expiry.charsSaved + trimming.charsSaved,
    };
  }

  /** Rewrite, with the files on disk before a pointer to them is handed out. */
  #spilled(stored: readonly SessionStoreEntry[]): Rewriting {
    const { trim } = this.policies;
    const rewriting = rewrite(stored, this.policies);
    if (trim === undefined) return rewriting;
    try {
      const place = { workspace: this.workspace, dirname: trim.spillDirname };
      writeSpillFiles(rewriting.trimming.files, place);
      return rewriting;
    } catch (error) {
      this.lastFault = errorText(error);
      return rewrite(stored, { ...this.policies, trim: undefined });
    }
  }
}
