// What flower keeps for a folder, and what it takes on the disk.

import { workbenchRoot } from "../../workflow/wake-state.ts";
import { diskUse } from "./files.ts";

/** Bytes of the disk. */
export interface KeptBytes {
  readonly runs: number;
  readonly workbench: number;
}

/** The workbenches of a workspace: the usual one, and that of isolated runs, beside the repository. */
export function benchesOf(workspace: string): readonly string[] {
  return [workbenchRoot(workspace, false), workbenchRoot(workspace, true)];
}

/** What everything kept for a folder takes. */
export function keptBytes(workspace: string, runDir: string): KeptBytes {
  const workbench = benchesOf(workspace).reduce((sum, root) => sum + diskUse(root), 0);
  return { runs: diskUse(runDir), workbench };
}
