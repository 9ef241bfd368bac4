// What a person can do next in a folder, as one line. Pure.

import { relative } from "node:path";
import type { Translator } from "../../config/locale/translator.ts";
import { planWake } from "../../workflow/lapse/plan-wake.ts";
import { localTime } from "../screen/layout.ts";
import type { FolderStatus } from "./folder-status.ts";

/** What `flower` would do here when nothing is said to it. */
function onWake(t: Translator, status: FolderStatus): string {
  const { wake, standing, workspace } = status;
  if (!wake.waking) return t("next.start");
  const last = wake.verdict;
  const look = last === undefined || standing === undefined ? undefined : { last, standing };
  const plan = planWake({ look, goal: relative(workspace, wake.goal) });
  if (plan === "nothing") return t("next.done");
  return plan === "judge" ? t("next.judge") : t("next.go_on");
}

/** The next step. */
export function nextStep(t: Translator, status: FolderStatus): string {
  const [question] = status.questions;
  if (question !== undefined) return t("next.answer", { id: question.id });
  if (status.live !== undefined || status.beside.length > 0) return t("next.live");
  if (status.damaged !== undefined) return t("next.damaged");
  if (status.limitUntil !== undefined) return t("next.limit", { time: localTime(status.limitUntil) });
  return onWake(t, status);
}
