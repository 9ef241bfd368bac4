// Leaves no process of a command behind: its group, its session, what its processes started in sessions of their own,
// and what went to the background of the system from there.

import { sleep } from "../core/clock.ts";
import { type ProcessRow, readProcesses, wasGiven } from "./process-table.ts";

/** Variable by which a command's processes are known wherever they went; its value is another one for each command. */
export const MARKER = "FLOWER_COMMAND";

/** Between two looks at who belongs to a running command. */
const LOOK_EVERY_MS = 200;
/** Between two looks at whether they have gone. */
const WAIT_STEP_MS = 20;

/** Keeps track of a command's processes and ends them. */
export interface Reaper {
  /** Ask all of them to end, and after the grace end them; resolves when none is left that can be ended. */
  readonly endAll: (graceMs: number) => Promise<void>;
}

function signalQuietly(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    process.kill(pid, signal);
    return true;
  } catch {
    return false;
  }
}

/** Who may be given an orphan: the system's first process, or one flower comes from, such as a person's session. */
function heirs(rows: ReadonlyMap<number, ProcessRow>): ReadonlySet<number> {
  const found = new Set([1]);
  for (let pid = process.pid; pid > 0 && !found.has(pid); pid = rows.get(pid)?.parent ?? 0) found.add(pid);
  return found;
}

/**
 * Follow the processes of a command from its shell, which leads a group and a session.
 * @param marker - What {@link MARKER} holds in its environment.
 */
export function followProcesses(shell: number, marker: string): Reaper {
  const known = new Map<number, number>();
  const sessions = new Set([shell]);

  /** An orphan in a session made meanwhile. Where it works says nothing: others work there too. */
  const isStray = (row: ProcessRow, takers: ReadonlySet<number>): boolean =>
    takers.has(row.parent) && row.session > shell && wasGiven(row.pid, MARKER, marker);
  const look = (isLast: boolean): readonly ProcessRow[] => {
    const rows = readProcesses();
    const byPid = new Map(rows.map((row) => [row.pid, row]));
    const takers = isLast ? heirs(byPid) : undefined;
    for (let before = -1; before !== known.size; ) {
      before = known.size;
      for (const row of rows) {
        if (known.get(row.pid) === row.start) continue;
        const isChild = known.has(row.parent) && known.get(row.parent) === byPid.get(row.parent)?.start;
        const isOurs = isChild || row.pid === shell || sessions.has(row.session);
        if (!isOurs && (takers === undefined || !isStray(row, takers))) continue;
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

  /** Send a signal to all that are left, 0 to none. @returns whether any is left. */
  const signalAll = (signal: NodeJS.Signals | 0): boolean => {
    const left = look(true);
    if (left.length === 0 && (known.size > 0 || !signalQuietly(-shell, 0))) return false;
    if (signal === 0) return true;
    signalQuietly(-shell, signal);
    for (const { pid } of left) signalQuietly(pid, signal);
    return true;
  };
  return {
    endAll: async (graceMs) => {
      clearInterval(timer);
      if (!signalAll("SIGTERM")) return;
      for (let waited = 0; waited < graceMs && signalAll(0); waited += WAIT_STEP_MS) {
        await sleep(WAIT_STEP_MS);
      }
      for (let waited = 0; waited < graceMs && signalAll("SIGKILL"); waited += WAIT_STEP_MS) {
        await sleep(WAIT_STEP_MS);
      }
    },
  };
}
