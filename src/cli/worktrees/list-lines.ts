// Isolated work as lines for a person, and as an object for programs. Pure.

import type { Translator } from "../../config/locale/translator.ts";
import { oneLine } from "../../core/text.ts";
import { checkedOut, type Survey, shownPath, type WorktreeEntry } from "../../runtime/worktrees/survey.ts";
import { marked } from "../screen/layout.ts";
import { names } from "../screen/render-integration.ts";
import { toned } from "../screen/toned.ts";
import type { View } from "../screen/view.ts";

function mergeWords(t: Translator, { merge }: WorktreeEntry): string {
  switch (merge.kind) {
    case "merged":
      return t("worktrees.merged");
    case "clean":
      return t("worktrees.merges");
    case "conflict":
      return t("worktrees.conflicts", { files: names(merge.files) });
    case "unknown":
      return t("worktrees.unsure", { why: oneLine(merge.why, 100) });
  }
}

function words(t: Translator, entry: WorktreeEntry): readonly string[] {
  const { state, within, kind, path, ahead, files } = entry;
  const loose = state.changed.length + state.untracked.length + state.nested.length;
  const isWithin = !entry.isMerged && within.length > 0;
  return [
    t("worktrees.size", { commits: ahead, files: files.length }),
    isWithin ? t("worktrees.within", { branches: names(within) }) : mergeWords(t, entry),
    ...(loose === 0 ? [] : [t("worktrees.uncommitted", { count: loose })]),
    ...(entry.isMissing ? [t("worktrees.missing")] : []),
    ...(path === undefined ? [t("worktrees.branch_only")] : []),
    ...(entry.lock === undefined ? [] : [t("worktrees.locked")]),
    ...(entry.isLive ? [t("worktrees.live")] : []),
    ...(kind === "other" ? [t("worktrees.other")] : []),
  ];
}

/** The lines of the list. */
export function listLines(survey: Survey, view: View): string[] {
  const { t, width } = view;
  if (survey.entries.length === 0) return [`- ${t("worktrees.none")}`];
  const branch = checkedOut(survey);
  const blocks = survey.entries.map((entry) => {
    const mark = entry.kind === "integration" ? "# " : "| ";
    const place = entry.path === undefined ? entry.branch : shownPath(survey, entry.path);
    return [
      ...toned(view, "strong", mark, entry.name),
      ...marked("    ", words(t, entry).join(" · "), width),
      ...toned(view, "faint", "    ", oneLine(place, 300)),
    ];
  });
  return [...marked("- ", t("worktrees.beside", { branch: oneLine(branch, 80) }), width), ...blocks.flat()];
}

/** One entry for programs. */
function plainEntry(entry: WorktreeEntry): Readonly<Record<string, unknown>> {
  const { name, kind, run, branch, path, tip, base, ahead, files, state, merge } = entry;
  return {
    ...{ name, kind, run: run ?? null, branch, path: path ?? null, tip, base: base ?? null },
    ...{ ahead, files, changed: state.changed, untracked: [...state.untracked, ...state.nested] },
    merged: entry.isMerged,
    within: entry.within,
    only_here: entry.lost,
    missing: entry.isMissing,
    locked: entry.lock !== undefined,
    live: entry.isLive,
    merges:
      merge.kind === "merged" || merge.kind === "clean" ? true : merge.kind === "unknown" ? null : false,
    conflicts: merge.kind === "conflict" ? merge.files : [],
  };
}

/** The list for programs. */
export function plainList(survey: Survey): Readonly<Record<string, unknown>> {
  const { top, branch, head, live, entries } = survey;
  return { top, branch: branch ?? null, head, live, worktrees: entries.map(plainEntry) };
}
