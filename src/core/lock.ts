// A lock file between processes: names its holder, is taken over from the dead, and is never waited for without end.

import { randomBytes } from "node:crypto";
import { existsSync, linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { DiskError, errorText } from "./errors.ts";
import { isAlive, type ProcessMark, selfMark } from "./processes.ts";

/** Default bound of the wait; a holder needs milliseconds. */
const WAIT_MS = 10_000;
/** Between two tries: well below what a person notices, far above what a core would spin on. */
const PAUSE_MS = 5;

function pause(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}

function beside(path: string, what: string): string {
  return `${path}.${process.pid}.${randomBytes(4).toString("hex")}.${what}`;
}

/** Locks this process works under right now. */
const held = new Set<string>();

/**
 * Whether a lock's text names nobody who works under it: a process that is gone, or this one although it does not (the
 * disk was read-only when the lock was to be removed). A text that cannot be read names nobody.
 */
function isAbandoned(lock: string, text: string): boolean {
  try {
    const mark = JSON.parse(text) as ProcessMark;
    const self = selfMark();
    const isOwn = mark.pid === self.pid && mark.start === self.start;
    return isOwn ? !held.has(lock) : !isAlive(mark);
  } catch {
    return true;
  }
}

function readHolder(lock: string): string | undefined {
  try {
    return readFileSync(lock, "utf8");
  } catch {
    return undefined;
  }
}

/** A link appears whole, holder and all: nobody ever reads half a lock. @returns whether it is ours now. */
function tryTake(lock: string): boolean {
  const mine = beside(lock, "mine");
  try {
    mkdirSync(dirname(lock), { recursive: true });
    writeFileSync(mine, JSON.stringify(selfMark()), { flag: "wx" });
    linkSync(mine, lock);
    return true;
  } catch (error) {
    // Of the link only: a folder that cannot be made says the same. The lock may be gone again by now.
    const { code, syscall } = error as NodeJS.ErrnoException;
    if (code === "EEXIST" && syscall === "link") return false;
    throw new DiskError(`cannot lock ${lock}: ${errorText(error)}`, {
      code: "write_failed",
      values: { path: lock, reason: errorText(error) },
      hint: "check that the folder exists, is writable and has free space",
      cause: error,
    });
  } finally {
    if (existsSync(mine)) rmSync(mine, { force: true });
  }
}

/** Move a lock that nobody works under out of the way; one that somebody took over meanwhile is put back. */
export function clearAbandoned(lock: string): void {
  const holder = readHolder(lock);
  if (holder === undefined || !isAbandoned(lock, holder)) return;
  const aside = beside(lock, "dead");
  try {
    renameSync(lock, aside);
    if (readHolder(aside) !== holder) linkSync(aside, lock);
  } catch {
    // Another process was faster: the next try sees what it left.
  } finally {
    rmSync(aside, { force: true });
  }
}

function release(lock: string): void {
  try {
    rmSync(lock, { force: true });
  } catch {
    // What was written stands; a lock that stays is taken over by the next who asks, or when this process is gone.
  }
}

/**
 * Run `work` while holding `<path>.lock`. Synchronous on purpose: the books must also be written from signal handlers.
 * @throws DiskError `lock_timeout` when a live holder keeps it longer than `waitMs`; `write_failed`.
 */
export function withLock<T>(path: string, work: () => T, waitMs: number = WAIT_MS): T {
  const lock = `${path}.lock`;
  const until = Date.now() + waitMs;
  while (!tryTake(lock)) {
    clearAbandoned(lock);
    if (Date.now() > until) {
      throw new DiskError(`${lock} is held by another process`, {
        code: "lock_timeout",
        values: { path: lock },
        hint: `another flower holds it; if none runs here, delete ${lock}`,
      });
    }
    pause(PAUSE_MS);
  }
  held.add(lock);
  try {
    return work();
  } finally {
    held.delete(lock);
    release(lock);
  }
}
