// The SessionStore port: the same shape as the harness SDK's, so that either side's stores fit, without importing it.

/** Where a transcript lives. `subpath` is a worker's own transcript, e.g. `subagents/agent-<id>`. */
export type SessionKey = {
  projectKey: string;
  sessionId: string;
  subpath?: string;
};

/** One line of a transcript. Unknown kinds pass through verbatim. */
export type SessionStoreEntry = {
  type: string;
  uuid?: string;
  timestamp?: string;
  [key: string]: unknown;
};

/** Sidecar of a main transcript that lists use instead of reading it whole. */
export type SessionSummaryEntry = {
  sessionId: string;
  /** Storage time of this sidecar, same clock as `listSessions().mtime`. */
  mtime: number;
  data: Record<string, unknown>;
};

/** The store contract flower relies on; exported as a test suite from `flower-agent/testing`. */
export interface SessionStore {
  append(key: SessionKey, entries: SessionStoreEntry[]): Promise<void>;
  load(key: SessionKey): Promise<SessionStoreEntry[] | null>;
  listSessions?(projectKey: string): Promise<Array<{ sessionId: string; mtime: number }>>;
  listSessionSummaries?(projectKey: string): Promise<SessionSummaryEntry[]>;
  delete?(key: SessionKey): Promise<void>;
  listSubkeys?(key: { projectKey: string; sessionId: string }): Promise<string[]>;
}

/** Folds appended entries into a session's summary; bound to the harness SDK's own in `harness/`. */
export type FoldSummary = (
  previous: SessionSummaryEntry | undefined,
  key: SessionKey,
  entries: SessionStoreEntry[],
  options?: { mtime?: number },
) => SessionSummaryEntry;
