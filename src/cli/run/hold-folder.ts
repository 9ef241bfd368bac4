// Looks whether another flower holds the folder before anything there is touched: the starter writes to the brief as
// soon as it is made, and a run that will be refused must not have written to another one's papers.

import { leasePath, takeLease } from "../../runtime/lease.ts";
import { openRunDir, openWorkspace } from "../../runtime/workspace.ts";

/** Stands for the run in the lease until the run has an id of its own. */
const STARTING = "starting-";
/** Stands in the lease for what is no run: none may begin meanwhile. */
const CLEANING = "cleaning-";

/** What the lease says while the folder is cleaned. */
export function cleaningMark(): string {
  return `${CLEANING}${process.pid}`;
}

/** Whether the lease is held for a run that has not begun, or for none. */
export function isNoRunYet(run: string): boolean {
  return run.startsWith(STARTING) || run.startsWith(CLEANING);
}

/** The folders of a run, checked. */
export interface Folders {
  readonly workspace: string;
  readonly runDir: string;
  /** Let the run take the folder itself. */
  readonly release: () => void;
}

/**
 * Check the folders and, unless the run goes beside others, hold them until the run takes them over.
 * @throws DiskError for folders that cannot be used; LeaseError naming who holds them.
 */
export function holdFolder(input: {
  readonly workspace: string;
  readonly runDir: string;
  readonly parallel: boolean;
}): Folders {
  const workspace = openWorkspace(input.workspace);
  const runDir = openRunDir(workspace, input.runDir);
  if (input.parallel) return { workspace, runDir, release: () => {} };
  const lease = takeLease(leasePath(runDir), `${STARTING}${process.pid}`);
  return { workspace, runDir, release: () => lease.release() };
}
