// `flower stop`: asks the run in a folder to end well, waits for it, and says where it stands.

import { join, resolve } from "node:path";
import { readManifest } from "../../runtime/manifest.ts";
import { findRunOwner, type RunOwner, runsWithEvents } from "../../runtime/run-presence.ts";
import type { ManifestRow } from "../../runtime/step-result.ts";
import type { CommandContext, CommandFunction } from "../command-context.ts";
import { EXIT_DONE } from "../exit-codes.ts";
import { sayNoRun } from "../logs/say-no-run.ts";
import { isNoRunYet } from "../run/hold-folder.ts";
import { stopWith } from "../run/stop-with.ts";
import { money } from "../screen/layout.ts";
import { endRun, type StopOutcome } from "../stop/end-run.ts";
import { findStopTarget, type StopTarget } from "../stop/find-target.ts";

/** Seconds a run gets: it stops its turn and its children within three, on a machine under load in some more. */
const WAIT_S = 30;

function runDirOf({ command }: CommandContext): string {
  return resolve(command.workspace, command.globals.runDir);
}

function rowsOf(context: CommandContext, run: string): readonly ManifestRow[] {
  const { rows } = readManifest(join(runDirOf(context), "manifest.json"));
  return rows.filter((row) => row.run === run);
}

/** For programs: one object; everything a person reads goes out of its way. */
function report(context: CommandContext, owner: RunOwner, outcome: StopOutcome | "over"): void {
  const { io, command } = context;
  if (!command.globals.json) return;
  const rows = rowsOf(context, owner.run);
  const cost = rows.reduce((sum, row) => sum + row.cost_usd, 0);
  const { run, pid } = owner;
  io.out(JSON.stringify({ run, pid, outcome, step: rows.at(-1)?.step ?? null, cost_usd: cost }));
}

function say({ io, command }: CommandContext, line: string): void {
  (command.globals.json ? io.err : io.out)(line);
}

/** Where a run that has ended stands, and how to go on with it. */
function sayPlace(context: CommandContext, run: string): void {
  const { t } = context;
  const rows = rowsOf(context, run);
  const last = rows.at(-1);
  if (last === undefined) {
    if (!isNoRunYet(run)) say(context, `  ${t("stop.nothing_booked")}`);
    return;
  }
  const cost = money(rows.reduce((sum, row) => sum + row.cost_usd, 0));
  say(context, `  ${t("stop.place", { step: last.step, cost, count: rows.length })}`);
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
  report(context, owner, isOver ? "ended" : outcome);
  if (outcome === "still_there" && asksOnly) return EXIT_DONE;
  if (outcome === "forbidden") {
    return stopWith(context, {
      words: t("stop.forbidden", { pid }),
      next: t("stop.forbidden_next", { pid }),
    });
  }
  if (outcome === "still_there" && !isOver) {
    const words = t("stop.still_there", place);
    return stopWith(context, { words, next: t(force ? "stop.unkillable" : "stop.still_next") });
  }
  if (outcome === "killed") say(context, `! ${t("stop.killed", place)}`);
  else say(context, `+ ${t("stop.ended", { run })}`);
  sayPlace(context, run);
  return EXIT_DONE;
}

function refuse(context: CommandContext, target: Exclude<StopTarget, { kind: "here" }>): number {
  const { t, io, command } = context;
  switch (target.kind) {
    case "idle":
      if (command.globals.json) io.out(JSON.stringify({ run: null, outcome: "idle" }));
      else io.out(`- ${t("stop.idle")}`);
      return EXIT_DONE;
    case "over":
      report(context, { run: target.run, pid: 0, host: "", start: "", at: 0 }, "over");
      say(context, `- ${t("stop.over", { run: target.run })}`);
      return EXIT_DONE;
    case "elsewhere": {
      const { run, host, pid } = target.owner;
      return stopWith(context, {
        words: t("stop.elsewhere", { run, host, pid }),
        next: t("stop.elsewhere_next", { host }),
      });
    }
    case "uncertain": {
      const { run, pid } = target.owner;
      return stopWith(context, {
        words: t("stop.uncertain", { run, pid }),
        next: t("stop.uncertain_next", { pid }),
      });
    }
    case "several":
      return stopWith(context, {
        words: t("stop.several"),
        next: t("logs.choose", { runs: target.runs.join(", ") }),
      });
    case "no_such_run":
      return sayNoRun(context, target.chosen, runsWithEvents(runDirOf(context)));
  }
}

/** Carry out `flower stop`. */
export const stopCommand: CommandFunction = async (context) => {
  const target = findStopTarget(runDirOf(context), context.command.flags.run);
  return target.kind === "here" ? await stop(context, target.owner) : refuse(context, target);
};
