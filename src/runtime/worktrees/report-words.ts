// How an integration is said to a coordinator, a judge and a log. Pure; English, for models.

import type { BranchConflict, StuckTree } from "./bring-together.ts";
import type { IntegrationReport } from "./report.ts";
import { namePaths } from "./settle-tree.ts";

function conflictLine(conflict: BranchConflict, into: string): string {
  const { branch, files, with: others } = conflict;
  const what = files.length === 0 ? "" : `: ${namePaths(files)}`;
  const whose = others.length === 0 ? "" : ` (also changed by ${others.join(", ")})`;
  return (
    `Conflict: ${branch} does not merge into ${into}${what}${whose}. ` +
    `Have a worker run \`git merge ${branch}\` in its own worktree, resolve it and commit; ` +
    `\`git merge -s ours ${branch}\` if that work is to be dropped.`
  );
}

function stuckLine({ branch, path, why }: StuckTree): string {
  return `Not taken: the work in ${path ?? branch} (${branch}): ${why}. Have a worker put that right there, or do it anew.`;
}

/** What stands between this and work that is whole: a line each, for the coordinator. */
export function obstaclesIn(report: IntegrationReport): readonly string[] {
  return [
    ...report.conflicts.map((conflict) => conflictLine(conflict, report.branch)),
    ...report.stuck.map(stuckLine),
  ];
}

/** What no commit holds: a line each. */
export function leftOutLines(report: IntegrationReport): readonly string[] {
  return report.leftOut.map(
    ({ path, files }) => `Left out: in ${path}, no commit holds ${namePaths(files)}.`,
  );
}

/** One sentence on where isolated work is. */
export function sayIntegration(report: IntegrationReport): string {
  const { branch, path, blocked, commits, files, base } = report;
  if (blocked !== undefined) return `isolated work could not be brought together: ${blocked}`;
  if (path === undefined) return "isolated work: nothing was brought together";
  return `isolated work is on ${branch}: ${commits} commits, ${files.length} files beyond ${base}; in ${path}`;
}
