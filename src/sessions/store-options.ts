// Options of the sqlite store, resolved once at the door.

import { resolve } from "node:path";
import { OptionError } from "../core/errors.ts";
import { rejectUnknownKeys, requireObject } from "../core/options.ts";
import type { FoldSummary } from "./session-store.ts";

/** Options of `SqliteSessionStore`. */
export interface SqliteSessionStoreOptions {
  /** The database file; created with the folders above it when absent. */
  readonly path: string;
  /** Keeps summaries up to date on append. Without it none are kept, and lists are answered from transcripts alone. */
  readonly fold?: FoldSummary | undefined;
  /**
   * Longest wait for a file another process has locked, seconds.
   * @defaultValue 10: a writer needs milliseconds; the harness gives an append 60 s.
   */
  readonly lockWaitS?: number | undefined;
}

/** Options of `SqliteSessionStore.lastContext`. */
export interface LastContextOptions {
  /**
   * How many entries to look at, from the end.
   * @defaultValue 60: a turn is a few entries, and parsing a long transcript whole takes seconds.
   */
  readonly scan?: number | undefined;
}

const DEFAULT_LOCK_WAIT_S = 10;
const DEFAULT_SCAN = 60;

function requirePath(path: unknown): string {
  if (typeof path === "string" && path !== "" && path !== ":memory:" && !path.includes("\0"))
    return resolve(path);
  throw new OptionError("SqliteSessionStore needs the path of a file", {
    code: "bad_option",
    hint: 'pass {path: "…/sessions.db"}',
  });
}

function requirePositive(value: number, name: string): number {
  if (Number.isFinite(value) && value > 0) return value;
  throw new OptionError(`${name} must be a number above 0`, {
    code: "bad_option",
    hint: `leave ${name} out`,
  });
}

function requireFold(fold: FoldSummary | undefined): FoldSummary | undefined {
  if (fold === undefined || typeof fold === "function") return fold;
  throw new OptionError("fold must be a function", {
    code: "bad_option",
    hint: "leave fold out to keep no summaries",
  });
}

/** The same with nothing left open. */
export interface ResolvedStoreOptions {
  readonly path: string;
  readonly fold: FoldSummary | undefined;
  readonly lockWaitMs: number;
}

/**
 * Check what the store was given.
 * @throws OptionError `bad_options`, `unknown_option`, `bad_option`.
 */
export function resolveStoreOptions(options: SqliteSessionStoreOptions): ResolvedStoreOptions {
  requireObject(options, "SqliteSessionStore");
  rejectUnknownKeys(options, ["path", "fold", "lockWaitS"], "SqliteSessionStore");
  return {
    path: requirePath(options.path),
    fold: requireFold(options.fold),
    lockWaitMs: requirePositive(options.lockWaitS ?? DEFAULT_LOCK_WAIT_S, "lockWaitS") * 1000,
  };
}

/**
 * How many entries to look at.
 * @throws OptionError `unknown_option`, `bad_option`.
 */
export function resolveScan(options: LastContextOptions): number {
  rejectUnknownKeys(options, ["scan"], "lastContext");
  return Math.ceil(requirePositive(options.scan ?? DEFAULT_SCAN, "scan"));
}
