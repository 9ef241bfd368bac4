// A worker's worktree: made from a chosen commit on a branch of its own, and removed when nobody used it.

import { existsSync } from "node:fs";
import { join } from "node:path";
import { inEnglish, wordsOf } from "../../config/locale/words.ts";
import { IsolationError } from "../../core/errors.ts";
import type { WordValue } from "../../core/words.ts";
import { copyIncluded } from "./copy-included.ts";
import { faultOf, type GitAt, type GitWork } from "./git-work.ts";
import { isWorktreeName, worktreesFolder } from "./names.ts";
import { isBare } from "./tree-state.ts";

/** A worktree flower made. */
export interface MadeTree {
  readonly name: string;
  readonly branch: string;
  readonly path: string;
  /** Commit it was started from. */
  readonly start: string;
  /** Ignored files it was given a copy of. */
  readonly copied: readonly string[];
  /** Whether its folder still exists. */
  readonly isThere: () => boolean;
}

/** What to make. */
export interface WorkerTreeInput {
  /** Bound to the checkout. */
  readonly git: GitWork;
  /** Top of the checkout. */
  readonly top: string;
  /** As the harness calls it. */
  readonly name: string;
  readonly branch: string;
  readonly start: string;
}

function failed(name: string, why: WordValue): IsolationError {
  const what = wordsOf("said.tree.not_made", { name, why });
  const next = wordsOf("said.tree.not_made_next");
  const init = { code: "worktree_failed", hint: inEnglish(next), values: { what, next } };
  return new IsolationError(inEnglish(what), init);
}

/**
 * Make the worktree of a worker.
 * @throws IsolationError `worktree_failed`.
 */
export async function makeWorkerTree(input: WorkerTreeInput): Promise<MadeTree> {
  const { git, top, name, branch, start } = input;
  if (!isWorktreeName(name)) throw failed(JSON.stringify(name), wordsOf("said.tree.bad_name"));
  const path = join(worktreesFolder(top), name);
  if (existsSync(path)) throw failed(name, wordsOf("said.tree.taken", { path }));
  const added = await git.run(["worktree", "add", "--quiet", "--no-track", "-b", branch, path, start]);
  if (!added.ok) throw failed(name, faultOf(added));
  const copied = await copyIncluded(git, top, path);
  return { name, branch, path, start, copied, isThere: () => existsSync(path) };
}

/** Remove a worktree that holds nothing but the commit it was started from, and its branch. @returns whether it did. */
export async function removeIfUnused(input: {
  readonly git: GitWork;
  readonly gitAt: GitAt;
  readonly made: MadeTree;
}): Promise<boolean> {
  const { git, gitAt, made } = input;
  if (!made.isThere() || !(await isBare(gitAt(made.path), made.copied))) return false;
  const removed = await git.run(["worktree", "remove", made.path]);
  if (!removed.ok) return false;
  await git.run(["update-ref", "-d", `refs/heads/${made.branch}`, made.start]);
  return true;
}
