// The processes of this machine as Linux lists them; elsewhere there is no list and nobody asks.

import { readdirSync, readFileSync, readlinkSync } from "node:fs";

/** One process. */
export interface ProcessRow {
  readonly pid: number;
  readonly parent: number;
  readonly group: number;
  readonly session: number;
  readonly terminal: number;
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

function pids(): readonly string[] {
  try {
    return readdirSync("/proc").filter((name) => /^\d+$/.test(name));
  } catch {
    return [];
  }
}

function readRow(pid: string): ProcessRow | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
    // The name in brackets may hold anything, brackets and blanks included.
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    const [state = "", parent, group, session, terminal] = fields;
    if (state === "Z" || state === "X") return undefined;
    return {
      pid: Number(pid),
      parent: Number(parent),
      group: Number(group),
      session: Number(session),
      terminal: Number(terminal),
      start: Number(fields[19]),
    };
  } catch {
    return undefined;
  }
}

/** The folder a process works in, where that may be read. */
export function folderOf(pid: number): string | undefined {
  try {
    return readlinkSync(`/proc/${pid}/cwd`);
  } catch {
    return undefined;
  }
}
