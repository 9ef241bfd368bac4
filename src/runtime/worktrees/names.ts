// How flower's worktrees are called: from a branch alone one sees whose work it holds. Pure.

import { join } from "node:path";

const RUN = "\\d{8}-\\d{6}-[0-9a-f]{6}";
const INTEGRATION = new RegExp(`^flower/(${RUN})$`);
const WORKER = new RegExp(`^flower/(${RUN})-([\\w.-]+)$`);

/** What a branch holds. */
export type BranchName =
  | { readonly kind: "integration"; readonly run: string }
  | { readonly kind: "worker"; readonly run: string; readonly name: string };

/** Folder of the worktrees, below the top of the checkout; the harness's own place for them. */
export function worktreesFolder(top: string): string {
  return join(top, ".claude", "worktrees");
}

/** Branch on which the work of a run is brought together. */
export function integrationBranch(run: string): string {
  return `flower/${run}`;
}

/** Name of the worktree of that branch. */
export function integrationName(run: string): string {
  return `flower-${run}`;
}

/** Branch of an isolated worker; `name` is its worktree's. */
export function workerBranch(run: string, name: string): string {
  return `flower/${run}-${name}`;
}

/** Whether a worktree may be called so: what the harness makes up is a word, and it becomes a path and a branch. */
export function isWorktreeName(name: string): boolean {
  return /^\w[\w-]{0,79}$/.test(name);
}

/** Read a branch's name; undefined for a branch that is not flower's. */
export function readBranchName(branch: string): BranchName | undefined {
  const together = INTEGRATION.exec(branch)?.[1];
  if (together !== undefined) return { kind: "integration", run: together };
  const [, run, name] = WORKER.exec(branch) ?? [];
  return run === undefined || name === undefined ? undefined : { kind: "worker", run, name };
}
