// Merging one branch into the tree git is bound to: previewed first, and undone whole when it does not go through.

import { type Reason, toReason, wordsOf } from "../../config/locale/words.ts";
import { faultOf, type GitWork, zeroEnded } from "./git-work.ts";

/** Whether two commits merge; `unknown` where this git cannot tell without doing it. */
export type Preview =
  | { readonly kind: "clean"; readonly tree: string }
  | { readonly kind: "conflict"; readonly files: readonly string[] }
  | { readonly kind: "unknown"; readonly why: string };

/** What came of a merge. */
export type Merged =
  | { readonly kind: "merged"; readonly tip: string }
  /** It was in there already. */
  | { readonly kind: "contained" }
  /** The tree is as it was. */
  | { readonly kind: "conflict"; readonly files: readonly string[] }
  /** Git would not, and the tree is as it was. */
  | ({ readonly kind: "refused" } & Reason);

const OBJECT = /^[0-9a-f]{40,64}$/;

/** Whether `theirs` merges into `ours`. Writes objects only; needs git 2.38. */
export async function previewMerge(git: GitWork, ours: string, theirs: string): Promise<Preview> {
  const options = ["--write-tree", "-z", "--name-only", "--no-messages"];
  const done = await git.run(["merge-tree", ...options, ours, theirs]);
  const [tree = "", ...files] = zeroEnded(done.out);
  // Two commits that cannot be merged at all end with the same exit code as a conflict, but make no tree.
  if ((done.code === 0 || done.code === 1) && OBJECT.test(tree)) {
    return done.ok ? { kind: "clean", tree } : { kind: "conflict", files: [...new Set(files)].sort() };
  }
  return { kind: "unknown", why: faultOf(done) };
}

/** Paths that `to` has otherwise than `from`. */
export function changedBetween(git: GitWork, from: string, to: string): Promise<readonly string[]> {
  return git.paths("diff", "--name-only", "--no-renames", "-z", from, to);
}

async function undo(git: GitWork): Promise<void> {
  const aborted = await git.run(["merge", "--abort"]);
  // Git refused before it began: there is nothing to undo.
  if (!aborted.ok && (await git.holds("rev-parse", "--verify", "--quiet", "MERGE_HEAD"))) {
    await git.run(["reset", "--merge"]);
  }
}

/** Merge `theirs` into the branch this tree stands on. Never throws. */
export async function mergeHere(git: GitWork, theirs: string, message: string): Promise<Merged> {
  if (await git.holds("merge-base", "--is-ancestor", theirs, "HEAD")) return { kind: "contained" };
  const preview = await previewMerge(git, "HEAD", theirs);
  if (preview.kind === "conflict") return preview;
  const options = ["--ff", "--commit", "--no-squash", "--no-edit", "--no-stat", "--quiet"];
  const done = await git.commit(["merge", ...options, "-m", message, theirs]);
  if (done.ok) {
    const tip = await git.line("rev-parse", "HEAD");
    return tip === undefined
      ? { kind: "refused", ...toReason(wordsOf("tree.lost_head")) }
      : { kind: "merged", tip };
  }
  const files = await git.paths("diff", "--name-only", "--diff-filter=U", "-z");
  await undo(git);
  if (files.length > 0) return { kind: "conflict", files: [...new Set(files)].sort() };
  return { kind: "refused", ...toReason(faultOf(done)) };
}
