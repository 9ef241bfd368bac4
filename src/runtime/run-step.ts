// The loop of a step, top to bottom: attempt, decide, go on or stop, keep the books.

import type { HarnessOptions } from "../harness/build-options.ts";
import type { HarnessMessage } from "../harness/message.ts";
import type { TurnResult } from "../harness/turn-result.ts";
import { runAttempt } from "./attempt.ts";
import type { Interrupter } from "./interrupter.ts";
import { nextMove } from "./next-move.ts";
import type { StepDraft } from "./step-result.ts";

/** Where a step goes on from. */
export interface StartPoint {
  readonly resume: string | undefined;
  readonly fork: boolean;
  readonly resumeAt: string | undefined;
}

/** Everything the loop needs; its owner is the Runtime. */
export interface StepParts {
  readonly draft: StepDraft;
  readonly prompt: string;
  readonly start: StartPoint;
  readonly interrupter: Interrupter;
  readonly signal: AbortSignal;
  /** Options of a process that starts there. */
  readonly optionsFor: (start: StartPoint) => HarnessOptions;
  /** Told of every message. Must not throw. */
  readonly onMessage: (message: HarnessMessage) => void;
  /** Told once an id is announced that was not known before. Must not throw. */
  readonly onSession: (sessionId: string) => void;
  /** Charges a result to the draft and writes the books. Must not throw. */
  readonly charge: (result: TurnResult, start: StartPoint) => void;
  readonly upstream: () => string | undefined;
}

function learnSession(parts: StepParts, message: HarnessMessage): void {
  const id = message.session_id;
  if (typeof id !== "string" || id === "" || id === parts.draft.sessionId) return;
  parts.draft.sessionId = id;
  parts.onSession(id);
}

/** Run a step to its end, into its draft. Never throws for what the agent or the network did. */
export async function runStep(parts: StepParts): Promise<void> {
  const { draft } = parts;
  const { start, prompt } = parts;
  const end = await runAttempt({
    options: parts.optionsFor(start),
    prompt,
    draft,
    interrupter: parts.interrupter,
    signal: parts.signal,
    onMessage: (message) => {
      learnSession(parts, message);
      parts.onMessage(message);
    },
    onResult: (result) => parts.charge(result, start),
  });
  const move = nextMove({ end, upstream: parts.upstream() });
  draft.ok = move.kind === "done";
  draft.error = move.kind === "done" ? null : move.words.error;
  draft.hint = move.kind === "done" ? "" : move.words.hint;
}
