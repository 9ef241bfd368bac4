// The rewriting stores as flower offers them: a SQLite file named by path keeps its summaries the harness's way.

import { rejectUnknownKeys } from "../core/options.ts";
import { PruningSessionStore as PlainPruning } from "../sessions/pruning-session-store.ts";
import type {
  PruningSessionStoreOptions as PlainPruningOptions,
  TrimmingSessionStoreOptions as PlainTrimmingOptions,
} from "../sessions/rewriting-options.ts";
import { TrimmingSessionStore as PlainTrimming } from "../sessions/trimming-session-store.ts";
import { SqliteSessionStore } from "./sqlite-session-store.ts";

/** Options of {@link TrimmingSessionStore}. */
export type TrimmingSessionStoreOptions = Omit<PlainTrimmingOptions, "fold">;

/** Options of {@link PruningSessionStore}. */
export type PruningSessionStoreOptions = Omit<PlainPruningOptions, "fold">;

const KEYS = ["inner", "path", "workspace", "policy", "ephemeral"];

/** A path becomes an open store; with both or neither given, the store itself says what is wrong. */
function withInner<T extends TrimmingSessionStoreOptions>(
  options: T,
  owner: string,
  more: readonly string[] = [],
): T {
  rejectUnknownKeys(options, [...KEYS, ...more], owner);
  const { path, inner, ...rest } = options;
  if (path === undefined || inner !== undefined) return options;
  return { ...rest, inner: new SqliteSessionStore({ path }) } as unknown as T;
}

/**
 * Expires stale looks and trims long results on load; what is stored is not changed.
 * @throws OptionError `bad_option`, `unknown_option`; StoreError when `path` cannot be opened.
 * @example
 * ```ts
 * import { Runtime, TrimmingSessionStore, TrimPolicy } from "flower-agent";
 *
 * const policy = new TrimPolicy({ keepRecent: 10 });
 * const store = new TrimmingSessionStore({ path: "/var/lib/me/sessions.db", workspace: ".", policy });
 * const runtime = new Runtime({ workspace: ".", store });
 * ```
 */
export class TrimmingSessionStore extends PlainTrimming {
  constructor(options: TrimmingSessionStoreOptions) {
    super(withInner(options, "TrimmingSessionStore"));
  }
}

/**
 * Trims, and takes errors, old denials and damage out on load; what is stored is not changed.
 * @throws OptionError `bad_option`, `unknown_option`; StoreError when `path` cannot be opened.
 * @example
 * ```ts
 * import { PrunePolicy, PruningSessionStore } from "flower-agent";
 *
 * const prune = new PrunePolicy({ keepDenials: 3 });
 * const store = new PruningSessionStore({ path: "runs/sessions.db", workspace: ".", prune });
 * ```
 */
export class PruningSessionStore extends PlainPruning {
  constructor(options: PruningSessionStoreOptions) {
    super(withInner(options, "PruningSessionStore", ["prune"]));
  }
}
