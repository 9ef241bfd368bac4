// What flower itself asks of a session store: quick answers from the SQLite store, slower ones from any other.

import { existsSync } from "node:fs";
import { join } from "node:path";
import { wordsOf } from "../config/locale/words.ts";
import { isRecord } from "../core/json.ts";
import type { Words } from "../core/words.ts";
import { asText, contextTokens, type HarnessMessage } from "../harness/message.ts";
import { PruningSessionStore } from "../harness/rewriting-stores.ts";
import { SqliteSessionStore } from "../harness/sqlite-session-store.ts";
import { RewritingSessionStore } from "../sessions/rewriting-session-store.ts";
import type { SessionStore, SessionStoreEntry } from "../sessions/session-store.ts";
import { SqliteSessionStore as PlainSqliteStore } from "../sessions/sqlite-session-store.ts";
import { trimReport } from "../sessions/trim-report.ts";
import type { EphemeralPolicy } from "../transcript/ephemeral-policy.ts";
import { PrunePolicy } from "../transcript/prune-policy.ts";
import type { TrimPolicy } from "../transcript/trim-policy.ts";

/** What a Runtime resumes from is rewritten like this. */
export interface Rewrites {
  readonly workspace: string;
  readonly trim: TrimPolicy | boolean;
  readonly ephemeral: EphemeralPolicy | boolean;
  readonly keepDenials: number;
}

/**
 * The store of a Runtime: the given one or the run dir's own, rewriting on load unless the given one already does.
 * @throws StoreError when the file cannot be opened; OptionError for policies that cannot be.
 */
export function createStore(
  runDir: string,
  given: SessionStore | undefined,
  rewrites: Rewrites,
): SessionStore {
  if (given instanceof RewritingSessionStore) return given;
  const { workspace, trim, ephemeral, keepDenials } = rewrites;
  const inner = given ?? new SqliteSessionStore({ path: join(runDir, "sessions.db") });
  return new PruningSessionStore({
    inner,
    workspace,
    policy: trim,
    ephemeral,
    prune: new PrunePolicy({ keepDenials }),
  });
}

/** The SQLite store at the bottom; undefined when another kind is there. */
function sqliteOf(store: SessionStore): PlainSqliteStore | undefined {
  if (store instanceof RewritingSessionStore) return store.sqlite;
  return store instanceof PlainSqliteStore ? store : undefined;
}

/** What is stored, unwritten-over: what was cut off is only seen there. */
export function storedAsItIs(store: SessionStore): SessionStore {
  return store instanceof RewritingSessionStore ? storedAsItIs(store.inner) : store;
}

/** What the last load rewrote, as one line and as words; undefined when it was nothing. */
export function describeRewrites(
  store: SessionStore,
): { readonly text: string; readonly words: Words } | undefined {
  if (!(store instanceof RewritingSessionStore)) return undefined;
  const { expired, cleared, kept, charsSaved: saved } = store.lastReport;
  const dropped = store instanceof PruningSessionStore ? store.pruned + store.denialsDropped : 0;
  const text = trimReport(store);
  if (store.lastFault !== undefined)
    return { text, words: wordsOf("notice.not_rewritten", { reason: store.lastFault }) };
  if (expired + cleared + dropped === 0) return undefined;
  return { text, words: wordsOf("notice.rewritten", { cleared, kept, expired, dropped, saved }) };
}

function contextOfEntries(entries: readonly SessionStoreEntry[]): number {
  for (const entry of [...entries].reverse()) {
    if (entry.type !== "assistant" || entry.isSidechain === true || !isRecord(entry.message)) continue;
    if (entry.message.model === "<synthetic>") continue;
    const context = contextTokens(entry.message.usage);
    if (context > 0) return context;
  }
  return 0;
}

/** One workspace's view of a store. */
export class StoreView {
  readonly #store: SessionStore;
  readonly #sqlite: PlainSqliteStore | undefined;
  readonly #projectKey: string;
  #toldRemoved = false;

  constructor(store: SessionStore, projectKey: string) {
    this.#store = storedAsItIs(store);
    this.#sqlite = sqliteOf(store);
    this.#projectKey = projectKey;
  }

  /** Tie the project key to this workspace's real path: two paths can map to one key. */
  claim(workspace: string): void {
    if (this.#sqlite !== undefined) this.#sqlite.claimProject(this.#projectKey, workspace);
  }

  async has(sessionId: string): Promise<boolean> {
    if (this.#sqlite !== undefined) return this.#sqlite.hasSession(this.#projectKey, sessionId);
    if (this.#store.listSessions !== undefined) {
      const sessions = await this.#store.listSessions(this.#projectKey);
      return sessions.some((session) => session.sessionId === sessionId);
    }
    return (await this.#store.load({ projectKey: this.#projectKey, sessionId })) !== null;
  }

  async contextOf(sessionId: string): Promise<number> {
    if (this.#sqlite !== undefined) return this.#sqlite.lastContext(this.#projectKey, sessionId);
    const entries = await this.#store.load({ projectKey: this.#projectKey, sessionId });
    return entries === null ? 0 : contextOfEntries(entries);
  }

  /** Note that entries of a session were lost: the harness could not mirror them. */
  markIncomplete(message: HarnessMessage): void {
    const key = isRecord(message.key) ? message.key : {};
    const sessionId = asText(key.sessionId) || asText(message.session_id);
    if (this.#sqlite === undefined || sessionId === "") return;
    this.#sqlite.markIncomplete(this.#projectKey, sessionId, asText(message.error, "entries were lost"));
  }

  /**
   * What to say, once, when somebody removed the store's file: SQLite goes on writing into what no later run will find.
   */
  removedWords(): Words | undefined {
    if (this.#sqlite === undefined || this.#toldRemoved || existsSync(this.#sqlite.path)) return undefined;
    this.#toldRemoved = true;
    return wordsOf("notice.store_removed", { path: this.#sqlite.path });
  }

  close(): void {
    if (this.#sqlite !== undefined) this.#sqlite.close();
  }
}
