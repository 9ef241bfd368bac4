// What came of merging and removing, as lines. Pure.

import { sayValue, type Translator } from "../../config/locale/translator.ts";
import { oneLine } from "../../core/text.ts";
import type { MergedEntry } from "../../runtime/worktrees/merge-entry.ts";
import {
  isLoss,
  type KeptEntry,
  lossWords,
  type RemovedEntry,
} from "../../runtime/worktrees/remove-entry.ts";
import { names } from "../screen/render-integration.ts";

const WHY = {
  live: "worktrees.why.live",
  locked: "worktrees.why.locked",
  unmerged: "worktrees.why.unmerged",
  uncommitted: "worktrees.why.uncommitted",
} as const satisfies Record<KeptEntry["why"], string>;

/** Characters of a commit that git takes for the whole. */
const SHORT = 12;

function mergedLine(t: Translator, { name, into, commits, files }: MergedEntry): string {
  if (commits === 0 && files.length === 0) return `- ${t("worktrees.merge_already", { name })}`;
  const size = { commits, files: files.length };
  return `+ ${t("worktrees.merge_done", { name, branch: oneLine(into, 80), ...size })}`;
}

/** What a worker left that no commit could take: it stays in its worktree. */
function leftOutLines(t: Translator, { name, leftOut }: MergedEntry): string[] {
  return leftOut.length === 0 ? [] : [`! ${t("worktrees.left_out", { name, files: names(leftOut) })}`];
}

/** The lines of merges; after one that was refused nothing is suggested. */
export function mergedLines(merged: readonly MergedEntry[], t: Translator, isRefused: boolean): string[] {
  if (merged.length === 0) return isRefused ? [] : [`- ${t("worktrees.merge_none")}`];
  return [
    ...merged.flatMap((entry) => [mergedLine(t, entry), ...leftOutLines(t, entry)]),
    ...(isRefused ? [] : [`  ${t("worktrees.merge_next")}`]),
  ];
}

function removedLine(t: Translator, entry: RemovedEntry): string[] {
  const { name, branch, tip, wasMissing, branchStays, isCheckedOut } = entry;
  const head = wasMissing ? t("worktrees.forgotten", { name }) : t("worktrees.removed", { name });
  const why = isCheckedOut ? "worktrees.branch_out" : "worktrees.branch_stays";
  const stays = branchStays ? [`  ${t(why, { branch })}`] : [];
  const loss = branchStays ? { ...entry.loss, commits: 0 } : entry.loss;
  const gone = isLoss(loss) ? [`  ${t("worktrees.gone", { loss: sayValue(t, lossWords(loss)) })}`] : [];
  const at = loss.commits > 0 ? [`  ${t("worktrees.was_at", { tip: tip.slice(0, SHORT) })}`] : [];
  return [`+ ${head}`, ...stays, ...gone, ...at];
}

/** The lines of removals, and of what stays. */
export function removedLines(
  removed: readonly RemovedEntry[],
  kept: readonly KeptEntry[],
  t: Translator,
): string[] {
  if (removed.length + kept.length === 0) return [`- ${t("worktrees.remove_none")}`];
  return [
    ...removed.flatMap((entry) => removedLine(t, entry)),
    ...kept.map(({ name, why }) => `- ${t("worktrees.kept", { name, why: t(WHY[why]) })}`),
  ];
}
