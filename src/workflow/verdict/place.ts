// Where a round is judged: the folder that judge, commands and fingerprint look at.

import { existsSync } from "node:fs";
import { join, relative } from "node:path";
import { wantsIsolation } from "../../agents/isolation.ts";
import { readProcessEnv } from "../../config/process-env.ts";
import { createGit } from "../../runtime/git.ts";
import { describeWorktrees, listWorktrees } from "../../runtime/isolation.ts";
import type { Runtime } from "../../runtime/runtime.ts";
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
  /** Whether worktrees beside the folder belong to the work as well. */
  readonly isSpread: boolean;
  /** Lets the folder change again; call it once the round is judged. */
  readonly release: () => void;
}

/** What of a Runtime says where its work is. */
type Where = Pick<Runtime, "workspace" | "integration">;

/** Whether any worker of the step works in a worktree of its own. */
export function isIsolated(step: Step): boolean {
  return Object.values(step.spec.agents ?? {}).some(wantsIsolation);
}

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
  const listed = await listWorktrees(createGit(workspace, env), (path) => createGit(path, env));
  const worktrees = listed.filter(({ branch }) => integration.owns(branch));
  if (worktrees.length === 0) return "";
  const why = report?.blocked === undefined ? "" : ` (${report.blocked})`;
  return `Workers worked in worktrees of their own; nothing is merged${why}. Judge what is there, not the checkout:\n${describeWorktrees(worktrees)}`;
}

/** The place of a round: the workspace, or the integration worktree where workers were isolated. */
export async function placeOf(where: Where, step: Step): Promise<Place> {
  const { workspace, integration } = where;
  const here = { folder: workspace, note: "", obstacles: [], isSpread: false, release: () => {} };
  if (!isIsolated(step)) return here;
  // Before any session of this run has ended, the work is what the runs before it left.
  if (integration.report === undefined) await integration.bringAll(Symbol(step.name));
  const release = await integration.holdStill();
  const { report } = integration;
  if (report !== undefined && !isWorthTelling(report)) return { ...here, release };
  if (report?.path === undefined) {
    const obstacles = report === undefined || report.blocked !== undefined ? [] : obstaclesIn(report);
    return { ...here, note: await spreadNote(where, report), obstacles, isSpread: true, release };
  }
  const inside = join(report.path, relative(integration.top ?? workspace, workspace));
  const folder = existsSync(inside) ? inside : report.path;
  const obstacles = obstaclesIn(report);
  const note = integrationNote(report, folder, step);
  return { folder, note, obstacles, isSpread: obstacles.length > 0, release };
}
