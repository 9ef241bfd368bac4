// What an entry holds beyond the person's branch, as git shows it. Reads only.

import { inEnglish, wordsOf } from "../../config/locale/words.ts";
import { IsolationError } from "../../core/errors.ts";
import { faultOf } from "./git-work.ts";
import type { Survey, WorktreeEntry } from "./survey.ts";

/** A difference as text. */
export interface EntryDiff {
  readonly stat: string;
  readonly patch: string;
  /** Files git does not know: no patch has them. */
  readonly untracked: readonly string[];
}

/** Nothing of the person's programs: no pager, no external difference, no colours. */
const PLAIN = ["--no-color", "--no-ext-diff", "--no-textconv", "--find-renames"];

/**
 * The difference between where an entry left the person's branch and what it holds now, uncommitted changes included.
 * @throws IsolationError `worktree_failed` when git cannot tell.
 */
export async function diffEntry(survey: Survey, entry: WorktreeEntry): Promise<EntryDiff> {
  const { base = survey.head, tip, path, state } = entry;
  const isThere = path !== undefined && !entry.isMissing;
  const git = isThere ? survey.gitAt(path) : survey.git;
  const range = isThere ? [base] : [base, tip];
  const [stat, patch] = await Promise.all([
    git.run(["diff", ...PLAIN, "--stat=100", ...range, "--"]),
    git.run(["diff", ...PLAIN, "--patch", "--binary", ...range, "--"]),
  ]);
  if (!stat.ok || !patch.ok) {
    const why = faultOf(stat.ok ? patch : stat);
    const what = wordsOf("said.tree.no_difference", { name: entry.name, why });
    const next = wordsOf("said.tree.no_difference_next", { range: range.join(" ") });
    const init = { code: "worktree_failed", hint: inEnglish(next), values: { what, next } };
    throw new IsolationError(inEnglish(what), init);
  }
  return { stat: stat.out, patch: patch.out, untracked: [...state.untracked, ...state.nested] };
}
