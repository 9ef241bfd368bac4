// The SQLite store as flower uses it: with the harness SDK's own summary fold bound in.

import { foldSessionSummary } from "@anthropic-ai/claude-agent-sdk";
import { rejectUnknownKeys } from "../core/options.ts";
import type { FoldSummary } from "../sessions/session-store.ts";
import { SqliteSessionStore as PlainStore } from "../sessions/sqlite-session-store.ts";
import type { SqliteSessionStoreOptions as PlainOptions } from "../sessions/store-options.ts";

/** Options of {@link SqliteSessionStore}. */
export type SqliteSessionStoreOptions = Omit<PlainOptions, "fold">;

const KEYS = ["path", "lockWaitS"] as const satisfies readonly (keyof SqliteSessionStoreOptions)[];

function withFold(options: SqliteSessionStoreOptions): PlainOptions {
  rejectUnknownKeys(options, KEYS, "SqliteSessionStore");
  return { ...options, fold: foldSessionSummary as FoldSummary };
}

/**
 * Sessions in one SQLite file, with summaries kept the way the harness reads them.
 * @throws StoreError as the file's state demands (`store_locked`, `store_corrupt`, `store_newer_schema`, …).
 * @example
 * ```ts
 * import { Runtime, SqliteSessionStore } from "flower-agent";
 *
 * const runtime = new Runtime({ workspace: ".", store: new SqliteSessionStore({ path: "shared/sessions.db" }) });
 * ```
 */
export class SqliteSessionStore extends PlainStore {
  constructor(options: SqliteSessionStoreOptions) {
    super(withFold(options));
  }
}
