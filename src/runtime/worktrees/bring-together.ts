// Merges parts into the integration worktree, one after another, and says what came of each.

import type { GitWork } from "./git-work.ts";
import { changedBetween, type Merged, mergeHere } from "./merge.ts";

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
export interface StuckTree {
  readonly branch: string;
  readonly path: string | undefined;
  readonly why: string;
}

/** What came of it. */
export interface Together {
  readonly merged: readonly string[];
  readonly conflicts: readonly BranchConflict[];
  readonly stuck: readonly StuckTree[];
}

/** Files each branch changed, by branch: kept over the calls of a run, so that a later conflict can name both sides. */
export type Touched = Map<string, readonly string[]>;

type Outcome = { readonly part: Part; readonly done: Merged };

async function mergePart(git: GitWork, part: Part, touched: Touched): Promise<Outcome> {
  const from = await git.line("merge-base", "HEAD", part.tip);
  const files = from === undefined ? [] : await changedBetween(git, from, part.tip);
  const done = await mergeHere(git, part.tip, `Merge ${part.branch}`);
  if (done.kind === "merged") touched.set(part.branch, files);
  return { part, done };
}

function toConflict({ part, done }: Outcome, touched: Touched): BranchConflict[] {
  if (done.kind !== "conflict") return [];
  const { branch, path } = part;
  const both = [...touched].filter(([, own]) => own.some((file) => done.files.includes(file)));
  const others = both.map(([other]) => other).filter((other) => other !== branch);
  return [{ branch, path, files: done.files, with: others }];
}

function toStuck({ part, done }: Outcome): StuckTree[] {
  return done.kind === "refused" ? [{ branch: part.branch, path: part.path, why: done.why }] : [];
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
  let waiting: readonly Part[] = parts;
  for (;;) {
    const outcomes: Outcome[] = [];
    for (const part of waiting) outcomes.push(await mergePart(git, part, touched));
    const went = outcomes.filter(({ done }) => done.kind === "merged").map(({ part }) => part.branch);
    const failed = outcomes.filter(({ done }) => done.kind === "conflict" || done.kind === "refused");
    merged.push(...went);
    if (failed.length === 0 || went.length === 0) {
      return {
        merged,
        conflicts: failed.flatMap((outcome) => toConflict(outcome, touched)),
        stuck: failed.flatMap(toStuck),
      };
    }
    waiting = failed.map(({ part }) => part);
  }
}
