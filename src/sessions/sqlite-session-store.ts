// Transcripts in one SQLite file: flower's default store. What is stored is never changed, only added to or deleted.

import { mkdirSync } from "node:fs";
import { dirname } from "node:path";
import { Connection } from "./connection.ts";
import { IncompleteSessions } from "./incomplete-sessions.ts";
import { contextFrom } from "./last-context.ts";
import { retryBlocking, TurnQueue } from "./lock-wait.ts";
import { prepareSchema } from "./schema.ts";
import type {
  FoldSummary,
  SessionKey,
  SessionStore,
  SessionStoreEntry,
  SessionSummaryEntry,
} from "./session-store.ts";
import { type Compaction, compactFile, payloadsWith, sessionBytes } from "./shrink.ts";
import { asOpenFailure, asStoreFailure, storeClosed } from "./store-failure.ts";
import { isMain, requireStoreKey, storeKey } from "./store-key.ts";
import {
  type LastContextOptions,
  resolveScan,
  resolveStoreOptions,
  type SqliteSessionStoreOptions,
} from "./store-options.ts";
import { deleteSummary, foldIntoSummary, listSummaries } from "./summary-rows.ts";
import * as rows from "./transcript-rows.ts";
import { claimWorkspace } from "./workspace-claims.ts";

/** Stands for any session when only the project key is to be checked. */
const ANY_SESSION = "-";

function openConnection(path: string, waitMs: number): Connection {
  let connection: Connection | undefined;
  try {
    mkdirSync(dirname(path), { recursive: true });
    const opened = new Connection(path);
    connection = opened;
    retryBlocking(() => prepareSchema(opened, path), waitMs);
    return opened;
  } catch (error) {
    connection?.discard();
    throw asOpenFailure(error, path);
  }
}

/**
 * A SessionStore in one SQLite file, for several processes at once. Opens at construction; an append is in the file
 * when the call returns unless another process holds the lock, and otherwise waits in its turn without blocking.
 * @throws StoreError `store_cannot_open`, `store_corrupt`, `store_readonly`, `store_full`, `store_locked`,
 * `store_newer_schema`, `store_io_failed`; each names the file, which is left as it is.
 */
export class SqliteSessionStore implements SessionStore {
  /** Absolute path of the file. */
  readonly path: string;
  readonly #fold: FoldSummary | undefined;
  readonly #waitMs: number;
  readonly #turns: TurnQueue;
  readonly #incomplete = new IncompleteSessions();
  /** Transcripts the fold failed on: folding one afresh reads it whole, which is no work for every append. */
  readonly #unfoldable = new Set<string>();
  #connection: Connection | undefined;
  #lastMtime = 0;

  constructor(options: SqliteSessionStoreOptions) {
    const resolved = resolveStoreOptions(options);
    this.path = resolved.path;
    this.#fold = resolved.fold;
    this.#waitMs = resolved.lockWaitMs;
    this.#turns = new TurnQueue(this.#waitMs);
    this.#connection = openConnection(this.path, this.#waitMs);
  }

