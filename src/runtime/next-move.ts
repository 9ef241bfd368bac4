// What to do after an attempt: one pure decision, tested as a table.

import type { HandoffPolicy } from "../agents/handoff-policy.ts";
import { failureOf } from "../config/locale/words.ts";
import type { TurnResult } from "../harness/turn-result.ts";
import type { AttemptEnd } from "./attempt.ts";
import { type Diagnosis, diagnose } from "./diagnose.ts";
import { explainFailure, type FailureWords, whatWasSaid } from "./failure.ts";
import type { Resilience } from "./resilience.ts";
import type { StepHistory } from "./step-history.ts";

/** What happens next in a step. */
export type Move =
  | { readonly kind: "done" }
  | { readonly kind: "stop"; readonly words: FailureWords }
  /** A limit of the run is reached: ask whether it goes on, then the same session does. */
  | { readonly kind: "pause" }
  /** The same session takes a person's words in a fresh process. */
  | { readonly kind: "go_on"; readonly prompt: string }
  /** Wait for the network and the delay of the n-th failure, then go on. */
  | {
      readonly kind: "retry";
      readonly failure: number;
      /** True for a failure nobody knows: only those are bounded by count. */
      readonly isUnknown: boolean;
      readonly words: FailureWords;
    }
  /** A usage limit: wait until then, probe once, go on. */
  | { readonly kind: "wait"; readonly resetAt: number | undefined; readonly words: FailureWords }
  /** The stored history is broken: load it healed, once. */
  | { readonly kind: "heal"; readonly words: FailureWords }
  /** The context is full: a document, then a fresh session. */
  | {
      readonly kind: "hand_off";
      /** The session can no longer answer: put the document together without it. */
      readonly mechanical: boolean;
      /** The document itself was too much: hand over only what is being done and what comes next. */
      readonly brief: boolean;
      /** What the window really is, when the failure gave it away. */
      readonly window: number | undefined;
    };

/** What the decision is made from. */
export interface Situation {
  readonly end: AttemptEnd;
  /** What the broker saw of the upstream last. */
  readonly upstream: string | undefined;
  /** Whether the API refused the session's last request with a 400 and said that asking again is no use. */
  readonly isRefused: boolean;
  /** True once a session id is known and the store has it. */
  readonly hasSession: boolean;
  readonly history: Readonly<StepHistory>;
  readonly resilience: Resilience;
  readonly handoff: HandoffPolicy;
  /** Epoch seconds. */
  readonly now: number;
}

/** Error of a step that a person interrupted before there was a session to go on with. */
export const INTERRUPTED = "interrupted-by-human";

/** Overflows of a successor before its first turn: the first is handed over whole, the second cut, the third ends it. */
const MAX_EMPTY_OVERFLOWS = 3;

function stop(words: FailureWords): Move {
  return { kind: "stop", words };
}

/** What a failed attempt was. A process that fell silent or died with its connection is an outage. */
export function diagnoseEnd(
  end: Extract<AttemptEnd, { kind: "failed" }>,
  upstream: string | undefined,
): Diagnosis {
  if (end.stalled) return { kind: "transient", cause: "stall", action: "resume" };
  if (end.result !== undefined) return diagnose(end.result);
  if (end.fault instanceof Error) {
    // A worker's error is known by its words alone; it has none of an exception's fields.
    const diagnosis = diagnose(end.ofWorker === true ? end.fault.message : end.fault);
    if (diagnosis.kind !== "unknown" || upstream === undefined) return diagnosis;
    return { kind: "transient", cause: "network", action: "resume" };
  }
  return { kind: "unknown", cause: "unknown", action: "resume" };
}

function handOff(situation: Situation, overflow: Diagnosis | undefined): Move {
  const { history, handoff, hasSession } = situation;
  if (!handoff.enabled) return stop(failureOf("context_full"));
  if (!hasSession) return stop(failureOf("context_full_at_once"));
  if (history.generations >= handoff.maxGenerations)
    return stop(failureOf("context_full_again", { times: history.generations, at: handoff.at }));
  if (overflow !== undefined && history.emptyOverflows >= MAX_EMPTY_OVERFLOWS)
    return stop(failureOf("handoff_overflows"));
  return {
    kind: "hand_off",
    mechanical: overflow !== undefined,
    brief: overflow !== undefined && history.emptyOverflows >= MAX_EMPTY_OVERFLOWS - 1,
    window: overflow?.window,
  };
}

function afterQuota(situation: Situation, diagnosis: Diagnosis, words: FailureWords): Move {
  const { resilience, history } = situation;
  if (!resilience.enabled || history.limitWaits >= resilience.maxLimitWaits) return { kind: "stop", words };
  return { kind: "wait", resetAt: diagnosis.resetAt, words };
}

function afterOutage(situation: Situation, isKnown: boolean, words: FailureWords): Move {
  const { resilience, history, now } = situation;
  if (!resilience.enabled || (!isKnown && !resilience.retryUnknown)) return { kind: "stop", words };
  // Outages are bounded by time, not by a count of tries: fourteen minutes of overload must be survived.
  if (now - history.progressAt > resilience.maxOfflineWait) return { kind: "stop", words };
  if (!isKnown && history.unknownFailures + 1 >= resilience.maxAttempts) return { kind: "stop", words };
  return { kind: "retry", failure: history.failures + 1, isUnknown: !isKnown, words };
}

/**
 * A 400 that nothing here can mend or wait out, and that the API itself calls final. Words that sound like an outage
 * make it none: such an answer quotes what was sent.
 */
function isFinal(
  { isRefused }: Situation,
  result: TurnResult | undefined,
  { kind }: Diagnosis,
): result is TurnResult {
  return isRefused && result?.apiStatus === 400 && (kind === "unknown" || kind === "transient");
}

function afterFailure(situation: Situation, end: Extract<AttemptEnd, { kind: "failed" }>): Move {
  const diagnosis = diagnoseEnd(end, situation.upstream);
  if (isFinal(situation, end.result, diagnosis))
    return stop(failureOf("request_refused", { said: whatWasSaid(end.result) }));
  const words = explainFailure({ ...end, upstream: situation.upstream });
  switch (diagnosis.kind) {
    case "fatal":
      return { kind: "stop", words };
    case "overflow":
      return handOff(situation, diagnosis);
    case "quota":
      return afterQuota(situation, diagnosis, words);
    case "repair": {
      if (!situation.history.healed && situation.hasSession) return { kind: "heal", words };
      return situation.handoff.enabled ? handOff(situation, diagnosis) : { kind: "stop", words };
    }
    case "transient":
    case "interrupted":
      return afterOutage(situation, true, words);
    default:
      return afterOutage(situation, false, words);
  }
}

/** Decide what follows an attempt. */
export function nextMove(situation: Situation): Move {
  const { end } = situation;
  switch (end.kind) {
    case "done":
      return { kind: "done" };
    case "aborted":
      return stop(failureOf("stopped_on_request"));
    case "full":
      return handOff(situation, undefined);
    case "braked":
      return { kind: "pause" };
    case "halted":
      return { kind: "stop", words: end.words };
    case "interrupted":
      return situation.hasSession ? { kind: "go_on", prompt: end.words } : stop(failureOf("interrupted"));
    case "failed":
      return afterFailure(situation, end);
  }
}
