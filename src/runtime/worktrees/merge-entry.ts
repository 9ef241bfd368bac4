// Merging isolated work into the person's own branch, in the person's own checkout: the one place where flower changes
// either, asked for by name. What cannot be merged leaves everything as it was.

import { inEnglish, wordsOf } from "../../config/locale/words.ts";
import { IsolationError } from "../../core/errors.ts";
import type { Words } from "../../core/words.ts";
import { inUse } from "./in-use.ts";
import { changedBetween, mergeHere, type Preview, previewMerge } from "./merge.ts";
import { pathWords, settleTree } from "./settle-tree.ts";
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
  /** What its worktree holds and no commit can take, such as a repository of its own: it did not come along. */
  readonly leftOut: readonly string[];
}

/** What there is to merge of an entry. */
interface Committed {
  readonly tip: string;
  readonly leftOut: readonly string[];
}

function refuse(code: string, what: Words, next: Words): IsolationError {
  return new IsolationError(inEnglish(what), { code, hint: inEnglish(next), values: { what, next } });
}

/** @throws LeaseError `worktrees_in_use` while a run is at work in the folder. */
function requireNoRun(survey: Pick<Survey, "live">): void {
  const [run] = survey.live;
  if (run === undefined) return;
  throw inUse(wordsOf("said.tree.in_use", { run }));
}

/** @throws IsolationError `detached_head`, `checkout_busy`. */
async function requireCheckout(survey: Survey): Promise<{ branch: string; state: TreeState }> {
  const { branch, git, top } = survey;
  if (branch === undefined) {
    throw refuse(
      "detached_head",
      wordsOf("said.tree.detached", { path: top }),
      wordsOf("said.tree.detached_next"),
    );
  }
  const state = await readState(git);
  const folder = await git.line("rev-parse", "--absolute-git-dir");
  if (state === undefined || folder === undefined) {
    throw refuse(
      "checkout_busy",
      wordsOf("said.tree.unreadable", { path: top }),
      wordsOf("said.tree.unreadable_next"),
    );
  }
  const next = wordsOf("said.tree.busy_next");
  if (isMerging(folder) || state.unmerged.length > 0)
    throw refuse("checkout_busy", wordsOf("said.tree.merging", { path: top }), next);
  const operation = operationIn(folder);
  if (operation !== undefined)
    throw refuse("checkout_busy", wordsOf("said.tree.busy", { operation, path: top }), next);
  return { branch, state };
}

/** What a worker left uncommitted would silently not come along: it is committed on its branch, or named. */
async function requireCommitted(survey: Survey, entry: WorktreeEntry): Promise<Committed> {
  const { branch, path, kind, name, tip, state } = entry;
  if (path === undefined || entry.isMissing || kind === "integration" || !isDirty(state))
    return { tip, leftOut: [] };
  if (kind === "other") {
    throw refuse(
      "worktree_uncommitted",
      wordsOf("said.tree.uncommitted", {
        name,
        files: pathWords([...state.changed, ...state.untracked, ...state.nested]),
      }),
      wordsOf("said.tree.uncommitted_next", { path }),
    );
  }
  const message = `Work of an isolated worker\n\nLeft uncommitted in ${name}; committed by flower worktrees.`;
  const settled = await settleTree({ git: survey.gitAt(path), branch, message });
  if (settled.kind === "settled") return { tip: settled.tip, leftOut: settled.leftOut };
  throw refuse(
    "worktree_uncommitted",
    wordsOf("said.tree.unsettled", { name, why: settled.words }),
    wordsOf("said.tree.unsettled_next", { path }),
  );
}

function conflict(entry: WorktreeEntry, into: string, files: readonly string[]): IsolationError {
  const { branch } = entry;
  const what =
    files.length === 0
      ? wordsOf("said.tree.conflict", { branch, into })
      : wordsOf("said.tree.conflict_files", { branch, into, files: pathWords(files) });
  return refuse("merge_conflict", what, wordsOf("said.tree.conflict_next", { branch }));
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
    wordsOf("said.tree.in_the_way", { files: pathWords(files) }),
    wordsOf("said.tree.in_the_way_next"),
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
  const { tip, leftOut } = await requireCommitted(survey, entry);
  const { git, top } = survey;
  const { name, branch } = entry;
  const head = (await git.line("rev-parse", "HEAD")) ?? survey.head;
  if (await git.holds("merge-base", "--is-ancestor", tip, head)) {
    return { name, branch, into, head, commits: 0, files: [], leftOut };
  }
  const preview = await previewMerge(git, head, tip);
  if (preview.kind === "conflict") throw conflict(entry, into, preview.files);
  await requireFree({ ...survey, head }, { tip, preview, state });
  const merged = await mergeHere(survey.gitAt(top), tip, `Merge ${branch}`);
  if (merged.kind === "conflict") throw conflict(entry, into, merged.files);
  if (merged.kind !== "merged") {
    const why = merged.kind === "refused" ? merged.words : wordsOf("said.tree.merged_meanwhile");
    const what = wordsOf("said.tree.refused", { branch, why });
    throw refuse("merge_failed", what, wordsOf("said.tree.refused_next"));
  }
  const count = await git.line("rev-list", "--count", "--no-merges", `${head}..${merged.tip}`);
  const files = await changedBetween(git, head, merged.tip);
  const commits = Number.parseInt(count ?? "0", 10);
  return { name, branch, into, head: merged.tip, commits, files, leftOut };
}
