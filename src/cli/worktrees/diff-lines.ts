// What a worktree holds, as lines: on a terminal without anything the files could do to it, elsewhere as git gives it.

import { stripEscapes } from "../../core/text.ts";
import type { EntryDiff } from "../../runtime/worktrees/entry-diff.ts";
import type { WorktreeEntry } from "../../runtime/worktrees/survey.ts";
import type { Tone } from "../screen/paint.ts";
import type { View } from "../screen/view.ts";

function toneOf(line: string): Tone {
  if (/^(?:diff |index |--- |\+\+\+ |new file|deleted file|similarity|rename )/.test(line)) return "strong";
  if (line.startsWith("@@")) return "faint";
  if (line.startsWith("+")) return "good";
  return line.startsWith("-") ? "bad" : "plain";
}

function linesOf(text: string): readonly string[] {
  return text === "" ? [] : text.replace(/\n$/, "").split("\n");
}

/** The lines of a difference. */
export function diffLines(
  { stat, patch, untracked }: EntryDiff,
  facts: { readonly entry: WorktreeEntry; readonly branch: string; readonly isTty: boolean },
  view: View,
): readonly string[] {
  const { t, paint } = view;
  const { entry, branch, isTty } = facts;
  const safe = (line: string) => (isTty ? stripEscapes(line) : line);
  if (stat === "" && patch === "" && untracked.length === 0) {
    return [`- ${t("worktrees.no_difference", { name: entry.name, branch })}`];
  }
  const files = untracked.map((path) => `  ? ${JSON.stringify(path).slice(1, -1)}`);
  return [
    ...(files.length === 0 ? [] : [t("worktrees.untracked"), ...files, ""]),
    ...linesOf(stat).map(safe),
    "",
    ...linesOf(patch).map((line) => paint(toneOf(line), safe(line))),
  ];
}
