// The end of a run -> lines: what was ruled, what it cost whom, what has changed, where to look. Pure.

import { oneLine } from "../../core/text.ts";
import { readAttempt } from "../../workflow/attempt-name.ts";
import { elapsed, marked, money, rule, withoutFolder } from "./layout.ts";
import { verdictWords } from "./render-task.ts";
import { toned } from "./toned.ts";
import type { View } from "./view.ts";

/** Files named; of the others only the number is said. */
const MAX_NAMED = 8;

/** How a run ended. */
export interface RunEnd {
  readonly isDone: boolean;
  readonly seconds: number;
  /** Of the last round; undefined when nothing was judged. */
  readonly verdict: { readonly state: string; readonly round: number; readonly rounds: number } | undefined;
  /** US dollars by step, in the order they ran, attempts and rounds under their own names. */
  readonly costs: readonly { readonly step: string; readonly usd: number }[];
  /** US dollars of the questions put aside. */
  readonly asideUsd: number;
  /** Files changed in the workspace. */
  readonly files: readonly string[];
  /** Papers worth a look. */
  readonly papers: readonly string[];
}

/** Who does a step of the three-step flow; other steps are called by their own name. */
function roleOf(step: string, { t }: View): string {
  const { step: name, kind } = readAttempt(step);
  if (kind === "verdict" || name === "goal") return t("role.judge");
  return name === "clarify" ? t("role.clarifier") : oneLine(name, 40);
}

function costLine({ costs, asideUsd }: RunEnd, view: View): string {
  const byRole = new Map<string, number>();
  let total = 0;
  for (const { step, usd } of costs) {
    const role = roleOf(step, view);
    byRole.set(role, (byRole.get(role) ?? 0) + usd);
    total += usd;
  }
  if (asideUsd > 0) byRole.set(view.t("role.oracle"), asideUsd);
  total += asideUsd;
  const parts = [...byRole].map(([role, usd]) => `${role} ${money(usd)}`);
  return view.t("summary.cost", { total: money(total), parts: parts.join(" · ") });
}

function filesLine({ files }: RunEnd, { t }: View): string {
  if (files.length === 0) return t("summary.no_files");
  const named = files.slice(0, MAX_NAMED).map((name) => oneLine(name, 100));
  const list = files.length > MAX_NAMED ? `${named.join(", ")}, …` : named.join(", ");
  return files.length === 1
    ? t("summary.one_file", { files: list })
    : t("summary.files", { count: files.length, files: list });
}

/** The lines of the end. */
export function renderEnd(end: RunEnd, view: View): string[] {
  const { t, width, paint, folder } = view;
  const { verdict, isDone } = end;
  const title = t(isDone ? "summary.done" : "summary.stopped");
  const ruled = verdict && verdictWords(verdict, view);
  const papers = end.papers.map((path) => withoutFolder(path, folder));
  return [
    "",
    paint("strong", rule(title, elapsed(end.seconds), "", width)),
    ...(ruled === undefined ? [] : toned(view, ruled.tone, ruled.mark, ruled.words)),
    ...marked("- ", costLine(end, view), width),
    ...marked("- ", filesLine(end, view), width),
    ...(papers.length === 0 ? [] : marked("- ", t("summary.look", { papers: papers.join(", ") }), width)),
  ];
}
