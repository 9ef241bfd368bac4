// What flower sees of a round itself: the commands of its goal, run where the round is judged.

import { join } from "node:path";
import { failureOf, hintOfFailure, inEnglish, reasonOf, wordsOf } from "../../config/locale/words.ts";
import { readProcessEnv } from "../../config/process-env.ts";
import { FlowerError } from "../../core/errors.ts";
import { fileSafe } from "../../core/ids.ts";
import { parseCheck } from "../../documents/parse-check.ts";
import { createEvent } from "../../events/event.ts";
import type { Evidence, EvidenceItem } from "../../evidence/evidence.ts";
import { gatherEvidence } from "../../evidence/gather-evidence.ts";
import { createSecretMask } from "../../guards/secret-mask.ts";
import { credentialSecrets } from "../../runtime/door.ts";
import type { Runtime } from "../../runtime/runtime.ts";
import { abortWith } from "../step.ts";
import type { Round } from "./goal-guard.ts";

/** A round whose commands have not been run yet. */
export type UnseenRound = Omit<Round, "evidence">;

/** Whose rounds lie in the run's own folder: the first guard's. Those of others, side by side in one run, lie below. */
const FIRST = new WeakMap<Runtime, string>();

function folderOf({ runtime, guard }: UnseenRound): string {
  const first = FIRST.get(runtime) ?? guard.name;
  FIRST.set(runtime, first);
  const home = join(runtime.workbench?.artifacts ?? runtime.runDir, "evidence", runtime.runId);
  return first === guard.name ? home : join(home, fileSafe(guard.step.name));
}

function tell(round: UnseenRound, text: string, payload: Readonly<Record<string, unknown>>): void {
  const { number, guard } = round;
  const place = { notice: "evidence", round: number, rounds: guard.rounds };
  round.ctx._onEvent?.(createEvent("task", { text, payload: { ...place, ...payload } }));
}

function tellItem(round: UnseenRound, item: EvidenceItem): void {
  const { number, check, outcome, why, exitCode, durationS, path } = item;
  if (check.command === undefined) return;
  tell(round, check.command, {
    ...{ phase: "done", number, total: round.goal.checks.length, command: check.command },
    ...{ outcome, why, exit: exitCode ?? null, duration_s: durationS, path: path ?? null },
  });
}

function tellOutcome(round: UnseenRound, { items, changed }: Evidence): void {
  for (const item of items) tellItem(round, item);
  if (changed.length === 0) return;
  const words = wordsOf("evidence.changed", { files: changed.join(", ") });
  tell(round, inEnglish(words), { words, phase: "changed", changed: [...changed] });
}

function gather(round: UnseenRound, signal: AbortSignal): Promise<Evidence> {
  const { guard, goal, place } = round;
  const total = goal.checks.length;
  return gatherEvidence({
    checks: goal.checks,
    round: round.number,
    folder: folderOf(round),
    tree: place.work,
    env: readProcessEnv(),
    say: guard.say,
    isSandboxed: guard.sandbox,
    signal,
    onCommand: (number, command) => tell(round, command, { phase: "start", number, total, command }),
  });
}

/** A command may have printed what it found on the disk; the files are read through a guard that masks, the rest is not. */
function masked(evidence: Evidence, runtime: Runtime): Evidence {
  const mask = createSecretMask(credentialSecrets(runtime.credentials));
  const items = evidence.items.map((item) => ({ ...item, why: mask(item.why), tail: mask(item.tail) }));
  return { ...evidence, items };
}

function notGathered(error: unknown): unknown {
  if (!(error instanceof FlowerError)) return error;
  const failure = { code: error.code, values: error.values };
  const next = hintOfFailure({ hint: error.hint, failure });
  return abortWith(failureOf("evidence_not_gathered", { reason: reasonOf(error), next }));
}

/** Gather, or stop at the run's deadline and ask the person, as in a turn; what was begun is then begun anew. */
async function gatherInTime(round: UnseenRound): Promise<Evidence> {
  const { brake } = round.runtime;
  const stop = round.ctx._signal ?? new AbortController().signal;
  for (;;) {
    const deadline = brake.deadline();
    try {
      return await gather(round, AbortSignal.any([stop, deadline]));
    } catch (error) {
      if (stop.aborted) throw stop.reason;
      if (!deadline.aborted) throw notGathered(error);
    }
    const words = await brake.pause(stop);
    stop.throwIfAborted();
    if (words !== undefined) throw abortWith(words);
  }
}

/**
 * Run the commands of the round's goal. The run's signal ends them; its deadline as well, and then the person is asked.
 * @returns undefined where evidence is off.
 * @throws StepAbort when the run is over or nothing could be gathered; the signal's reason when it aborts.
 */
export async function evidenceOf(round: UnseenRound): Promise<Evidence | undefined> {
  if (!round.guard.evidence) return undefined;
  const commands = round.goal.checks.filter((check) => parseCheck(check).command !== undefined).length;
  if (commands > 0) tell(round, "", { phase: "begin", commands });
  const evidence = masked(await gatherInTime(round), round.runtime);
  tellOutcome(round, evidence);
  return evidence;
}
