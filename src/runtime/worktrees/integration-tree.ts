// The integration worktree: flower's own, so before work is brought together in it, it is put back to its branch.

import { existsSync } from "node:fs";
import { dirname } from "node:path";
import { type Reason, toReason, wordsOf } from "../../config/locale/words.ts";
import type { WordValue } from "../../core/words.ts";
import { copyIncluded } from "./copy-included.ts";
import { faultOf, type GitAt, type GitWork } from "./git-work.ts";
import { stageWork } from "./settle-tree.ts";
import { gitFolderOf, isDirty, isMerging, readState, type TreeState } from "./tree-state.ts";
import { readTrees } from "./trees.ts";

/** The integration worktree, ready, or why there is none. */
export type OpenedTree =
  | {
      readonly kind: "open";
      readonly git: GitWork;
      /** Commit with what somebody had left in it; no branch holds it. */
      readonly kept: string | undefined;
    }
  | ({ readonly kind: "blocked" } & Reason);

/** What to open. */
export interface IntegrationTreeInput {
  /** Bound to the checkout. */
  readonly git: GitWork;
  readonly gitAt: GitAt;
  /** Folder of the checkout. */
  readonly top: string;
  readonly branch: string;
  readonly path: string;
  /** Commit the branch starts from when it is not there yet. */
  readonly start: string;
}

function blocked(words: WordValue): OpenedTree {
  return { kind: "blocked", ...toReason(words) };
}

/** Whatever lies there, as a commit that only its name leads to: git keeps such a one for two weeks. */
async function keepLeftovers(git: GitWork, state: TreeState): Promise<string | undefined> {
  if (!isDirty(state) || (await stageWork(git, state)) !== undefined) return undefined;
  const tree = await git.line("write-tree");
  if (tree === undefined || tree === (await git.line("rev-parse", "HEAD^{tree}"))) return undefined;
  const message = "What was left in the integration worktree";
  const done = await git.commit(["commit-tree", tree, "-p", "HEAD", "-m", message]);
  return done.ok ? done.out.trim() : undefined;
}

/** Put the tree back to its branch: a check that ran in it must not make the next one pass. */
async function putBack(git: GitWork, branch: string): Promise<OpenedTree> {
  const gitFolder = gitFolderOf(git.folder);
  if (gitFolder === undefined) return blocked(wordsOf("tree.no_worktree", { path: git.folder }));
  const state = await readState(git);
  if (state === undefined) return blocked(wordsOf("said.tree.unreadable", { path: git.folder }));
  const kept = await keepLeftovers(git, state);
  if (isDirty(state) || isMerging(gitFolder)) {
    const reset = await git.run(["reset", "--hard", "--quiet"]);
    if (!reset.ok) return blocked(faultOf(reset));
  }
  if (state.branch !== branch) {
    const turned = await git.run(["checkout", "--quiet", "--force", branch, "--"]);
    if (!turned.ok) return blocked(faultOf(turned));
  }
  return { kind: "open", git, kept };
}

/** Open the integration worktree, made first when it is not there. Never throws. */
export async function openIntegrationTree(input: IntegrationTreeInput): Promise<OpenedTree> {
  const { git, branch, path, start } = input;
  const trees = await readTrees(git);
  const elsewhere = trees.find((tree) => tree.branch === branch && tree.path !== path && !tree.isMissing);
  if (elsewhere !== undefined) return blocked(wordsOf("tree.elsewhere", { branch, path: elsewhere.path }));
  const registered = trees.find((tree) => tree.path === path);
  if (registered !== undefined && !registered.isMissing) return putBack(input.gitAt(path), branch);
  if (registered !== undefined) await git.run(["worktree", "remove", "--force", "--force", path]);
  if (existsSync(path)) return blocked(wordsOf("tree.in_the_way", { path, folder: dirname(path) }));
  const exists = await git.holds("rev-parse", "--verify", "--quiet", `refs/heads/${branch}`);
  const how = exists ? [path, branch] : ["--no-track", "-b", branch, path, start];
  const added = await git.run(["worktree", "add", "--quiet", ...how]);
  if (!added.ok) return blocked(faultOf(added));
  await copyIncluded(git, input.top, path);
  return { kind: "open", git: input.gitAt(path), kept: undefined };
}