  /**
   * Add entries, all or none; those whose uuid is already stored are passed over.
   * @param entries - lines in order; one whose `uuid` is there already is left out
   */
  async append(key: SessionKey, entries: SessionStoreEntry[]): Promise<void> {
    const name = requireStoreKey(key);
    if (entries.length === 0) return;
    const own = { ...key };
    const encoded = rows.encodeEntries(entries);
    await this.#inTurn((connection) => {
      connection.transaction(() => {
        this.#incomplete.write(connection);
        this.#appendTo(connection, own, name, encoded);
      });
      this.#incomplete.saved();
    });
  }

  /** The entries in order, or null when nothing is stored under the key. */
  async load(key: SessionKey): Promise<SessionStoreEntry[] | null> {
    const name = storeKey(key);
    if (name === undefined) return null;
    return this.#inTurn((connection) => rows.loadTranscript(connection, name, this.path));
  }

  /**
   * Main transcripts of a project; `mtime` in epoch milliseconds.
   * @param projectKey - the workspace, as the harness names it
   */
  async listSessions(projectKey: string): Promise<Array<{ sessionId: string; mtime: number }>> {
    if (storeKey({ projectKey, sessionId: ANY_SESSION }) === undefined) return [];
    return this.#inTurn((connection) => rows.listMains(connection, projectKey));
  }

  /**
   * Summaries that are up to date. A session missing here has to be loaded to be summarised.
   * @param projectKey - the workspace, as the harness names it
   */
  async listSessionSummaries(projectKey: string): Promise<SessionSummaryEntry[]> {
    if (storeKey({ projectKey, sessionId: ANY_SESSION }) === undefined) return [];
    return this.#inTurn((connection) => listSummaries(connection, projectKey));
  }

  /** Forget a transcript; a main one with its workers', its summary and its mark. */
  async delete(key: SessionKey): Promise<void> {
    const name = storeKey(key);
    if (name === undefined) return;
    const main = isMain(key);
    const { projectKey, sessionId } = key;
    await this.#inTurn((connection) =>
      connection.transaction(() => {
        rows.deleteTranscript(connection, name, main);
        if (!main) return;
        deleteSummary(connection, { projectKey, sessionId });
        this.#incomplete.forget(connection, projectKey, sessionId);
      }),
    );
  }

  /**
   * Subpaths of the workers' transcripts under a session.
   * @param key - the session
   */
  async listSubkeys(key: { projectKey: string; sessionId: string }): Promise<string[]> {
    const name = storeKey({ projectKey: key.projectKey, sessionId: key.sessionId });
    if (name === undefined) return [];
    return this.#inTurn((connection) => rows.listBelow(connection, name));
  }

  /** Project keys that are in the file. The harness derives them from the working folder: look, do not guess. */
  projects(): string[] {
    return this.#now((connection) => rows.listProjects(connection));
  }

  /**
   * Whether a session can be resumed from here. Reads no payload.
   * @param projectKey - the workspace, as the harness names it
   * @param sessionId - the session
   */
  hasSession(projectKey: string, sessionId: string): boolean {
    const name = storeKey({ projectKey, sessionId });
    if (name === undefined) return false;
    return this.#now((connection) => rows.transcriptMtime(connection, name) !== undefined);
  }

  /**
   * Tokens in the context of the session's last model turn; 0 when unknown.
   * @param projectKey - the workspace, as the harness names it
   * @param sessionId - the session
   */
  lastContext(projectKey: string, sessionId: string, options: LastContextOptions = {}): number {
    const scan = resolveScan(options);
    const name = storeKey({ projectKey, sessionId });
    if (name === undefined) return 0;
    return this.#now((connection) => contextFrom(rows.lastPayloads(connection, name, scan)));
  }

  /**
   * Record that the sessions under a key are those of the workspace at `realPath`. Call it before any of them is used.
   * @param projectKey - the workspace, as the harness names it
   * @param realPath - its real path
   * @throws StoreError `workspace_clash` when they are another workspace's: different paths can fold to one key.
   */
  claimProject(projectKey: string, realPath: string): void {
    requireStoreKey({ projectKey, sessionId: ANY_SESSION });
    this.#now((connection) =>
      connection.transaction(() =>
        claimWorkspace(connection, { projectKey, path: realPath, file: this.path }),
      ),
    );
  }

  /**
   * Note that a part of a session could not be stored. Never throws for a file that cannot be written: the mark then
   * holds in this process and is stored with the next append.
   * @param projectKey - the workspace, as the harness names it
   * @param sessionId - the session
   * @param reason - what got lost
   */
  markIncomplete(projectKey: string, sessionId: string, reason: string): void {
    requireStoreKey({ projectKey, sessionId });
    this.#incomplete.add({ projectKey, sessionId, reason, at: Date.now() });
    try {
      this.#saveMarks();
    } catch {
      // The file is what failed in the first place.
    }
  }

  /**
   * Whether a part of the session is known to be missing.
   * @param projectKey - the workspace, as the harness names it
   * @param sessionId - the session
   */
  isIncomplete(projectKey: string, sessionId: string): boolean {
    return this.incompleteReason(projectKey, sessionId) !== undefined;
  }

  /**
   * Why a part of the session is missing, or undefined.
   * @param projectKey - the workspace, as the harness names it
   * @param sessionId - the session
   */
  incompleteReason(projectKey: string, sessionId: string): string | undefined {
    return this.#now((connection) => this.#incomplete.reason(connection, projectKey, sessionId));
  }

  /**
   * Bytes of a session's entries, its workers' included.
   * @param projectKey - the workspace, as the harness names it
   * @param sessionId - the session
   */
  sizeOf(projectKey: string, sessionId: string): number {
    const name = storeKey({ projectKey, sessionId });
    return name === undefined ? 0 : this.#now((connection) => sessionBytes(connection, name));
  }

  /**
   * Entries of a session, its workers' included, that hold these words, as stored text; few in memory at once.
   * @param projectKey - the workspace, as the harness names it
   * @param sessionId - the session
   * @param words - text the stored line contains
   */
  *entriesWith(projectKey: string, sessionId: string, words: string): Generator<string> {
    const name = storeKey({ projectKey, sessionId });
    if (name !== undefined) yield* payloadsWith((work) => this.#now(work), name, words);
  }

  /**
   * Give the room of what was deleted back to the disk. Where that cannot be now, because another process uses the file
   * or the disk has no room for a second copy, nothing changes: what is added next goes into that room.
   */
  compact(): Compaction {
    return this.#now((connection) => compactFile(connection, this.path));
  }

  /** Give what still waits a last try and let go of the file. Closing twice is nothing. */
  close(): void {
    if (this.#connection === undefined) return;
    this.#turns.drain();
    try {
      this.#saveMarks();
    } catch {
      // As in markIncomplete.
    }
    this.#connection.close();
    this.#connection = undefined;
  }

  #appendTo(
    connection: Connection,
    key: SessionKey,
    name: string,
    entries: readonly rows.EncodedEntry[],
  ): void {
    const before = rows.transcriptMtime(connection, name);
    const { fresh, nextSeq } = rows.insertFresh(connection, name, entries);
    if (fresh.length === 0) return;
    const mtime = this.#nextMtime(connection);
    rows.touchTranscript(connection, name, { mtime, nextSeq });
    if (this.#fold === undefined || !isMain(key) || this.#unfoldable.has(name)) return;
    const step = { key, storeKey: name, fresh, before, mtime };
    if (!foldIntoSummary(connection, this.#fold, step)) this.#unfoldable.add(name);
  }

  /** Strictly rising, over all processes: the write lock is held, so nobody else can take the same. */
  #nextMtime(connection: Connection): number {
    const latest = Math.max(this.#lastMtime, rows.latestMtime(connection));
    this.#lastMtime = Math.max(Date.now(), latest + 1);
    return this.#lastMtime;
  }

  #saveMarks(): void {
    if (this.#incomplete.isSaved) return;
    const connection = this.#open();
    connection.transaction(() => this.#incomplete.write(connection));
    this.#incomplete.saved();
  }

  #open(): Connection {
    if (this.#connection === undefined) throw storeClosed(this.path);
    return this.#connection;
  }

  /** In the order of the calls; waits for a lock without blocking. */
  async #inTurn<T>(work: (connection: Connection) => T): Promise<T> {
    try {
      return await this.#turns.run(() => work(this.#open()));
    } catch (error) {
      throw asStoreFailure(error, this.path);
    }
  }

  /** At once; waits for a lock by blocking. */
  #now<T>(work: (connection: Connection) => T): T {
    try {
      return retryBlocking(() => work(this.#open()), this.#waitMs);
    } catch (error) {
      throw asStoreFailure(error, this.path);
    }
  }
}
