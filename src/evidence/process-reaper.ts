// Leaves no process of a command behind: its group, its session, what its processes started in sessions of their own,
// and what went to the background of the system from there while it worked in the command's folder.

import { realpathSync } from "node:fs";
import { sep } from "node:path";
import { sleep } from "../core/clock.ts";
import { folderOf, type ProcessRow, readProcesses } from "./process-table.ts";

/** Between two looks at who belongs to a running command. */
const LOOK_EVERY_MS = 200;
/** Between two looks at whether they have gone. */
const WAIT_STEP_MS = 20;

/** Keeps track of a command's processes and ends them. */
export interface Reaper {
  /** Ask all of them to end, and after the grace end them; resolves when none is left that can be ended. */
  readonly endAll: (graceMs: number) => Promise<void>;
}

function isInFolder(pid: number, folder: string): boolean {
  const found = folderOf(pid);
  return found !== undefined && `${found}${sep}`.startsWith(`${folder}${sep}`);
}

function signalQuietly(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    process.kill(pid, signal);
    return true;
  } catch {
    return false;
  }
}

/**
 * Follow the processes of a command from its shell, which leads a group and a session.
 * @param folder - The folder it runs in.
 */
export function followProcesses(shell: number, folder: string): Reaper {
  const known = new Map<number, number>();
  const sessions = new Set([shell]);
  let real = folder;
  try {
    real = realpathSync(folder);
  } catch {
    // It is gone: nothing works in it.
  }
  let from = 0;

  /** Sent off to the system from a session made meanwhile: nobody's terminal, and at work where the command is. */
  const isStray = (row: ProcessRow): boolean =>
    row.parent === 1 &&
    row.terminal === 0 &&
    row.session > shell &&
    row.start >= from &&
    from > 0 &&
    isInFolder(row.pid, real);
  const isOurs = (row: ProcessRow): boolean =>
    known.get(row.pid) === row.start || row.pid === shell || sessions.has(row.session);
  const look = (isLast: boolean): readonly ProcessRow[] => {
    const rows = readProcesses();
    const starts = new Map(rows.map(({ pid, start }) => [pid, start]));
    from ||= rows.find(({ pid }) => pid === shell)?.start ?? 0;
    for (let before = -1; before !== known.size; ) {
      before = known.size;
      for (const row of rows) {
        if (known.get(row.pid) === row.start) continue;
        const isChild = known.has(row.parent) && known.get(row.parent) === starts.get(row.parent);
        if (!isChild && !isOurs(row) && !(isLast && isStray(row))) continue;
        known.set(row.pid, row.start);
        // A session is theirs only when one of them made it.
        if (row.session > shell) sessions.add(row.session);
      }
    }
    return rows.filter((row) => known.get(row.pid) === row.start);
  };
  look(false);
  const timer = setInterval(() => look(false), LOOK_EVERY_MS);
  timer.unref();

  const isAnyLeft = (): boolean => look(true).length > 0 || (known.size === 0 && signalQuietly(-shell, 0));
  const signalAll = (signal: NodeJS.Signals): void => {
    signalQuietly(-shell, signal);
    for (const { pid } of look(true)) signalQuietly(pid, signal);
  };
  return {
    endAll: async (graceMs) => {
      clearInterval(timer);
      if (!isAnyLeft()) return;
      signalAll("SIGTERM");
      for (let waited = 0; waited < graceMs && isAnyLeft(); waited += WAIT_STEP_MS) await sleep(WAIT_STEP_MS);
      for (let waited = 0; waited < graceMs && isAnyLeft(); waited += WAIT_STEP_MS) {
        signalAll("SIGKILL");
        await sleep(WAIT_STEP_MS);
      }
    },
  };
}
