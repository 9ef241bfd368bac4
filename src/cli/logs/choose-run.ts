// Which run a command means: the one that was named, or the one at work, or the last one.

import { nearestName } from "../../core/options.ts";
import { findRunOwner, liveRuns, runsWithEvents } from "../../runtime/run-presence.ts";
import { isNoRunYet } from "../run/hold-folder.ts";

/** A run, or why there is none to take. */
export type ChosenRun =
  | { readonly kind: "run"; readonly run: string }
  | { readonly kind: "none" }
  | { readonly kind: "ambiguous"; readonly runs: readonly string[] }
  | { readonly kind: "unknown"; readonly nearest: string | undefined };

/** The run that is meant by an id, its beginning, or its last part. */
export function findRun(known: readonly string[], typed: string): ChosenRun {
  if (known.includes(typed)) return { kind: "run", run: typed };
  const meant = known.filter((run) => run.startsWith(typed) || run.endsWith(`-${typed}`));
  const [only, ...others] = meant;
  if (only === undefined) return { kind: "unknown", nearest: nearestName(typed, known) };
  return others.length === 0 ? { kind: "run", run: only } : { kind: "ambiguous", runs: meant };
}

/** The newest at work, else the newest of all; one that is about to begin is worth waiting for. */
function latestRun(runDir: string, mayWait: boolean): ChosenRun {
  const live = liveRuns(runDir);
  const begun = live.filter((run) => !isNoRunYet(run));
  if (begun.length === 0 && live.length > 0 && mayWait) return { kind: "none" };
  const run = begun.at(-1) ?? runsWithEvents(runDir).at(-1);
  return run === undefined ? { kind: "none" } : { kind: "run", run };
}

/** The run whose events are to be shown; `mayWait` when the next one to begin would do as well. */
export function chooseRun(runDir: string, typed: string | undefined, mayWait: boolean): ChosenRun {
  if (typed === undefined) return latestRun(runDir, mayWait);
  const known = new Set([...runsWithEvents(runDir), ...liveRuns(runDir)]);
  return findRun([...known].sort(), typed);
}

/** Whether the run is at work. */
export function isLive(runDir: string, run: string): boolean {
  return findRunOwner(runDir, run) !== undefined;
}
