// Ends a run: asks its process to leave, which writes the books and ends its children, and waits. Kills only when told to.

import { sleep } from "../../core/clock.ts";
import { isAlive } from "../../core/processes.ts";
import type { RunOwner } from "../../runtime/run-presence.ts";

const LOOK_MS = 100;
/** A killed process is gone at once; the kernel may need a moment for its memory. */
const KILL_MS = 5_000;

/** How it ended, if it did. */
export type StopOutcome = "ended" | "killed" | "still_there" | "forbidden";

/** What to do, and how long to wait. */
export interface EndRunOptions {
  /** Seconds. */
  readonly timeoutS: number;
  /** Kill it when it is still there afterwards. */
  readonly force: boolean;
  /** Told that it was asked. */
  readonly onAsked: () => void;
  /** Told every few seconds, with the seconds waited so far. */
  readonly onWaiting: (seconds: number) => void;
}

const TELL_EVERY_S = 5;

/** @returns false when the system does not allow it; a process that is gone already needs no signal. */
function send(owner: RunOwner, signal: NodeJS.Signals): boolean {
  try {
    // Looked at again right before: from here to the signal its number cannot have been given to another.
    if (isAlive(owner)) process.kill(owner.pid, signal);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== "EPERM";
  }
}

async function waitGone(owner: RunOwner, ms: number, onSecond: (seconds: number) => void): Promise<boolean> {
  const start = performance.now();
  let told = 0;
  for (;;) {
    if (!isAlive(owner)) return true;
    const waited = performance.now() - start;
    if (waited >= ms) return false;
    if (waited >= (told + TELL_EVERY_S) * 1000) {
      told += TELL_EVERY_S;
      onSecond(told);
    }
    await sleep(Math.min(LOOK_MS, ms - waited));
  }
}

/** End a run whose process is on this host. */
export async function endRun(owner: RunOwner, options: EndRunOptions): Promise<StopOutcome> {
  if (!send(owner, "SIGTERM")) return "forbidden";
  options.onAsked();
  if (await waitGone(owner, options.timeoutS * 1000, options.onWaiting)) return "ended";
  if (!options.force) return "still_there";
  if (!send(owner, "SIGKILL")) return "forbidden";
  return (await waitGone(owner, KILL_MS, () => {})) ? "killed" : "still_there";
}
