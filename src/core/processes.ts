// Who is alive on this host: a pid alone can be reused, a pid with its start time cannot.

import { readFileSync } from "node:fs";

/** A process that can be told apart from a later one with the same pid. */
export interface ProcessMark {
  readonly pid: number;
  /** Start time in the kernel's own unit; empty where the platform does not say. */
  readonly start: string;
}

/** State letter and start time of a process from `/proc` (fields 3 and 22 of stat); undefined where there is no such file. */
function procStat(pid: number): { readonly state: string; readonly start: string } | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return { state: fields[0] ?? "", start: fields[19] ?? "" };
  } catch {
    return undefined;
  }
}

/** Start time of a process in the kernel's own unit; empty where the platform does not say. */
export function processStart(pid: number): string {
  return procStat(pid)?.start ?? "";
}

/** This process. */
export function selfMark(): ProcessMark {
  return { pid: process.pid, start: processStart(process.pid) };
}

/** Whether that very process still lives on this host. One that ended and was not waited for by its parent does not. */
export function isAlive(mark: ProcessMark): boolean {
  try {
    process.kill(mark.pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EPERM") return false;
  }
  const { state = "", start = "" } = procStat(mark.pid) ?? {};
  if (state === "Z" || state === "X") return false;
  return mark.start === "" || start === "" || start === mark.start;
}
