// Who is alive on this host: a pid alone can be reused, a pid with its start time cannot.

import { readFileSync } from "node:fs";

/** A process that can be told apart from a later one with the same pid. */
export interface ProcessMark {
  readonly pid: number;
  /** Start time in the kernel's own unit; empty where the platform does not say. */
  readonly start: string;
}

/**
 * What the kernel says of a process in `/proc/<pid>/stat`, from its third field on: state, parent, group, session,
 * terminal, …; undefined where there is no such file.
 */
export function statFields(pid: number): readonly string[] | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
    // The name in brackets may hold anything, brackets and blanks included.
    return stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  } catch {
    return undefined;
  }
}

/** Place of a process's start time among these. */
export const START_FIELD = 19;

/** Whether only its exit code is left of a process, by its state letter. */
export function isEnded(state: string): boolean {
  return state === "Z" || state === "X";
}

/** Start time of a process in the kernel's own unit; empty where the platform does not say. */
export function processStart(pid: number): string {
  return statFields(pid)?.[START_FIELD] ?? "";
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
  const fields = statFields(mark.pid);
  if (isEnded(fields?.[0] ?? "")) return false;
  const start = fields?.[START_FIELD] ?? "";
  return mark.start === "" || start === "" || start === mark.start;
}
