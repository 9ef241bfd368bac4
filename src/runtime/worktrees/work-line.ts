// `integration.json`: which runs in a folder worked on the same thing, so that a woken run takes up the isolated work
// the earlier ones left. Gone with `--new`.

import { join } from "node:path";
import { isRecord, readJson, writeAtomic } from "../../core/json.ts";

const WORK_LINE_FILE = "integration.json";

/** The runs of one piece of work. */
export interface WorkLine {
  /** Run ids, oldest first. */
  readonly runs: readonly string[];
  /** Branch the last of them brought its work together on. */
  readonly branch: string | undefined;
}

const NOTHING: WorkLine = { runs: [], branch: undefined };

/** Path of the file. */
export function workLinePath(runDir: string): string {
  return join(runDir, WORK_LINE_FILE);
}

/** What the file says; nothing when it is absent, damaged or another workspace's. */
export function readWorkLine(runDir: string, workspace: string): WorkLine {
  const read = readJson(workLinePath(runDir));
  if (read.kind !== "value" || !isRecord(read.value) || read.value.workspace !== workspace) return NOTHING;
  const { runs, branch } = read.value;
  return {
    runs: Array.isArray(runs) ? runs.filter((run) => typeof run === "string") : [],
    branch: typeof branch === "string" ? branch : undefined,
  };
}

/**
 * Write the file.
 * @throws DiskError `write_failed`.
 */
export function writeWorkLine(runDir: string, workspace: string, line: WorkLine): void {
  const { runs, branch = null } = line;
  writeAtomic(workLinePath(runDir), `${JSON.stringify({ workspace, runs, branch }, null, 2)}\n`);
}
