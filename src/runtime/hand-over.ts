// A handoff: the session writes its document in one more turn, or it is put together without it; then a fresh one
// takes over with it as its first words.

import type { HandoffPolicy } from "../agents/handoff-policy.ts";
import { cut } from "../core/text.ts";
import { degradedHandoff, Handoff } from "../documents/handoff.ts";
import { HANDOFF_PROMPT } from "../documents/handoff-prompt.ts";
import { createEvent, type Event } from "../events/event.ts";
import type { HarnessOptions } from "../harness/build-options.ts";
import type { TurnResult } from "../harness/turn-result.ts";
import { runAttempt } from "./attempt.ts";
import type { Diagnosis } from "./diagnose.ts";
import { explainFailure, type FailureWords } from "./failure.ts";
import type { HandoffKeeper } from "./handoff-keeper.ts";
import { Interrupter } from "./interrupter.ts";
import { diagnoseEnd, type Move } from "./next-move.ts";
import { countingOnly, type RunBrake } from "./run-brake.ts";
import type { StepHistory } from "./step-history.ts";
import { type StepDraft, startDraft } from "./step-result.ts";

/** What a handoff needs. */
export interface HandOverParts {
  readonly draft: StepDraft;
  /** What the step was asked to do, for a document put together without the session. */
  readonly task: string;
  readonly policy: () => HandoffPolicy;
  /** The true window when a failure gave it away. */
  readonly learnWindow: (window: number) => void;
  readonly keeper: HandoffKeeper;
  /** Options of one more process in that session, without the step's budget. */
  readonly optionsFor: (sessionId: string) => HarnessOptions;
  readonly charge: (result: TurnResult, sessionId: string) => void;
  readonly brake: RunBrake;
  readonly halt: AbortSignal;
  readonly stallS: number;
  readonly signal: AbortSignal;
  /** Wait out what kept the turn from being written; false when that was in vain. */
  readonly waitOut: (diagnosis: Diagnosis, failure: number, words: FailureWords) => Promise<boolean>;
  /** What the broker saw of the upstream last. */
  readonly upstream: () => string | undefined;
  /** Must not throw. */
  readonly emit: (event: Event) => void;
}

type Written =
  | { readonly handoff: Handoff }
  | {
      readonly why: string;
      readonly outage?: { readonly diagnosis: Diagnosis; readonly words: FailureWords };
    };

/** Outages waited out for one document; what comes after is handed over without it. */
const MAX_OUTAGES = 5;
/** Of the task, in a document that must be as short as can be. */
const BRIEF_TASK_CHARS = 200;

function fillPrompt(context: number, window: number): string {
  return HANDOFF_PROMPT.replaceAll("{used}", String(context)).replaceAll("{window}", String(window));
}

function addTo(draft: StepDraft, turn: StepDraft): void {
  draft.numTurns += turn.numTurns;
  draft.denials += turn.denials;
  draft.errors.push(...turn.errors);
  draft.usage = {
    input: draft.usage.input + turn.usage.input,
    output: draft.usage.output + turn.usage.output,
    cacheRead: draft.usage.cacheRead + turn.usage.cacheRead,
    cacheCreation: draft.usage.cacheCreation + turn.usage.cacheCreation,
  };
}

/** One more turn in the same session; it is exempt from the threshold, or every generation would degrade. */
async function writeInSession(parts: HandOverParts, sessionId: string): Promise<Written> {
  const turn = startDraft(parts.draft.step);
  const end = await runAttempt({
    options: parts.optionsFor(sessionId),
    prompt: fillPrompt(parts.draft.context, parts.policy().window),
    draft: turn,
    interrupter: new Interrupter(),
    signal: parts.signal,
    // What has been done would be lost with the document: it may cost its one turn even at the limit of the run.
    brake: countingOnly(parts.brake),
    halt: parts.halt,
    outage: undefined,
    isRefused: () => false,
    contextLimit: () => Number.POSITIVE_INFINITY,
    stallS: parts.stallS,
    onMessage: () => {},
    onResult: (result) => parts.charge(result, sessionId),
    onProgress: () => {},
    onCutOff: () => {},
  });
  addTo(parts.draft, turn);
  if (end.kind === "failed") {
    const upstream = parts.upstream();
    const words = explainFailure({ ...end, upstream });
    const diagnosis = diagnoseEnd(end, upstream);
    const isOutage = diagnosis.kind === "transient" || diagnosis.kind === "quota";
    return { why: words.error, ...(isOutage ? { outage: { diagnosis, words } } : {}) };
  }
  if (end.kind !== "done") return { why: "the turn that writes it was stopped" };
  const last = Handoff.parse(turn.lastText);
  const handoff = last.complete() ? last : Handoff.parse(turn.text);
  if (handoff.complete()) return { handoff: new Handoff({ ...handoff, step: parts.draft.step }) };
  parts.keeper.keepRaw(turn.text);
  return { why: `the reply lacks ${handoff.missing().join(", ")}` };
}

/** Have it written, over outages: without the document the successor would do everything again. */
async function writeThrough(parts: HandOverParts, sessionId: string): Promise<Written> {
  for (let failure = 1; ; failure += 1) {
    const written = await writeInSession(parts, sessionId);
    if ("handoff" in written || written.outage === undefined || failure > MAX_OUTAGES) return written;
    const { diagnosis, words } = written.outage;
    parts.draft.errors.push(words.error);
    if (!(await parts.waitOut(diagnosis, failure, words))) return written;
  }
}

async function obtain(parts: HandOverParts, sessionId: string, mechanical: boolean): Promise<Handoff> {
  const written: Written = mechanical
    ? { why: "the session can no longer answer" }
    : await writeThrough(parts, sessionId);
  if ("handoff" in written) return written.handoff;
  parts.draft.errors.push(`handoff not written: ${written.why}`);
  return degradedHandoff(parts.draft.step, parts.task, { why: written.why });
}

/** Of one put together without the session only its first words of the task say what there is to do. */
function shorten(handoff: Handoff): Handoff {
  const { doing, next, step } = handoff;
  return new Handoff({
    doing,
    next,
    step,
    scene: handoff.degraded ? cut(handoff.scene, BRIEF_TASK_CHARS) : "",
  });
}

/**
 * Hand over from the session of the draft to a fresh one.
 * @returns the fresh session's first words.
 */
export async function handOver(
  parts: HandOverParts,
  move: Extract<Move, { kind: "hand_off" }>,
  history: StepHistory,
): Promise<string> {
  const { draft, emit } = parts;
  const sessionId = draft.sessionId ?? "";
  const { context } = draft;
  if (move.window !== undefined) parts.learnWindow(move.window);
  emit(createEvent("handoff", { payload: { phase: "writing", context, window: parts.policy().window } }));
  const full = await obtain(parts, sessionId, move.mechanical);
  const handoff = move.brief ? shorten(full) : full;
  const path = parts.keeper.keep(handoff);
  draft.retired.push(sessionId);
  draft.context = 0;
  history.generations += 1;
  if (move.mechanical) history.emptyOverflows += 1;
  const sections = {
    doing: handoff.doing,
    decided: handoff.decided,
    deadends: handoff.deadends,
    next: handoff.next,
  };
  const payload = {
    phase: "done" as const,
    degraded: handoff.degraded,
    path,
    context,
    window: parts.policy().window,
  };
  emit(createEvent("handoff", { text: path ?? "", payload: { ...payload, sections } }));
  return parts.keeper.takeOver(handoff, path).promptBlock();
}
