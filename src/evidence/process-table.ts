// The processes of this machine as Linux lists them; elsewhere there is no list and nobody asks.

import { readdirSync, readFileSync } from "node:fs";
import { isEnded, START_FIELD, statFields } from "../core/processes.ts";

/** One process. */
export interface ProcessRow {
  readonly pid: number;
  readonly parent: number;
  readonly session: number;
  /** Start time in the kernel's unit. */
  readonly start: number;
}

/** Every process that is more than an exit code waiting to be read; empty where there is no `/proc`. */
export function readProcesses(): readonly ProcessRow[] {
  const rows: ProcessRow[] = [];
  for (const pid of pids()) {
    const row = readRow(pid);
    if (row !== undefined) rows.push(row);
  }
  return rows;
}

function pids(): readonly number[] {
  try {
    return readdirSync("/proc")
      .filter((name) => /^\d+$/.test(name))
      .map(Number);
  } catch {
    return [];
  }
}

function readRow(pid: number): ProcessRow | undefined {
  const fields = statFields(pid);
  const [state = "", parent, , session] = fields ?? [];
  if (fields === undefined || isEnded(state)) return undefined;
  return { pid, parent: Number(parent), session: Number(session), start: Number(fields[START_FIELD]) };
}

/** Whether a process was started with a variable of just this value, as far as that may be read. */
export function wasGiven(pid: number, name: string, value: string): boolean {
  try {
    return readFileSync(`/proc/${pid}/environ`, "latin1").split("\0").includes(`${name}=${value}`);
  } catch {
    return false;
  }
}
