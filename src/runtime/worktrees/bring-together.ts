// Merges parts into the integration worktree, one after another, and says what came of each.

import type { Reason } from "../../config/locale/words.ts";
import type { GitWork } from "./git-work.ts";
import { type Merged, mergeHere } from "./merge.ts";

/** Something to merge. */
export interface Part {
  readonly branch: string;
  readonly tip: string;
  readonly path: string | undefined;
}

/** A branch that does not go in. */
export interface BranchConflict {
  readonly branch: string;
  /** Its worktree; undefined for the person's branch, and for one whose worktree is gone. */
  readonly path: string | undefined;
  /** May be empty: git does not name files for every conflict. */
  readonly files: readonly string[];
  /** Branches brought in before it that changed the same files. */
  readonly with: readonly string[];
}

/** A worktree whose work could not be taken. */
export interface StuckTree extends Reason {
  readonly branch: string;
  readonly path: string | undefined;
}

/** What came of it. */
export interface Together {
  readonly merged: readonly string[];
  readonly conflicts: readonly BranchConflict[];
  readonly stuck: readonly StuckTree[];
}

/** What went in, by branch: from which commit it was merged, and its own. Kept over the calls of a run. */
export type Touched = Map<string, { readonly from: string; readonly tip: string }>;

type Outcome = { readonly part: Part; readonly done: Merged };

/** Branches that went in and changed any of these files, so that a conflict names both sides. */
async function othersOf(
  git: GitWork,
  files: readonly string[],
  touched: Touched,
): Promise<readonly string[]> {
  const others: string[] = [];
  for (const [branch, { from, tip }] of touched) {
    // Three dots: from where the two parted.
    const own = await git.paths("diff", "--name-only", "--no-renames", "-z", `${from}...${tip}`);
    if (own.some((file) => files.includes(file))) others.push(branch);
  }
  return others;
}

async function toConflict(
  git: GitWork,
  { part, done }: Outcome,
  touched: Touched,
): Promise<BranchConflict[]> {
  if (done.kind !== "conflict") return [];
  const { branch, path } = part;
  const others = await othersOf(git, done.files, touched);
  return [{ branch, path, files: done.files, with: others.filter((other) => other !== branch) }];
}

function toStuck({ part, done }: Outcome): StuckTree[] {
  return done.kind === "refused"
    ? [{ branch: part.branch, path: part.path, why: done.why, words: done.words }]
    : [];
}

/**
 * Merge the parts in order; one that does not go in leaves the tree as it was, and is tried again once others went in:
 * a later one may hold its resolution.
 */
export async function bringTogether(
  git: GitWork,
  parts: readonly Part[],
  touched: Touched,
): Promise<Together> {
  const merged: string[] = [];
  let head = (await git.line("rev-parse", "HEAD")) ?? "";
  let waiting = parts.filter(({ tip }) => tip !== head);
  for (;;) {
    const outcomes: Outcome[] = [];
    for (const part of waiting) {
      const done = await mergeHere(git, part.tip, `Merge ${part.branch}`);
      outcomes.push({ part, done });
      if (done.kind !== "merged") continue;
      touched.set(part.branch, { from: head, tip: part.tip });
      head = done.tip;
    }
    const went = outcomes.filter(({ done }) => done.kind === "merged").map(({ part }) => part.branch);
    const failed = outcomes.filter(({ done }) => done.kind === "conflict" || done.kind === "refused");
    merged.push(...went);
    if (failed.length === 0 || went.length === 0) {
      const conflicts: BranchConflict[] = [];
      for (const outcome of failed) conflicts.push(...(await toConflict(git, outcome, touched)));
      return { merged, conflicts, stuck: failed.flatMap(toStuck) };
    }
    waiting = failed.map(({ part }) => part);
  }
}
