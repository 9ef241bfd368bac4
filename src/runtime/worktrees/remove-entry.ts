// Removing isolated worktrees and their branches, and never what is nowhere else unless that is said outright.

import { existsSync } from "node:fs";
import { inEnglish, wordsOf } from "../../config/locale/words.ts";
import { IsolationError } from "../../core/errors.ts";
import type { Words, WordValue } from "../../core/words.ts";
import { faultOf } from "./git-work.ts";
import { inUse } from "./in-use.ts";
import { pathWords } from "./settle-tree.ts";
import type { Survey, WorktreeEntry } from "./survey.ts";
import { isDirty, readState } from "./tree-state.ts";
import { readTrees } from "./trees.ts";

/** What would be gone with an entry. */
interface Loss {
  /** Commits no other branch, tag or remote holds. */
  readonly commits: number;
  readonly changed: readonly string[];
  readonly untracked: readonly string[];
}

/** What came of a removal. */
export interface RemovedEntry {
  readonly name: string;
  readonly branch: string;
  /** Commit the branch stood on: with it, git finds everything again for a while. */
  readonly tip: string;
  /** Its folder was gone already: only what git knew of it went. */
  readonly wasMissing: boolean;
  /** The branch stays, because it holds commits that are nowhere else, or because a tree stands on it. */
  readonly branchStays: boolean;
  /** A working tree stands on the branch, the person's own or another. */
  readonly isCheckedOut: boolean;
  readonly loss: Loss;
}

/** What stays, and why. */
export interface KeptEntry {
  readonly name: string;
  readonly branch: string;
  readonly why: "live" | "locked" | "unmerged" | "uncommitted";
}

function refuse(code: string, what: Words, next: Words): IsolationError {
  return new IsolationError(inEnglish(what), { code, hint: inEnglish(next), values: { what, next } });
}

/** What would be gone with an entry. */
function lossOf({ lost, state }: Pick<WorktreeEntry, "lost" | "state">): Loss {
  return { commits: lost, changed: state.changed, untracked: [...state.untracked, ...state.nested] };
}

/** Whether anything is. */
export function isLoss({ commits, changed, untracked }: Loss): boolean {
  return commits + changed.length + untracked.length > 0;
}

/** A loss in words. */
export function lossWords({ commits, changed, untracked }: Loss): WordValue {
  const parts = [
    ...(commits === 0 ? [] : [wordsOf("said.tree.lost_commits", { count: commits })]),
    ...(changed.length === 0 ? [] : [wordsOf("said.tree.lost_changed", { files: pathWords(changed) })]),
    ...(untracked.length === 0 ? [] : [wordsOf("said.tree.lost_untracked", { files: pathWords(untracked) })]),
  ];
  return parts.reduce<WordValue>(
    (one, two) => (one === "" ? two : wordsOf("said.tree.both", { one, two })),
    "",
  );
}

/** @throws LeaseError `worktrees_in_use`; IsolationError `worktree_locked`. */
function requireIdle(entry: WorktreeEntry): void {
  if (entry.isLive) {
    throw inUse(wordsOf("said.tree.owned", { name: entry.name }));
  }
  if (entry.lock === undefined) return;
  const { name, lock: why } = entry;
  throw refuse(
    "worktree_locked",
    why === "" ? wordsOf("said.tree.locked", { name }) : wordsOf("said.tree.locked_why", { name, why }),
    wordsOf("said.tree.locked_next", { path: entry.path ?? name }),
  );
}

async function removeTree(survey: Survey, entry: WorktreeEntry, force: boolean): Promise<void> {
  const { git, gitAt } = survey;
  const { path, name } = entry;
  if (path === undefined) return;
  const gentle = entry.isMissing || force ? undefined : await git.run(["worktree", "remove", path]);
  if (gentle?.ok) return;
  // Git also refuses for caches and for submodules; what is work was looked at, and is looked at once more.
  const state = entry.isMissing || force ? undefined : await readState(gitAt(path));
  if (state !== undefined && isDirty(state)) {
    throw refuse(
      "worktree_would_lose",
      wordsOf("said.tree.changed", { name }),
      wordsOf("said.tree.changed_next"),
    );
  }
  const done = await git.run(["worktree", "remove", "--force", path]);
  if (done.ok) return;
  throw refuse(
    "worktree_failed",
    wordsOf("said.tree.not_removed", { name, why: faultOf(done) }),
    existsSync(path) ? wordsOf("said.tree.look_next", { path }) : wordsOf("said.tree.list_next"),
  );
}

/**
 * Remove an entry: its worktree, and its branch where nothing is lost with it and nobody stands on it. Of one whose folder is gone only what git
 * knows of it goes while its branch holds something.
 * @throws LeaseError `worktrees_in_use`; IsolationError `worktree_locked`, `worktree_would_lose`, `worktree_failed`.
 */
export async function removeEntry(
  survey: Survey,
  entry: WorktreeEntry,
  options: { readonly force: boolean },
): Promise<RemovedEntry> {
  requireIdle(entry);
  const { force } = options;
  const loss = lossOf(entry);
  if (!entry.isMissing && isLoss(loss) && !force) {
    throw refuse(
      "worktree_would_lose",
      wordsOf("said.tree.would_lose", { name: entry.name, loss: lossWords(loss) }),
      wordsOf("said.tree.would_lose_next", { name: entry.name }),
    );
  }
  await removeTree(survey, entry, force);
  const { name, branch, tip } = entry;
  // Its own tree is gone by now. From under another, git would take the branch without a word.
  const isCheckedOut = (await readTrees(survey.git)).some((tree) => tree.branch === branch);
  const branchStays = isCheckedOut || (loss.commits > 0 && !force);
  if (!branchStays) await survey.git.run(["update-ref", "-d", `refs/heads/${branch}`, tip]);
  return { name, branch, tip, wasMissing: entry.isMissing, branchStays, isCheckedOut, loss };
}

/** Why `--merged` leaves an entry alone; undefined when it goes. Where only the folder is gone, git forgets it. */
function whyKept(entry: WorktreeEntry): KeptEntry["why"] | undefined {
  if (entry.isLive) return "live";
  if (entry.lock !== undefined) return "locked";
  if (entry.isMissing) return undefined;
  const { changed, untracked } = lossOf(entry);
  if (changed.length + untracked.length > 0) return "uncommitted";
  return entry.isMerged && entry.lost === 0 ? undefined : "unmerged";
}

/** Remove whatever is merged and holds nothing else; the harness's own worktrees are left alone. */
export async function removeMerged(
  survey: Survey,
): Promise<{ readonly removed: readonly RemovedEntry[]; readonly kept: readonly KeptEntry[] }> {
  const removed: RemovedEntry[] = [];
  const kept: KeptEntry[] = [];
  for (const entry of survey.entries.filter(({ kind }) => kind !== "other")) {
    const why = whyKept(entry);
    if (why === undefined) removed.push(await removeEntry(survey, entry, { force: false }));
    else kept.push({ name: entry.name, branch: entry.branch, why });
  }
  return { removed, kept };
}
