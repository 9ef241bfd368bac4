// A folder's status as lines for a person: what goes on, what stands, what waits for them, and what to do next. Pure.

import { oneLine, stripEscapes } from "../../core/text.ts";
import { sizeText } from "../../workbench/index-text.ts";
import { readAttempt, stepOfAttempt } from "../../workflow/attempt-name.ts";
import { describeStanding } from "../../workflow/lapse/standing-words.ts";
import { isDone } from "../../workflow/lapse/verdict-record.ts";
import { elapsed, homePath, localTime, marked, money } from "../screen/layout.ts";
import { toned } from "../screen/toned.ts";
import type { View } from "../screen/view.ts";
import type { FolderStatus } from "./folder-status.ts";
import { nextStep } from "./next-step.ts";
import { goalItems, outcomeWords } from "./outcome-words.ts";
import type { RunSummary } from "./run-summary.ts";

/** Runs listed for a person; `--json` has them all. */
const SHOWN_RUNS = 5;
/** Words no agent has read yet; more of them say no more. */
const SHOWN_WORDS = 3;
/** From here on it is worth saying that less would do. */
const LARGE_BYTES = 500_000_000;

/** What lines are made for. */
export interface StatusView extends View {
  readonly home: string;
  /** Epoch seconds. */
  readonly now: number;
}

function folderLines(view: StatusView, status: FolderStatus): string[] {
  const { t } = view;
  const { wake } = status;
  const folder = homePath(status.workspace, view.home);
  if (!wake.waking) {
    const what = status.runs.length === 0 ? t("status.idle") : t("banner.brief_missing");
    return [`- ${folder}${t("progress.because", { why: what })}`];
  }
  const parts = [
    wake.briefReady ? t("banner.brief_confirmed") : t("banner.brief_missing"),
    ...goalItems(t, wake.checks),
    t("status.wakes", { count: wake.woke }),
  ];
  return [view.paint("strong", `<- ${folder}  ${parts.join(" · ")}`)];
}

function verdictLines({ t, width }: StatusView, { wake, standing }: FolderStatus): string[] {
  if (wake.verdict === undefined || standing === undefined) return [];
  const verdict = oneLine(describeStanding(t, wake.verdict, standing), 300);
  return marked("- ", t("standing.last", { verdict }), width);
}

/** The last part of a usual id: the time stands beside it anyway. */
function shortId(run: string): string {
  return /^\d{8}-\d{6}-([0-9a-f]{6})$/.exec(run)?.[1] ?? run;
}

function liveLines(view: StatusView, { live, beside }: FolderStatus): string[] {
  const { t, now } = view;
  const since = (at: number | undefined) =>
    at === undefined ? [] : [t("status.since", { time: elapsed(now - at) })];
  const holder =
    live === undefined
      ? []
      : [
          [
            t("status.live", { pid: live.pid, host: live.host, step: live.step || "-" }),
            ...since(live.since),
            shortId(live.run),
          ].join(" · "),
        ];
  const others = beside.map(({ run, pid, host }) => t("status.beside", { run, pid, host }));
  return [...holder, ...others].flatMap((line) => toned(view, "good", "= ", oneLine(line, 300)));
}

function questionLines(view: StatusView, { questions }: FolderStatus): string[] {
  const { t, width, now } = view;
  return questions.flatMap(({ id, question, options, askedAt }) => {
    const words = `${id}  ${stripEscapes(question).trim()}  (${t("status.waits", { time: elapsed(now - askedAt) })})`;
    return [
      ...toned(view, "strong", "? ", words),
      ...options.flatMap((option, i) => marked(`    ${i + 1}. `, oneLine(option, 300), width)),
      `    flower answer ${id} …`,
    ];
  });
}

function unreadLines(view: StatusView, { unread }: FolderStatus): string[] {
  if (unread.length === 0) return [];
  const shown = unread.slice(-SHOWN_WORDS).map(({ text }) => `    ${oneLine(text, view.width - 6)}`);
  return [...toned(view, "notice", "! ", view.t("status.unread", { count: unread.length })), ...shown];
}

/** The steps of a run without their rounds and judges; a judge with a name of its own stands under it. */
function stepNames({ steps, judges }: RunSummary): string {
  const names = steps.map((name) => {
    const { step } = readAttempt(name);
    return judges.includes(step) ? step : stepOfAttempt(name);
  });
  return [...new Set(names)].join(" > ");
}

function runLine(view: StatusView, run: RunSummary, isLive: boolean): string[] {
  const { startedAt, endedAt, ok, verdict } = run;
  const isGood = ok && (verdict === undefined || isDone(verdict));
  const mark = isLive ? "=" : isGood ? "+" : "x";
  const to = isLive ? view.now : endedAt;
  const parts = [
    startedAt === undefined ? "?" : localTime(startedAt),
    startedAt === undefined || to === undefined ? "-" : elapsed(to - startedAt),
    money(run.costUsd),
    isLive ? view.t("status.at_work") : outcomeWords(view.t, run),
    shortId(run.run),
    stepNames(run),
  ];
  return marked(`    ${mark} `, oneLine(parts.join(" · "), 400), view.width);
}

function runsLines(view: StatusView, status: FolderStatus): string[] {
  const { runs, live, beside, costUsd, asideUsd } = status;
  if (runs.length === 0) return [];
  const { t } = view;
  const aside = asideUsd > 0 ? ` · ${t("status.aside", { amount: money(asideUsd) })}` : "";
  const atWork = new Set([...(live === undefined ? [] : [live.run]), ...beside.map(({ run }) => run)]);
  return [
    `- ${t("status.runs")}`,
    ...runs.slice(-SHOWN_RUNS).flatMap((run) => runLine(view, run, atWork.has(run.run))),
    `- ${t("status.cost", { amount: money(costUsd), count: runs.length })}${aside}`,
  ];
}

function worktreeLines({ t, width }: StatusView, { worktrees }: FolderStatus): string[] {
  if (worktrees.length === 0) return [];
  return [
    `- ${t("status.worktrees", { count: worktrees.length })}`,
    ...worktrees.flatMap(({ path, branch, files }) =>
      marked(
        "    # ",
        `${oneLine(path)}  ${oneLine(branch)}  ${t("status.files", { count: files.length })}`,
        width,
      ),
    ),
  ];
}

function diskLines({ t, width }: StatusView, { disk }: FolderStatus): string[] {
  const total = disk.runs + disk.workbench;
  if (total === 0) return [];
  const sizes = { runs: sizeText(disk.runs), workbench: sizeText(disk.workbench) };
  const words = total < LARGE_BYTES ? t("status.disk", sizes) : t("status.disk_large", sizes);
  return marked("- ", words, width);
}

function noticeLines(view: StatusView, { damaged, limitUntil }: FolderStatus): string[] {
  const { t } = view;
  const words = [
    ...(damaged === undefined ? [] : [t("status.damaged", { reason: oneLine(damaged) })]),
    ...(limitUntil === undefined ? [] : [t("retry.quota", { time: localTime(limitUntil) })]),
  ];
  return words.flatMap((line) => toned(view, "notice", "! ", line));
}

/** The lines. */
export function statusLines(view: StatusView, status: FolderStatus): string[] {
  return [
    ...folderLines(view, status),
    ...liveLines(view, status),
    ...verdictLines(view, status),
    ...noticeLines(view, status),
    ...questionLines(view, status),
    ...unreadLines(view, status),
    ...runsLines(view, status),
    ...worktreeLines(view, status),
    ...diskLines(view, status),
    ...marked("  ", view.t("error.next", { hint: nextStep(view.t, status) }), view.width),
  ];
}
