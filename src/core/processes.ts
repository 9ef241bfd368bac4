// Who is alive on this host: a pid alone can be reused, a pid with its start time cannot.

import { readFileSync } from "node:fs";

/** A process that can be told apart from a later one with the same pid. */
export interface ProcessMark {
  readonly pid: number;
  /** Start time in the kernel's own unit; empty where the platform does not say. */
  readonly start: string;
}

/** Start time of a process from `/proc` (field 22 of stat); empty where there is no such file. */
export function processStart(pid: number): string {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    return stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19] ?? "";
  } catch {
    return "";
  }
}

/** This process. */
export function selfMark(): ProcessMark {
  return { pid: process.pid, start: processStart(process.pid) };
}

/** Whether that very process still lives on this host. */
export function isAlive(mark: ProcessMark): boolean {
  try {
    process.kill(mark.pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EPERM") return false;
  }
  const start = processStart(mark.pid);
  return mark.start === "" || start === "" || start === mark.start;
}
