// One run from its Runtime to its exit code: events, questions, typed words, signals, the last line.

import { join } from "node:path";
import type { OracleOptions } from "../../agents/roles/oracle.ts";
import { QuestionFiles } from "../../people/question-files.ts";
import { EXIT_DONE, EXIT_STOPPED } from "../exit-codes.ts";
import { reportError } from "../report-error.ts";
import type { Desk } from "./desk.ts";
import type { Ending } from "./ending.ts";
import { type DeskInput, openDesk } from "./open-desk.ts";
import { OracleDesk } from "./oracle-desk.ts";
import type { Summary } from "./run-output.ts";
import { isLeaving, type Leaving, SignalGuard } from "./signals.ts";

/** A run to be watched over. */
export interface Job extends DeskInput {
  /** The run itself. */
  readonly work: (signal: AbortSignal) => Promise<Ending>;
  /** How the oracle is made; without it nothing answers beside the run. */
  readonly aside?: OracleOptions;
}

function openQuestionFiles(job: Job): QuestionFiles | undefined {
  const { runtime, channel } = job;
  if (channel === undefined) return undefined;
  const files = new QuestionFiles({ dir: join(runtime.runDir, "asks"), channel, run: runtime.runId });
  files.start();
  return files;
}

function leavingWords(job: Job, { signal }: Leaving): string {
  const { t } = job.context;
  return signal === "SIGINT" ? t("interrupt.leaving") : t("interrupt.signal", { signal });
}

/** Do the work with questions, words and signals attached. @throws what the work throws. */
async function attend(job: Job): Promise<Ending | Leaving> {
  const { context, runtime, output } = job;
  let files: QuestionFiles | undefined;
  let desk: Desk | undefined;
  const guard = new SignalGuard(runtime, {
    onInterrupt: () => {
      desk?.noteInterrupt();
      output.say("notice", "! ", context.t("interrupt.once"));
    },
    onLeave: (leaving) => context.io.err(`! ${leavingWords(job, leaving)}`),
  });
  try {
    files = openQuestionFiles(job);
    return await guard.watch((signal) => {
      const working = job.work(signal);
      // What was typed before the run is said as the desk opens: there has to be somebody to say it to.
      desk = openDesk(job, () => guard.rearm());
      return working;
    });
  } finally {
    desk?.close();
    output.showOn(undefined);
    files?.close();
    job.lines?.close();
  }
}

/** Somebody who types may ask aside; a pipe holds answers. */
function openAside({ context, runtime, aside }: Job): OracleDesk | undefined {
  if (aside === undefined || !context.io.inIsTty) return undefined;
  return new OracleDesk({ runtime, workbench: runtime.workbench, options: aside });
}

/** What was asked while the run went on is answered when it has ended; who leaves waits for nothing. */
async function closeAside(
  { context, output }: Job,
  aside: OracleDesk | undefined,
  now: boolean,
): Promise<void> {
  if (aside === undefined) return;
  const count = aside.open;
  if (count > 0 && !now) output.say("faint", "~ ", context.t("oracle.waiting", { count }));
  await aside.close({ now });
}

async function finish(job: Job, end: Ending | Leaving, asideUsd: number): Promise<Summary> {
  const { runtime, output, context } = job;
  const books = { manifest: runtime.manifestPath, costUsd: runtime.totalCost() };
  if (isLeaving(end)) return { ...books, exitCode: end.exitCode, reason: leavingWords(job, end) };
  await output.end(runtime, { isDone: end.kind === "done", asideUsd });
  if (end.kind === "done") {
    const { passedBy } = end;
    return { ...books, exitCode: EXIT_DONE, ...(passedBy === undefined ? {} : { passedBy }) };
  }
  output.stopped(end);
  const why = { reason: end.reason, hint: end.hint || context.t("end.continue") };
  return { ...books, exitCode: EXIT_STOPPED, ...why };
}

/**
 * Run a job to its exit code. Whatever happened, the last line on standard output is its summary, and what stopped
 * it stands on standard error.
 */
export async function runJob(job: Job): Promise<number> {
  const { context, output, runtime } = job;
  output.follow(runtime);
  const aside = openAside(job);
  let summary: Summary;
  try {
    const end = await attend(aside === undefined ? job : { ...job, oracle: aside.ask });
    await closeAside(job, aside, isLeaving(end));
    summary = await finish(job, end, aside?.costUsd ?? 0);
  } catch (error) {
    const { lines, exitCode } = reportError(context.t, error, context.command.globals.verbose);
    for (const line of lines) context.io.err(line);
    const books = { manifest: runtime.manifestPath, costUsd: runtime.totalCost() };
    summary = { ...books, exitCode, reason: lines[0] ?? "" };
  } finally {
    await aside?.close({ now: true });
    await runtime.close();
  }
  output.summary({ ...summary, costUsd: summary.costUsd + (aside?.costUsd ?? 0) });
  return summary.exitCode;
}
