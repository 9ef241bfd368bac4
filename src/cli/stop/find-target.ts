// Whom `stop` asks to end: the run that holds the folder, the only one at work here, or the one that was named. Reads only.

import { hostname } from "node:os";
import { epochS } from "../../core/clock.ts";
import { leasePath, readLease } from "../../runtime/lease.ts";
import { findRunOwner, liveRuns, type RunOwner, runsWithEvents } from "../../runtime/run-presence.ts";
import { type ChosenRun, findRun } from "../logs/choose-run.ts";

/** A process whose start the platform does not tell is known by a sign of life this fresh: twelve heartbeats. */
const FRESH_S = 60;

/** What was found. */
export type StopTarget =
  | { readonly kind: "here"; readonly owner: RunOwner }
  /** It works on another host: no signal reaches it from here. */
  | { readonly kind: "elsewhere"; readonly owner: RunOwner }
  /** Its process id may be another process's by now. */
  | { readonly kind: "uncertain"; readonly owner: RunOwner }
  | { readonly kind: "idle" }
  /** The named run ended before. */
  | { readonly kind: "over"; readonly run: string }
  | { readonly kind: "several"; readonly runs: readonly string[] }
  | { readonly kind: "no_such_run"; readonly chosen: Exclude<ChosenRun, { readonly kind: "run" }> };

/** Which of these are that process for certain. Pure but for the clock and the name of this host. */
function judge(owner: RunOwner): StopTarget {
  if (owner.host !== hostname()) return { kind: "elsewhere", owner };
  const isCertain = owner.start !== "" || epochS() - owner.at < FRESH_S;
  return { kind: isCertain ? "here" : "uncertain", owner };
}

function named(runDir: string, typed: string, live: readonly string[]): StopTarget {
  const known = [...new Set([...runsWithEvents(runDir), ...live])].sort();
  const chosen = findRun(known, typed);
  if (chosen.kind !== "run") return { kind: "no_such_run", chosen };
  const owner = findRunOwner(runDir, chosen.run);
  return owner === undefined ? { kind: "over", run: chosen.run } : judge(owner);
}

/** Find the run to stop. */
export function findStopTarget(runDir: string, typed: string | undefined): StopTarget {
  const live = liveRuns(runDir);
  if (typed !== undefined) return named(runDir, typed, live);
  const holder = readLease(leasePath(runDir))?.run;
  const run = live.find((each) => each === holder) ?? (live.length === 1 ? live[0] : undefined);
  if (run === undefined) return live.length === 0 ? { kind: "idle" } : { kind: "several", runs: live };
  const owner = findRunOwner(runDir, run);
  return owner === undefined ? { kind: "idle" } : judge(owner);
}
