// One attempt: one process of the harness from its first words to the end of the step, interruptions included.

import type { HarnessOptions } from "../harness/build-options.ts";
import { type LiveSession, startSession } from "../harness/live-session.ts";
import type { HarnessMessage } from "../harness/message.ts";
import type { TurnResult } from "../harness/turn-result.ts";
import type { Interrupter } from "./interrupter.ts";
import type { StepDraft } from "./step-result.ts";
import { TurnReader } from "./turn-reader.ts";

/** How an attempt ended. */
export type AttemptEnd =
  | { readonly kind: "done"; readonly result: TurnResult }
  | {
      readonly kind: "failed";
      /** The result that reported the failure; undefined when the process died without one. */
      readonly result: TurnResult | undefined;
      readonly fault: unknown;
      readonly stderr: string;
    }
  | { readonly kind: "aborted" };

/** What an attempt needs. */
export interface AttemptInput {
  readonly options: HarnessOptions;
  readonly prompt: string;
  readonly draft: StepDraft;
  readonly interrupter: Interrupter;
  readonly signal: AbortSignal;
  /** Told of every message, in order, before anything is decided. Must not throw. */
  readonly onMessage: (message: HarnessMessage) => void;
  /** Told of every result: what it cost is charged here. Must not throw. */
  readonly onResult: (result: TurnResult) => void;
}

/** Prompts sent and not answered yet; older harness versions do not say what a result answers. */
class Unanswered {
  readonly #ids = new Set<string>();

  add(id: string): void {
    this.#ids.add(id);
  }

  settle(result: TurnResult): void {
    if (result.answered.length === 0 && !result.ofTask) this.#ids.clear();
    for (const id of result.answered) this.#ids.delete(id);
  }

  clear(): void {
    this.#ids.clear();
  }

  isEmpty(): boolean {
    return this.#ids.size === 0;
  }
}

/** What a result means for the attempt: it is over, or the same process takes another turn. */
function afterResult(
  result: TurnResult,
  state: { session: LiveSession; reader: TurnReader; unanswered: Unanswered; interrupter: Interrupter },
): AttemptEnd | undefined {
  const { session, reader, unanswered, interrupter } = state;
  const words = interrupter.takePrompt();
  if (words !== undefined) {
    reader.startTurn();
    unanswered.clear();
    unanswered.add(session.send(words));
    return undefined;
  }
  unanswered.settle(result);
  if (result.isError) return { kind: "failed", result, fault: undefined, stderr: session.stderr() };
  // A resumed session may first report on a task of the last process, and a background task wakes the main thread
  // once more: neither result is the answer to what was asked.
  if (!unanswered.isEmpty() || reader.hasBackground()) {
    reader.startTurn();
    return undefined;
  }
  return { kind: "done", result };
}

/** Run one process until the step is over. Never throws for what the agent, the harness or the network did. */
export async function runAttempt(input: AttemptInput): Promise<AttemptEnd> {
  if (input.signal.aborted) return { kind: "aborted" };
  const reader = new TurnReader(input.draft);
  const unanswered = new Unanswered();
  let session: ReturnType<typeof startSession>;
  try {
    session = startSession(input.options, input.prompt);
  } catch (fault) {
    return { kind: "failed", result: undefined, fault, stderr: "" };
  }
  unanswered.add(session.firstId);
  const disconnect = input.interrupter.connect(() => {
    session.interrupt().catch(() => session.kill());
  });
  const abort = () => session.kill();
  input.signal.addEventListener("abort", abort, { once: true });
  let end: AttemptEnd | undefined;
  try {
    for await (const message of session.messages()) {
      input.onMessage(message);
      // Once the end is known only the last entries and the cost of stragglers are still of interest.
      const result = reader.read(message);
      if (result === undefined) continue;
      input.onResult(result);
      if (end !== undefined) continue;
      end = afterResult(result, { session, reader, unanswered, interrupter: input.interrupter });
      if (end !== undefined) session.finish();
    }
  } finally {
    disconnect();
    input.signal.removeEventListener("abort", abort);
  }
  if (input.signal.aborted && end?.kind !== "done") return { kind: "aborted" };
  if (end?.kind === "failed") return { ...end, fault: session.fault(), stderr: session.stderr() };
  return end ?? { kind: "failed", result: undefined, fault: session.fault(), stderr: session.stderr() };
}
