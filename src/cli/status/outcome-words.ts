// What a folder's goal holds and how a run that is over came out, in words. Pure.

import { type Translator, translateFailure } from "../../config/locale/translator.ts";
import { oneLine } from "../../core/text.ts";
import type { RunSummary } from "./run-summary.ts";

/** Why a run did not come to its end; undefined for one that did. */
export function failureWords(t: Translator, { ok, error, failure }: RunSummary): string | undefined {
  if (ok) return undefined;
  if (error === "unfinished") return t("status.unfinished");
  if (error === "killed-by-signal") return t("status.killed");
  return error === "" ? undefined : oneLine(translateFailure(t, { error, hint: "", failure }).message, 300);
}

/** In a few words: what its last verdict came to, or why it did not come to its end. */
export function outcomeWords(t: Translator, run: RunSummary): string {
  const failed = failureWords(t, run);
  if (failed !== undefined) return oneLine(failed, 60);
  return run.verdict === undefined ? t("end.done") : t(`verdict.${run.verdict}`);
}

/** How many items a goal has, as a part of a line; none where there is no goal. */
export function goalItems(t: Translator, count: number): string[] {
  if (count === 0) return [];
  return [count === 1 ? t("banner.one_goal_item") : t("banner.goal_items", { count })];
}
