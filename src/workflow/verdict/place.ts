// Where a round is judged: the folder that judge, commands and fingerprint look at.

import { wantsIsolation } from "../../agents/isolation.ts";
import { readProcessEnv } from "../../config/process-env.ts";
import { createGit } from "../../runtime/git.ts";
import { describeWorktrees, listWorktrees } from "../../runtime/isolation.ts";
import type { Runtime } from "../../runtime/runtime.ts";
import type { Step } from "../step.ts";

/** Where a round is judged. */
export interface Place {
  /** Absolute path of the folder. */
  readonly folder: string;
  /** What the judge must know of it beyond the path; empty when it is the workspace and nothing else. */
  readonly note: string;
}

/** Whether any worker of the step works in a worktree of its own. */
export function isIsolated(step: Step): boolean {
  return Object.values(step.spec.agents ?? {}).some(wantsIsolation);
}

/** The place of a round: the workspace, with what stands in worktrees beside it. */
export async function placeOf(runtime: Runtime, step: Step): Promise<Place> {
  const folder = runtime.workspace;
  if (!isIsolated(step)) return { folder, note: "" };
  const env = readProcessEnv();
  const list = await listWorktrees(createGit(folder, env), (path) => createGit(path, env));
  if (list.length === 0) return { folder, note: "" };
  const note = `Workers worked in worktrees of their own; nothing is merged. Judge what is there, not the checkout:\n${describeWorktrees(list)}`;
  return { folder, note };
}
