// `flower stop`: asks the run in a folder to end well, waits for it, and says where it stands.

import { resolve } from "node:path";
import { manifestPath, readManifest } from "../../runtime/manifest.ts";
import { findRunOwner, type RunOwner, runsWithEvents } from "../../runtime/run-presence.ts";
import type { ManifestRow } from "../../runtime/step-result.ts";
import type { CommandContext, CommandFunction } from "../command-context.ts";
import { EXIT_DONE } from "../exit-codes.ts";
import { whyNoRun } from "../logs/why-no-run.ts";
import { isNoRunYet } from "../run/hold-folder.ts";
import { refuseWith, withObject } from "../run/with-object.ts";
import { money } from "../screen/layout.ts";
import { asideCost } from "../status/aside-cost.ts";
import { costOf } from "../status/run-summary.ts";
import { endRun, type StopOutcome } from "../stop/end-run.ts";
import { findStopTarget, type StopTarget } from "../stop/find-target.ts";

/** Seconds a run gets: it stops its turn and its children within three, on a machine under load in some more. */
const WAIT_S = 30;

function runDirOf({ command }: CommandContext): string {
  return resolve(command.workspace, command.globals.runDir);
}

/** What the books hold of a run. */
interface Books {
  readonly last: ManifestRow | undefined;
  readonly count: number;
  readonly costUsd: number;
}

function booksOf(context: CommandContext, run: string): Books {
  const { rows } = readManifest(manifestPath(runDirOf(context)));
  const own = rows.filter((row) => row.run === run);
  return { last: own.at(-1), count: own.length, costUsd: costOf(own) + asideCost(runDirOf(context), run) };
}

/** What a program is told of a run. */
function factsOf({ run, pid }: Pick<RunOwner, "run" | "pid">, books: Books, outcome: StopOutcome | "over") {
  return { run, pid, outcome, step: books.last?.step ?? null, cost_usd: books.costUsd };
}

/** For programs: one object; everything a person reads goes out of its way. */
function report({ io, command }: CommandContext, facts: object): void {
  if (command.globals.json) io.out(JSON.stringify(facts));
}

function say({ io, command }: CommandContext, line: string): void {
  (command.globals.json ? io.err : io.out)(line);
}

/** Where a run that has ended stands, and how to go on with it. */
function sayPlace(context: CommandContext, run: string, { last, count, costUsd }: Books): void {
  const { t } = context;
  if (last === undefined) {
    if (!isNoRunYet(run)) say(context, `  ${t("stop.nothing_booked")}`);
    return;
  }
  say(context, `  ${t("stop.place", { step: last.step, cost: money(costUsd), count })}`);
  const once = last.step === "once" && last.session_id !== null;
  const next = once ? t("end.resume_once", { id: last.session_id ?? "" }) : t("stop.go_on");
  say(context, `  ${t("error.next", { hint: next })}`);
}

async function stop(context: CommandContext, owner: RunOwner): Promise<number> {
  const { t, command } = context;
  const { run, pid } = owner;
  const { patience: timeoutS = WAIT_S, force = false } = command.flags;
  const asksOnly = timeoutS === 0 && !force;
  const place = { run, pid, seconds: timeoutS };
  const outcome = await endRun(owner, {
    timeoutS,
    force,
    onAsked: () => say(context, `- ${t(asksOnly ? "stop.asked_only" : "stop.asked", place)}`),
    onWaiting: (seconds) => say(context, `- ${t("stop.waiting", { seconds })}`),
  });
  // A program of one's own may live on after its run; it is the run that was to end.
  const isOver = outcome === "still_there" && findRunOwner(runDirOf(context), run) === undefined;
  const books = booksOf(context, run);
  const facts = factsOf(owner, books, isOver ? "ended" : outcome);
  if (outcome === "forbidden") {
    const words = t("stop.forbidden", { pid });
    return refuseWith(context, { words, next: t("stop.forbidden_next", { pid }) }, facts);
  }
  if (outcome === "still_there" && !isOver && !asksOnly) {
    const words = t("stop.still_there", place);
    return refuseWith(context, { words, next: t(force ? "stop.unkillable" : "stop.still_next") }, facts);
  }
  report(context, facts);
  if (outcome === "still_there" && asksOnly) return EXIT_DONE;
  if (outcome === "killed") say(context, `! ${t("stop.killed", place)}`);
  else say(context, `+ ${t("stop.ended", { run })}`);
  sayPlace(context, run, books);
  return EXIT_DONE;
}

function refuse(context: CommandContext, target: Exclude<StopTarget, { kind: "here" }>): number {
  const { t, io, command } = context;
  const outcome = target.kind;
  switch (target.kind) {
    case "idle":
      if (command.globals.json) io.out(JSON.stringify({ run: null, outcome: "idle" }));
      else io.out(`- ${t("stop.idle")}`);
      return EXIT_DONE;
    case "over":
      report(context, factsOf({ run: target.run, pid: 0 }, booksOf(context, target.run), "over"));
      say(context, `- ${t("stop.over", { run: target.run })}`);
      return EXIT_DONE;
    case "elsewhere": {
      const { run, host, pid } = target.owner;
      const refusal = {
        words: t("stop.elsewhere", { run, host, pid }),
        next: t("stop.elsewhere_next", { host }),
      };
      return refuseWith(context, refusal, { run, pid, host, outcome });
    }
    case "uncertain": {
      const { run, pid } = target.owner;
      const refusal = { words: t("stop.uncertain", { run, pid }), next: t("stop.uncertain_next", { pid }) };
      return refuseWith(context, refusal, { run, pid, outcome });
    }
    case "several": {
      const { runs } = target;
      const refusal = { words: t("stop.several"), next: t("logs.choose", { runs: runs.join(", ") }) };
      return refuseWith(context, refusal, { run: null, runs, outcome });
    }
    case "no_such_run": {
      const refusal = whyNoRun(context, target.chosen, runsWithEvents(runDirOf(context)));
      return refuseWith(context, refusal, { run: null, outcome });
    }
  }
}

/** Carry out `flower stop`. */
export const stopCommand: CommandFunction = (context) =>
  withObject(context, async () => {
    const target = findStopTarget(runDirOf(context), context.command.flags.run);
    return target.kind === "here" ? await stop(context, target.owner) : refuse(context, target);
  });
