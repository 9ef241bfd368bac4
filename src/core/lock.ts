// A lock file between processes: names its holder, is taken over from the dead, and is never waited for without end.

import { closeSync, mkdirSync, openSync, readFileSync, rmSync, statSync, writeSync } from "node:fs";
import { dirname } from "node:path";
import { DiskError, errorText } from "./errors.ts";
import { isAlive, type ProcessMark, selfMark } from "./processes.ts";

/** A lock with an unreadable holder is taken for abandoned after this long; holders write their mark at once. */
const UNREADABLE_AFTER_MS = 2_000;
/** Default bound of the wait; a holder needs milliseconds. */
const WAIT_MS = 10_000;

function pause(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}

function isAbandoned(path: string): boolean {
  try {
    const mark = JSON.parse(readFileSync(path, "utf8")) as ProcessMark;
    return !isAlive(mark);
  } catch {
    try {
      return Date.now() - statSync(path).mtimeMs > UNREADABLE_AFTER_MS;
    } catch {
      return false;
    }
  }
}

function tryTake(path: string): boolean {
  try {
    const file = openSync(path, "wx");
    try {
      writeSync(file, JSON.stringify(selfMark()));
    } finally {
      closeSync(file);
    }
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw new DiskError(`cannot lock ${path}: ${errorText(error)}`, {
      code: "write_failed",
      hint: "check that the folder exists, is writable and has free space",
      cause: error,
    });
  }
}

/**
 * Run `work` while holding `<path>.lock`. Synchronous on purpose: the books must also be written from signal handlers.
 * @throws DiskError `lock_timeout` when a live holder keeps it longer than `waitMs`.
 */
export function withLock<T>(path: string, work: () => T, waitMs: number = WAIT_MS): T {
  const lock = `${path}.lock`;
  mkdirSync(dirname(lock), { recursive: true });
  const until = Date.now() + waitMs;
  while (!tryTake(lock)) {
    if (isAbandoned(lock)) {
      rmSync(lock, { force: true });
      continue;
    }
    if (Date.now() > until) {
      throw new DiskError(`${lock} is held by another process`, {
        code: "lock_timeout",
        hint: `another flower holds it; if none runs here, delete ${lock}`,
      });
    }
    pause(5);
  }
  try {
    return work();
  } finally {
    rmSync(lock, { force: true });
  }
}
