// `flower logs`: a run's events, as the terminal would have shown them; with `-f` as they come. Reads only.

import { resolve } from "node:path";
import { sleep } from "../../core/clock.ts";
import { eventLogPaths } from "../../runtime/event-log.ts";
import { manifestPath, readManifest } from "../../runtime/manifest.ts";
import { runsWithEvents } from "../../runtime/run-presence.ts";
import type { CommandContext, CommandFunction } from "../command-context.ts";
import { EXIT_DONE } from "../exit-codes.ts";
import { type ChosenRun, chooseRun, isLive } from "../logs/choose-run.ts";
import { isDamaged, showLine } from "../logs/show-line.ts";
import { tailLines } from "../logs/tail-lines.ts";
import { whyNoRun } from "../logs/why-no-run.ts";
import { stopWith } from "../run/stop-with.ts";
import { viewOf } from "../run/view-of.ts";
import { EventPrinter } from "../screen/event-printer.ts";
import { asideCost } from "../status/aside-cost.ts";
import { failureWords } from "../status/outcome-words.ts";
import { summariseRuns } from "../status/run-summary.ts";

/** How often a run that is followed is looked at: well below what a person notices. */
const LOOK_MS = 200;

/** With `-f` and no run yet, the first one is waited for. */
async function choose(context: CommandContext, runDir: string): Promise<ChosenRun> {
  const { run, follow = false } = context.command.flags;
  let chosen = chooseRun(runDir, run, follow);
  if (chosen.kind === "none" && follow) context.io.err(`- ${context.t("logs.waiting")}`);
  while (chosen.kind === "none" && follow) {
    await sleep(LOOK_MS);
    chosen = chooseRun(runDir, run, follow);
  }
  return chosen;
}

/** The end of a run that is over, as its own last line said it. */
function sayEnd({ io, t }: CommandContext, runDir: string, run: string): void {
  const manifest = manifestPath(runDir);
  const own = summariseRuns(readManifest(manifest).rows).find((each) => each.run === run);
  if (own === undefined) return;
  const failed = failureWords(t, own);
  if (failed !== undefined) io.out(`x ${t("end.stopped", { reason: failed })}`);
  const cost = own.costUsd + asideCost(runDir, run);
  io.out(t("total.line", { cost: `$${cost.toFixed(4)}`, path: manifest }));
}

/** Carry out `flower logs`. */
export const logsCommand: CommandFunction = async (context) => {
  const { command, io } = context;
  const runDir = resolve(command.workspace, command.globals.runDir);
  const chosen = await choose(context, runDir);
  if (chosen.kind !== "run") return stopWith(context, whyNoRun(context, chosen, runsWithEvents(runDir)));
  const { run } = chosen;
  const view = viewOf(context, resolve(command.workspace));
  const printer = new EventPrinter();
  const follow = command.flags.follow === true;
  const lines = tailLines({
    ...eventLogPaths(runDir, run),
    goesOn: () => follow && isLive(runDir, run),
    pause: () => sleep(LOOK_MS),
  });
  let damaged = 0;
  for await (const line of lines) {
    if (isDamaged(line)) damaged += 1;
    if (command.globals.json) io.out(line);
    else for (const shown of showLine(line, view, printer)) io.out(shown);
    if (!(await io.flushed())) return EXIT_DONE;
  }
  if (!command.globals.json) for (const shown of printer.rest(view)) io.out(shown);
  if (damaged > 0) {
    io.err(`! ${context.t("logs.damaged", { count: damaged, path: eventLogPaths(runDir, run).path })}`);
  }
  if (!command.globals.json && !isLive(runDir, run)) sayEnd(context, runDir, run);
  return EXIT_DONE;
};
