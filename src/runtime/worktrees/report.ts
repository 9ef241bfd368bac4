// What bringing isolated work together gave.

import type { WordValue } from "../../core/words.ts";
import type { BranchConflict, StuckTree, Together } from "./bring-together.ts";
import type { Head } from "./checkout.ts";
import type { OpenedTree } from "./integration-tree.ts";
import type { SettledSource } from "./sources.ts";

/** Paths of a worktree that no commit holds. */
interface LeftOut {
  readonly branch: string;
  readonly path: string;
  readonly files: readonly string[];
}

/** Isolated work as it stands after it was brought together. */
export interface IntegrationReport {
  readonly branch: string;
  /** The integration worktree; undefined when there is none: nobody left anything, or it could not be made. */
  readonly path: string | undefined;
  /** Why it could not be made. */
  readonly blocked: string | undefined;
  /** The same as data. */
  readonly blockedWords: WordValue | undefined;
  /** Branch of the person's checkout it was made from, or the beginning of its commit. */
  readonly base: string;
  /** Commits beyond the checkout, merges not counted. */
  readonly commits: number;
  /** Files it has otherwise than the checkout's commit. */
  readonly files: readonly string[];
  /** Branches that went in this time. */
  readonly merged: readonly string[];
  readonly conflicts: readonly BranchConflict[];
  readonly stuck: readonly StuckTree[];
  readonly leftOut: readonly LeftOut[];
  /** Commit with what was found in the integration worktree and put away. */
  readonly kept: string | undefined;
}

/** With three dots: what the second has changed since the two parted. */
const CHANGED = ["diff", "--name-only", "--no-renames", "-z"];

/** Measure the integration worktree and put everything into one report. */
export async function reportOn(found: {
  readonly branch: string;
  readonly head: Head;
  readonly opened: OpenedTree | undefined;
  readonly together: Together;
  readonly settled: readonly SettledSource[];
}): Promise<IntegrationReport> {
  const { branch, head, opened, together, settled } = found;
  const tree = opened?.kind === "open" ? opened : undefined;
  const count = await tree?.git.line("rev-list", "--count", "--no-merges", `${head.commit}..HEAD`);
  return {
    branch,
    path: tree?.git.folder,
    blocked: opened?.kind === "blocked" ? opened.why : undefined,
    blockedWords: opened?.kind === "blocked" ? opened.words : undefined,
    base: head.name,
    commits: Number.parseInt(count ?? "0", 10),
    files: (await tree?.git.paths(...CHANGED, `${head.commit}...HEAD`)) ?? [],
    merged: together.merged,
    conflicts: together.conflicts,
    stuck: [
      ...settled.flatMap((each) =>
        each.kind === "stuck"
          ? [{ branch: each.source.branch, path: each.source.path, why: each.why, words: each.words }]
          : [],
      ),
      ...together.stuck,
    ],
    leftOut: settled.flatMap((each) => {
      if (each.kind === "stuck") return [];
      const { path, leftOut, branch: own } = each.source;
      return path === undefined || leftOut.length === 0 ? [] : [{ branch: own, path, files: leftOut }];
    }),
    kept: tree?.kept,
  };
}

/** Whether there is anything to say about it. */
export function isWorthTelling(report: IntegrationReport): boolean {
  const { path, blocked, conflicts, stuck, leftOut } = report;
  return path !== undefined || blocked !== undefined || conflicts.length + stuck.length + leftOut.length > 0;
}
