// Merging isolated work into the person's own branch, in the person's own checkout: the one place where flower changes
// either, asked for by name. What cannot be merged leaves everything as it was.

import { IsolationError, LeaseError } from "../../core/errors.ts";
import { changedBetween, mergeHere, type Preview, previewMerge } from "./merge.ts";
import { namePaths, settleTree } from "./settle-tree.ts";
import type { Survey, WorktreeEntry } from "./survey.ts";
import { isDirty, isMerging, operationIn, readState, type TreeState } from "./tree-state.ts";

/** What came of a merge. */
export interface MergedEntry {
  readonly name: string;
  readonly branch: string;
  /** The person's branch. */
  readonly into: string;
  /** Commit it stands on now. */
  readonly head: string;
  /** Commits that came in, merges not counted; 0 when it had been merged before. */
  readonly commits: number;
  readonly files: readonly string[];
}

function refuse(code: string, message: string, hint: string): IsolationError {
  return new IsolationError(message, { code, hint });
}

/** @throws LeaseError `worktrees_in_use` while a run is at work in the folder. */
function requireNoRun(survey: Pick<Survey, "live">): void {
  const [run] = survey.live;
  if (run === undefined) return;
  throw new LeaseError(`run ${run} is at work here`, {
    code: "worktrees_in_use",
    hint: "wait for it, or end it with `flower stop`",
  });
}

/** @throws IsolationError `detached_head`, `checkout_busy`. */
async function requireCheckout(survey: Survey): Promise<{ branch: string; state: TreeState }> {
  const { branch, git, top } = survey;
  if (branch === undefined) {
    throw refuse("detached_head", `${top} is on no branch`, "go to one: `git switch <branch>`");
  }
  const state = await readState(git);
  const folder = await git.line("rev-parse", "--absolute-git-dir");
  if (state === undefined || folder === undefined) {
    throw refuse("checkout_busy", `git cannot read ${top}`, "see what `git status` says there");
  }
  const operation = isMerging(folder) || state.unmerged.length > 0 ? "a merge" : operationIn(folder);
  if (operation !== undefined) {
    throw refuse("checkout_busy", `${operation} in ${top} is not finished`, "finish or abort it first");
  }
  return { branch, state };
}

/** What a worker left uncommitted would silently not come along: it is committed on its branch, or named. */
async function requireCommitted(survey: Survey, entry: WorktreeEntry): Promise<string> {
  const { branch, path, kind, name, tip, state } = entry;
  if (path === undefined || entry.isMissing || kind === "integration" || !isDirty(state)) return tip;
  if (kind === "other") {
    throw refuse(
      "worktree_uncommitted",
      `${name} holds uncommitted changes: ${namePaths([...state.changed, ...state.untracked])}`,
      `commit them in ${path} first`,
    );
  }
  const message = `Work of an isolated worker\n\nLeft uncommitted in ${name}; committed by flower worktrees.`;
  const settled = await settleTree({ git: survey.gitAt(path), branch, message });
  if (settled.kind === "settled") return settled.tip;
  throw refuse(
    "worktree_uncommitted",
    `${name} cannot be merged: ${settled.why}`,
    `put that right in ${path}`,
  );
}

function conflict(entry: WorktreeEntry, into: string, files: readonly string[]): IsolationError {
  const what = files.length === 0 ? "" : `: ${namePaths(files)}`;
  return refuse(
    "merge_conflict",
    `${entry.branch} does not merge into ${into}${what}; nothing was changed`,
    `resolve it yourself: \`git merge ${entry.branch}\`, or ask flower for it in a new run`,
  );
}

/** Paths of the checkout that are not committed and that a merge would write. */
function inTheWay(state: TreeState, touched: readonly string[]): readonly string[] {
  const loose = [
    ...state.changed,
    ...state.untracked,
    ...state.nested.map((path) => path.replace(/\/$/, "")),
  ];
  const meets = (a: string, b: string) => a === b || a.startsWith(`${b}/`) || b.startsWith(`${a}/`);
  return loose.filter((path) => touched.some((file) => meets(path, file)));
}

/** @throws IsolationError `checkout_dirty`. */
async function requireFree(
  survey: Survey,
  found: { readonly tip: string; readonly preview: Preview; readonly state: TreeState },
): Promise<void> {
  const { git, head } = survey;
  const { tip, preview, state } = found;
  const staged = await git.paths("diff", "--cached", "--name-only", "--no-renames", "-z");
  const isForward = await git.holds("merge-base", "--is-ancestor", head, tip);
  const touched =
    preview.kind === "clean"
      ? await changedBetween(git, head, preview.tree)
      : await changedBetween(git, (await git.line("merge-base", head, tip)) ?? head, tip);
  const clash = inTheWay(state, touched);
  // Git merges into no index that holds something already; and what it cannot preview it may have to undo.
  const rest = isForward ? [] : preview.kind === "clean" ? staged : state.changed;
  const files = [...new Set([...clash, ...rest])];
  if (files.length === 0) return;
  throw refuse(
    "checkout_dirty",
    `uncommitted changes are in the way of the merge: ${namePaths(files)}`,
    "commit them or put them away (`git stash`), then merge again",
  );
}

/**
 * Merge one entry into the person's current branch.
 * @throws LeaseError `worktrees_in_use`; IsolationError `detached_head`, `checkout_busy`, `checkout_dirty`,
 * `worktree_uncommitted`, `merge_conflict`, `merge_failed`. Then the checkout is as it was.
 */
export async function mergeEntry(survey: Survey, entry: WorktreeEntry): Promise<MergedEntry> {
  requireNoRun(survey);
  const { branch: into, state } = await requireCheckout(survey);
  const tip = await requireCommitted(survey, entry);
  const { git, top } = survey;
  const { name, branch } = entry;
  const head = (await git.line("rev-parse", "HEAD")) ?? survey.head;
  if (await git.holds("merge-base", "--is-ancestor", tip, head)) {
    return { name, branch, into, head, commits: 0, files: [] };
  }
  const preview = await previewMerge(git, head, tip);
  if (preview.kind === "conflict") throw conflict(entry, into, preview.files);
  await requireFree({ ...survey, head }, { tip, preview, state });
  const merged = await mergeHere(survey.gitAt(top), tip, `Merge ${branch}`);
  if (merged.kind === "conflict") throw conflict(entry, into, merged.files);
  if (merged.kind !== "merged") {
    const why = merged.kind === "refused" ? merged.why : "it was merged meanwhile";
    throw refuse("merge_failed", `git would not merge ${branch}: ${why}`, "see what `git status` says");
  }
  const count = await git.line("rev-list", "--count", "--no-merges", `${head}..${merged.tip}`);
  const files = await changedBetween(git, head, merged.tip);
  return { name, branch, into, head: merged.tip, commits: Number.parseInt(count ?? "0", 10), files };
}
