// The SessionStore port: the same shape as the harness SDK's, so that either side's stores fit, without importing it.

/** Where a transcript lives. `subpath` is a worker's own transcript, e.g. `subagents/agent-<id>`. */
export type SessionKey = {
  /** The workspace, as the harness names it. */
  projectKey: string;
  /** The session. */
  sessionId: string;
  /** A worker's transcript within it. */
  subpath?: string;
};

/** One line of a transcript. Unknown kinds pass through verbatim. */
export type SessionStoreEntry = {
  /** What kind of line it is. */
  type: string;
  /** Its id; never twice in one transcript. */
  uuid?: string;
  /** When it was written, ISO 8601. */
  timestamp?: string;
  [key: string]: unknown;
};

/** Sidecar of a main transcript that lists use instead of reading it whole. */
export type SessionSummaryEntry = {
  /** The session. */
  sessionId: string;
  /** Storage time of this sidecar, same clock as `listSessions().mtime`. */
  mtime: number;
  /** What the harness keeps in it. */
  data: Record<string, unknown>;
};

/** The store contract flower relies on; exported as a test suite from `flower-agent/testing`. */
export interface SessionStore {
  /** Add `entries` to a transcript, in order; made when it is not there. */
  append(key: SessionKey, entries: SessionStoreEntry[]): Promise<void>;
  /** All lines of a transcript in order; null when there is none. */
  load(key: SessionKey): Promise<SessionStoreEntry[] | null>;
  /** Main transcripts of `projectKey`, with the time of their last line in epoch milliseconds. */
  listSessions?(projectKey: string): Promise<Array<{ sessionId: string; mtime: number }>>;
  /** Summaries of the main transcripts of `projectKey`. */
  listSessionSummaries?(projectKey: string): Promise<SessionSummaryEntry[]>;
  /** Take a transcript away; a main one takes its workers' along. */
  delete?(key: SessionKey): Promise<void>;
  /** Subpaths of the workers of the session in `key`. */
  listSubkeys?(key: { projectKey: string; sessionId: string }): Promise<string[]>;
}

/** Folds appended entries into a session's summary; bound to the harness SDK's own in `harness/`. */
export type FoldSummary = (
  previous: SessionSummaryEntry | undefined,
  key: SessionKey,
  entries: SessionStoreEntry[],
  options?: { mtime?: number },
) => SessionSummaryEntry;
