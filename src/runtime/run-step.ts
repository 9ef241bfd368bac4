// The loop of a step, top to bottom: attempt, decide, wait or hand over, go on or stop.

import type { HandoffPolicy } from "../agents/handoff-policy.ts";
import { failureOf } from "../config/locale/words.ts";
import { epochS } from "../core/clock.ts";
import type { HarnessOptions } from "../harness/build-options.ts";
import type { HarnessMessage } from "../harness/message.ts";
import type { TurnResult } from "../harness/turn-result.ts";
import { type AttemptEnd, type AttemptInput, runAttempt } from "./attempt.ts";
import type { FailureWords } from "./failure.ts";
import type { Interrupter } from "./interrupter.ts";
import { type Move, nextMove } from "./next-move.ts";
import type { Resilience } from "./resilience.ts";
import { boundOptions, type RunBrake } from "./run-brake.ts";
import { noteProgress, type StepHistory, startHistory } from "./step-history.ts";
import type { StepDraft } from "./step-result.ts";
import type { RunningWorker } from "./turn-reader.ts";
import type { WorkerOutage } from "./worker-outage.ts";

/** Where a step goes on from. */
export interface StartPoint {
  readonly resume: string | undefined;
  readonly fork: boolean;
  readonly resumeAt: string | undefined;
}

/** A process to start: from where, with which words, with which liberties. */
interface Launch {
  readonly start: StartPoint;
  readonly prompt: string;
}

/** Waits of the loop; each returns false when it was in vain. */
export interface StepWaits {
  /** Wait for the network, then the delay of the n-th failure. */
  readonly outage: (failure: number, words: FailureWords, history: StepHistory) => Promise<boolean>;
  /** Wait for a usage limit to end. */
  readonly limit: (resetAt: number | undefined, words: FailureWords) => Promise<boolean>;
  /** Wait for a limit that an earlier process ran into. */
  readonly knownLimit: () => Promise<boolean>;
}

/** Everything the loop needs; its owner is the Runtime. */
export interface StepParts {
  readonly draft: StepDraft;
  readonly first: Launch;
  readonly interrupter: Interrupter;
  readonly signal: AbortSignal;
  readonly resilience: Resilience;
  readonly brake: RunBrake;
  /** Aborts when someone inside would not stop; its reason is the words for it. */
  readonly halt: AbortSignal;
  /** Tells of workers that an outage killed; undefined when outages are not waited out. */
  readonly outage: WorkerOutage | undefined;
  /** The policy in force; it may learn the true window meanwhile. */
  readonly handoff: () => HandoffPolicy;
  /** Words and options for going on with a session, its cut-off workers named. */
  readonly resume: (sessionId: string, words: string) => Promise<{ launch: Launch; options: HarnessOptions }>;
  readonly optionsFor: (start: StartPoint) => HarnessOptions;
  /** Whether the store has that session. */
  readonly hasSession: (sessionId: string) => Promise<boolean>;
  /** Write the handoff and name the successor's first words. */
  readonly handOver: (move: Extract<Move, { kind: "hand_off" }>, history: StepHistory) => Promise<string>;
  readonly waits: StepWaits;
  /** Told of every message. Must not throw. */
  readonly onMessage: (message: HarnessMessage) => void;
  /** Told once an id is announced that was not known before. Must not throw. */
  readonly onSession: (sessionId: string) => void;
  readonly onCutOff: (workers: readonly RunningWorker[]) => void;
  /** Charges a result to the draft and writes the books. Must not throw. */
  readonly charge: (result: TurnResult, start: StartPoint) => void;
  /** What the broker saw of the upstream last. */
  readonly upstream: () => string | undefined;
  /** Whether the API refused the session's last request and said that asking again is no use. */
  readonly isRefused: () => boolean;
}

const FRESH: StartPoint = { resume: undefined, fork: false, resumeAt: undefined };

function learnSession(parts: StepParts, message: HarnessMessage): void {
  const id = message.session_id;
  if (typeof id !== "string" || id === "" || id === parts.draft.sessionId) return;
  parts.draft.sessionId = id;
  parts.onSession(id);
}

const STOPPED = failureOf("stopped_on_request");

/** True when the harness stopped because what was left of a budget is used up. */
function isOverBudget(end: AttemptEnd): boolean {
  if (end.kind !== "failed" || end.result === undefined) return false;
  return end.result.terminalReason === "budget_exhausted" || end.result.subtype === "error_max_budget_usd";
}

/** What a person said while no turn could be stopped for it goes along with the next one's first words. */
function withWords(prompt: string, words: string): string {
  return [prompt, words].filter((part) => part !== "").join("\n\n");
}

