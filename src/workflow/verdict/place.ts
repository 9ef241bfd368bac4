// Where a round is judged: the folder that judge, commands and fingerprint look at.

import { existsSync } from "node:fs";
import { join, relative } from "node:path";
import { wantsIsolation } from "../../agents/isolation.ts";
import { readProcessEnv } from "../../config/process-env.ts";
import { type WorkTree, workTreeOf } from "../../evidence/work-tree.ts";
import { createGit } from "../../runtime/git.ts";
import { describeWorktrees, listWorktrees } from "../../runtime/isolation.ts";
import type { Runtime } from "../../runtime/runtime.ts";
import { hasIsolatedRole } from "../../runtime/worktrees/isolated-session.ts";
import { type IntegrationReport, isWorthTelling } from "../../runtime/worktrees/report.ts";
import { leftOutLines, obstaclesIn } from "../../runtime/worktrees/report-words.ts";
import type { Step } from "../step.ts";

/** Where a round is judged. */
export interface Place {
  /** Absolute path of the folder. */
  readonly folder: string;
  /** What the judge must know of it beyond the path; empty when it is the workspace and nothing else. */
  readonly note: string;
  /** Work that is not in the folder although it should be, a line each: with any, the round cannot be achieved. */
  readonly obstacles: readonly string[];
  /** The files that are the work: where it is spread, those of worktrees beside the folder as well. */
  readonly work: WorkTree;
  /** Lets the folder change again; call it once the round is judged. */
  readonly release: () => void;
}

/** What of a Runtime says where its work is. */
type Where = Pick<Runtime, "workspace" | "runDir" | "workbench" | "integration">;

function list(lines: readonly string[]): string {
  return lines.map((line) => `- ${line}`).join("\n");
}

function integrationNote(report: IntegrationReport, folder: string, step: Step): string {
  const shared = Object.entries(step.spec.agents ?? {}).filter(([, worker]) => !wantsIsolation(worker));
  const names = shared.map(([name]) => name).join(", ");
  const missing = obstaclesIn(report);
  return [
    `Workers worked in git worktrees of their own; what they left was merged into ${report.branch}, which is checked out in ${folder}. Judge what is there, not the checkout: paths of the goal are relative to it, Glob and Grep need it as their path, and a command must change to it first.`,
    names === "" ? "" : `Not isolated, and so in the checkout itself: ${names}.`,
    missing.length === 0 ? "" : `Not in it:\n${list(missing)}`,
    report.leftOut.length === 0 ? "" : list(leftOutLines(report)),
  ]
    .filter((part) => part !== "")
    .join("\n");
}

/** Without an integration worktree the work is where the workers left it. */
async function spreadNote(
  { workspace, integration }: Where,
  report: IntegrationReport | undefined,
): Promise<string> {
  const env = readProcessEnv();
  const gitAt = (path: string) => createGit(path, env);
  const isOwn = (branch: string) => integration.owns(branch);
  const worktrees = await listWorktrees(gitAt(workspace), gitAt, isOwn);
  if (worktrees.length === 0) return "";
  const why = report?.blocked === undefined ? "" : ` (${report.blocked})`;
  return `Workers worked in worktrees of their own; nothing is merged${why}. Judge what is there, not the checkout:\n${describeWorktrees(worktrees)}`;
}

/** The place of a round: the workspace, or the integration worktree where workers were isolated. */
export async function placeOf(where: Where, step: Step): Promise<Place> {
  const { workspace, integration, runDir, workbench } = where;
  const at = (folder: string, isIsolated: boolean) => ({
    folder,
    work: workTreeOf({ workspace, runDir, workbench: workbench?.root, folder, isIsolated }),
  });
  const here = { ...at(workspace, false), note: "", obstacles: [], release: () => {} };
  if (!hasIsolatedRole(step.spec)) return here;
  // Before any session of this run has ended, the work is what the runs before it left.
  if (integration.report === undefined) await integration.bringAll(Symbol(step.name));
  const release = await integration.holdStill();
  const { report } = integration;
  if (report !== undefined && !isWorthTelling(report)) return { ...here, release };
  if (report?.path === undefined) {
    const obstacles = report === undefined || report.blocked !== undefined ? [] : obstaclesIn(report);
    return { ...at(workspace, true), note: await spreadNote(where, report), obstacles, release };
  }
  const inside = join(report.path, relative(integration.top ?? workspace, workspace));
  const folder = existsSync(inside) ? inside : report.path;
  const obstacles = obstaclesIn(report);
  const note = integrationNote(report, folder, step);
  return { ...at(folder, obstacles.length > 0), note, obstacles, release };
}
