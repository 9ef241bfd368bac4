// `flower status`: what is in this folder. Reads files only; makes nothing, opens no database.

import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { homeFolder } from "../../config/process-env.ts";
import { oneLine } from "../../core/text.ts";
import { describeStanding } from "../../workflow/lapse/standing-words.ts";
import type { CommandContext, CommandFunction } from "../command-context.ts";
import { EXIT_DONE } from "../exit-codes.ts";
import { type FolderStatus, type RunSummary, readFolderStatus } from "../run/folder-status.ts";
import { homePath, money } from "../screen/layout.ts";

/** Runs listed for a person; `--json` has them all. */
const SHOWN_RUNS = 5;

function wakeLines({ t, io }: CommandContext, status: FolderStatus): string[] {
  const { wake } = status;
  const folder = homePath(status.workspace, homeFolder(io.env));
  if (!wake.waking)
    return [`- ${folder}: ${status.runs.length === 0 ? t("status.idle") : t("banner.brief_missing")}`];
  const parts = [
    wake.briefReady ? t("banner.brief_confirmed") : t("banner.brief_missing"),
    ...(wake.checks > 0 ? [t("banner.goal_items", { count: wake.checks })] : []),
    t("status.wakes", { count: wake.woke }),
  ];
  return [`<- ${folder}  ${parts.join(" · ")}`];
}

function verdictLines({ t }: CommandContext, { wake, standing }: FolderStatus): string[] {
  if (wake.verdict === undefined || standing === undefined) return [];
  const verdict = oneLine(describeStanding(t, wake.verdict, standing));
  return [`- ${t("standing.last", { verdict })}`];
}

function runLine(run: RunSummary): string {
  const end = run.ok ? "+" : "x";
  const error = run.error === "" ? "" : `  ${oneLine(run.error, 60)}`;
  return `    ${end} ${run.run}  ${run.steps.join(" > ")}  ${money(run.costUsd)}${error}`;
}

function lines(context: CommandContext, status: FolderStatus): string[] {
  const { t } = context;
  const { live, questions, worktrees, runs } = status;
  const { pid = 0, host = "", step = "" } = live ?? {};
  return [
    ...wakeLines(context, status),
    ...verdictLines(context, status),
    ...(live === undefined ? [] : [`= ${t("status.live", { pid, host, step: step || "-" })}`]),
    ...(runs.length === 0 ? [] : [`- ${t("status.runs")}:`, ...runs.slice(-SHOWN_RUNS).map(runLine)]),
    ...(runs.length === 0 ? [] : [`- ${t("status.cost", { amount: money(status.costUsd) })}`]),
    ...(status.damaged === undefined
      ? []
      : [`! ${t("status.damaged", { reason: oneLine(status.damaged) })}`]),
    `- ${t("status.open_questions", { count: questions.length })}`,
    ...questions.map(({ id, question }) => `    ? ${id}  ${oneLine(question, 80)}`),
    ...(worktrees.length === 0 ? [] : [`- ${t("status.worktrees", { count: worktrees.length })}`]),
    ...worktrees.map(
      ({ path, branch, files }) => `    # ${oneLine(path)}  ${oneLine(branch)}  ${files.length}`,
    ),
  ];
}

/** Carry out `flower status`. */
export const statusCommand: CommandFunction = async (context) => {
  const { command, io, t } = context;
  const workspace = resolve(command.workspace);
  const status = await readFolderStatus({ workspace, runDir: command.globals.runDir, env: io.env });
  if (command.globals.json) io.out(JSON.stringify(status));
  else if (!existsSync(workspace)) io.out(`- ${workspace}: ${t("status.no_folder")}`);
  else for (const line of lines(context, status)) io.out(line);
  return EXIT_DONE;
};