async function attempt(
  parts: StepParts,
  launch: Launch,
  options: HarnessOptions,
  history: StepHistory,
): Promise<AttemptEnd> {
  if (parts.brake.reached() !== undefined) return { kind: "braked" };
  const bound = boundOptions(options, parts.brake.leftUsd());
  const input: AttemptInput = {
    options: bound.options,
    prompt: withWords(launch.prompt, parts.interrupter.takeWords()),
    draft: parts.draft,
    interrupter: parts.interrupter,
    signal: parts.signal,
    brake: parts.brake,
    halt: parts.halt,
    outage: parts.outage,
    isRefused: parts.isRefused,
    contextLimit: () => (parts.handoff().enabled ? parts.handoff().at : Number.POSITIVE_INFINITY),
    stallS: parts.resilience.enabled ? parts.resilience.stallTimeout : 0,
    onMessage: (message) => {
      learnSession(parts, message);
      parts.onMessage(message);
    },
    onResult: (result) => parts.charge(result, launch.start),
    onProgress: () => noteProgress(history),
    onCutOff: parts.onCutOff,
  };
  const end = await runAttempt(input);
  return bound.byRun && isOverBudget(end) ? { kind: "braked" } : end;
}

function settle(draft: StepDraft, words: FailureWords | undefined): void {
  draft.ok = words === undefined;
  draft.error = words?.error ?? null;
  draft.hint = words?.hint ?? "";
  draft.failure = words?.failure ?? null;
}

/** Go on with the session if there is one the store knows, else start over as the step was started. */
async function goOn(parts: StepParts, words: string): Promise<{ launch: Launch; options: HarnessOptions }> {
  const { sessionId } = parts.draft;
  if (sessionId !== null && (await parts.hasSession(sessionId))) {
    parts.draft.resumed = true;
    return parts.resume(sessionId, words);
  }
  return { launch: parts.first, options: parts.optionsFor(parts.first.start) };
}

/** A limit of the run stopped it. @returns why the step ends, or undefined when it may go on. */
async function pause(parts: StepParts): Promise<FailureWords | undefined> {
  if (parts.signal.aborted) return STOPPED;
  const words = await parts.brake.pause(parts.signal);
  return parts.signal.aborted ? STOPPED : words;
}

/** A wait was in vain: because the deadline of the run ended it, or because it was not to be. */
function afterWait(parts: StepParts, words: FailureWords): Promise<FailureWords | undefined> {
  if (parts.signal.aborted) return Promise.resolve(STOPPED);
  return parts.brake.reached() === undefined ? Promise.resolve(words) : pause(parts);
}

function noteFailure(parts: StepParts, history: StepHistory, words: FailureWords): void {
  history.failures += 1;
  parts.draft.errors.push(words.error);
}

/** Run a step to its end, into its draft. Never throws for what the agent or the network did. */
export async function runStep(parts: StepParts): Promise<void> {
  const { draft, signal, resilience, waits } = parts;
  const history = startHistory();
  while (!(await waits.knownLimit())) {
    const words = await afterWait(parts, STOPPED);
    if (words !== undefined) return settle(draft, words);
  }
  const { resume } = parts.first.start;
  let next =
    resume === undefined || parts.first.start.fork || parts.first.start.resumeAt !== undefined
      ? { launch: parts.first, options: parts.optionsFor(parts.first.start) }
      : await parts.resume(resume, parts.first.prompt);
  for (;;) {
    const end = await attempt(parts, next.launch, next.options, history);
    const hasSession = draft.sessionId !== null && (await parts.hasSession(draft.sessionId));
    const move = nextMove({
      end,
      upstream: parts.upstream(),
      isRefused: parts.isRefused(),
      hasSession,
      history,
      resilience,
      handoff: parts.handoff(),
      now: epochS(),
    });
    switch (move.kind) {
      case "done": {
        // Said between the last answer and the end of its process: nobody else will hear it.
        const late = parts.interrupter.takeWords();
        if (late === "") return settle(draft, undefined);
        next = await goOn(parts, late);
        break;
      }
      case "stop":
        return settle(draft, move.words);
      case "pause": {
        const words = await pause(parts);
        if (words !== undefined) return settle(draft, words);
        next = await goOn(parts, resilience.resumePrompt);
        break;
      }
      case "go_on":
        next = await goOn(parts, move.prompt);
        break;
      case "retry":
        noteFailure(parts, history, move.words);
        if (move.isUnknown) history.unknownFailures += 1;
        draft.attempts += 1;
        if (!(await waits.outage(move.failure, move.words, history))) {
          const words = await afterWait(parts, move.words);
          if (words !== undefined) return settle(draft, words);
        }
        next = await goOn(parts, resilience.resumePrompt);
        break;
      case "wait":
        noteFailure(parts, history, move.words);
        history.limitWaits += 1;
        if (!(await waits.limit(move.resetAt, move.words))) {
          const words = await afterWait(parts, move.words);
          if (words !== undefined) return settle(draft, words);
        }
        next = await goOn(parts, resilience.resumePrompt);
        break;
      case "heal":
        noteFailure(parts, history, move.words);
        history.healed = true;
        next = await goOn(parts, resilience.resumePrompt);
        break;
      case "hand_off": {
        const prompt = await parts.handOver(move, history);
        if (signal.aborted) return settle(draft, STOPPED);
        next = { launch: { start: FRESH, prompt }, options: parts.optionsFor(FRESH) };
        break;
      }
    }
  }
}
