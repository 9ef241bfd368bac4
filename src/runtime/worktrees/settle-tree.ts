// Puts what a worker left uncommitted on its own branch, and nowhere else.

import { type Reason, toReason, wordsOf } from "../../config/locale/words.ts";
import type { Words, WordValue } from "../../core/words.ts";
import { faultOf, type GitWork, isLocked } from "./git-work.ts";
import { gitFolderOf, isDirty, isMerging, operationIn, readState, type TreeState } from "./tree-state.ts";

/** What came of it. */
export type Settled =
  | {
      readonly kind: "settled";
      /** Commit the branch stands on now. */
      readonly tip: string;
      /** Whether flower made a commit. */
      readonly committed: boolean;
      /** What could not be committed: repositories inside it, changes inside submodules, unreadable files. */
      readonly leftOut: readonly string[];
    }
  /** Nothing was done; `why` says in English what must be done first, `words` the same as data. */
  | ({ readonly kind: "stuck" } & Reason);

/** A worker's worktree. */
export interface SettleInput {
  /** Bound to the worktree. */
  readonly git: GitWork;
  /** The worker's own branch. */
  readonly branch: string;
  /** Of the commit flower makes. */
  readonly message: string;
}

/** Files named in a sentence. */
const NAMED = 5;

function stuck(words: WordValue): Settled {
  return { kind: "stuck", ...toReason(words) };
}

/** A few paths for a sentence; what stands in a path cannot break the line. */
export function namePaths(paths: readonly string[]): string {
  return toReason(pathWords(paths)).why;
}

/** The same for a person, in whose language the rest is counted. */
export function pathWords(paths: readonly string[]): WordValue {
  const shown = paths.slice(0, NAMED).map((path) => (/[\p{Cc},]/u.test(path) ? JSON.stringify(path) : path));
  const files = shown.join(", ");
  const count = paths.length - shown.length;
  return count === 0 ? files : wordsOf("said.tree.more", { files, count });
}

/** Stage files by name. @returns git's complaint. */
async function stageFiles(git: GitWork, files: readonly string[]): Promise<string | undefined> {
  if (files.length === 0) return undefined;
  const add = ["add", "--ignore-errors", "--pathspec-from-file=-", "--pathspec-file-nul"];
  const done = await git.run(["--literal-pathspecs", ...add], files.join("\0"));
  return done.ok ? undefined : faultOf(done);
}

/** Stage everything that is work. Ignored files, caches and repositories inside stay out. @returns git's complaint. */
export async function stageWork(git: GitWork, state: TreeState): Promise<string | undefined> {
  // What cannot be read is left out, and seen afterwards by its not being committed.
  const tracked = await git.run(["add", "--update", "--ignore-errors"]);
  if (!tracked.ok && isLocked(tracked.err)) return faultOf(tracked);
  if ((await stageFiles(git, state.untracked)) === undefined) return undefined;
  // A file that went away meanwhile makes git refuse them all: what is there now is tried once more.
  const now = await readState(git);
  const complaint = now === undefined ? undefined : await stageFiles(git, now.untracked);
  return complaint !== undefined && isLocked(complaint) ? complaint : undefined;
}

/** Bring the tree's HEAD back to the worker's own branch, where that one only has to move forward. */
async function reattach(git: GitWork, branch: string, state: TreeState): Promise<WordValue | undefined> {
  if (state.branch === branch && state.head !== undefined) return undefined;
  const { head } = state;
  if (head === undefined) return wordsOf("tree.no_commit");
  const ref = `refs/heads/${branch}`;
  const own = await git.line("rev-parse", "--verify", "--quiet", ref);
  if (own !== undefined && !(await git.holds("merge-base", "--is-ancestor", own, head))) {
    const place = state.branch ?? head.slice(0, 12);
    return wordsOf("tree.astray", { place, branch });
  }
  const moved = await git.run(["update-ref", ref, head, own ?? "0".repeat(head.length)]);
  if (!moved.ok) return faultOf(moved);
  // The commit is the same one: files and index stay as they are.
  const turned = await git.run(["symbolic-ref", "HEAD", ref]);
  return turned.ok ? undefined : faultOf(turned);
}

/** Why nothing may be committed in this tree. */
function obstacle(gitFolder: string, state: TreeState): Words | undefined {
  if (state.unmerged.length > 0) {
    return wordsOf("tree.unmerged", { files: pathWords(state.unmerged) });
  }
  const operation = operationIn(gitFolder);
  return operation === undefined ? undefined : wordsOf("tree.unfinished", { operation });
}

/** Stage and commit. @returns git's complaint. */
async function commitWork(
  input: SettleInput,
  state: TreeState,
  isMerge: boolean,
): Promise<string | undefined> {
  const { git, message } = input;
  const complaint = await stageWork(git, state);
  if (complaint !== undefined) return complaint;
  if (!isMerge && (await git.holds("diff", "--cached", "--quiet"))) return undefined;
  const done = await git.commit(["commit", "--quiet", "--no-verify", "--no-edit", "-m", message]);
  return done.ok ? undefined : faultOf(done);
}

/**
 * Commit what stands uncommitted in a worker's worktree on the worker's branch. Never touches ignored files, another
 * branch, or another tree. Never throws.
 */
export async function settleTree(input: SettleInput): Promise<Settled> {
  const { git, branch } = input;
  const gitFolder = gitFolderOf(git.folder);
  if (gitFolder === undefined) return stuck(wordsOf("tree.gone"));
  const state = await readState(git);
  if (state === undefined) return stuck(wordsOf("tree.unreadable"));
  const inTheWay = obstacle(gitFolder, state) ?? (await reattach(git, branch, state));
  if (inTheWay !== undefined) return stuck(inTheWay);
  const isMerge = isMerging(gitFolder);
  if (!isMerge && !isDirty(state)) return settled(state, state);
  const complaint = await commitWork(input, state, isMerge);
  if (complaint !== undefined) return stuck(complaint);
  const after = await readState(git);
  return after === undefined ? stuck(wordsOf("tree.unreadable")) : settled(state, after);
}

function settled(before: TreeState, after: TreeState): Settled {
  const tip = after.head;
  if (tip === undefined) return stuck(wordsOf("tree.without_commit"));
  const leftOut = [...after.changed, ...after.untracked, ...after.nested];
  return { kind: "settled", tip, committed: tip !== before.head, leftOut };
}
