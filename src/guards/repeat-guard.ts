// An agent that makes the same call again and again, and gets the same answer, is stuck: it is told so, and when that
// does not help the step is ended. Seen from both sides of a call, so a pair of guards that share what they know.

import { createHash } from "node:crypto";
import { isRecord } from "../core/json.ts";
import { deny, isDispatch, PASS } from "./call.ts";
import type { Decision, PostGuard, PreGuard, ToolCall, ToolOutcome } from "./decision.ts";

/** Same call, same answer, so many times in a row: the next one is refused. Twice may be a check; five is a loop. */
const MAX_REPEATS = 5;
/** Refusals of one call to one agent, after which words have proved useless. */
const MAX_REFUSALS = 3;

/** An agent that would not stop. */
export interface Runaway {
  /** The worker's role name; undefined on the main thread. */
  readonly agentType: string | undefined;
  readonly tool: string;
  readonly input: unknown;
  readonly repeats: number;
  readonly refusals: number;
}

/** The guards around a call, and the ear for what became of calls that never ran. */
export interface RepeatGuard {
  readonly pre: PreGuard;
  readonly post: PostGuard;
  /** A call was refused, by whichever guard: being refused the same way is the same answer. */
  readonly noteDenied: (call: ToolCall, reason: string) => void;
  /** A call ran and failed: the harness tells that apart from an answer. */
  readonly noteFailed: (call: ToolCall, error: string) => void;
}

/** Fields of an answer that differ each time although nothing else does. */
const VOLATILE = /duration|elapsed|timestamp|tokens|toolusecount|agentid|^usage$|ms$/i;

function fingerprintOf(value: unknown): string {
  const text = JSON.stringify(value, (_key, part: unknown) =>
    isRecord(part) ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1))) : part,
  );
  return createHash("sha256")
    .update(text ?? "")
    .digest("base64");
}

function answerOf(outcome: ToolOutcome): unknown {
  const { response } = outcome;
  if (!isRecord(response)) return response;
  // Of a worker's report only the words count; its figures are new each time.
  if (isDispatch(outcome.tool) && response.content !== undefined) return response.content;
  return Object.fromEntries(Object.entries(response).filter(([key]) => !VOLATILE.test(key)));
}

/** What one agent does over and over. */
interface Streak {
  readonly call: string;
  readonly answer: string;
  readonly length: number;
}

function refusalText(call: ToolCall): string {
  return (
    `You have done this ${MAX_REPEATS} times in a row: ${call.tool} with the same input, and the same result each ` +
    "time. It was not run again. Doing it once more will not change the result: do something else, or say in your " +
    "answer what blocks you. To wait for something, wait inside one command."
  );
}

class RepeatWatch implements RepeatGuard {
  readonly #onRunaway: (runaway: Runaway) => void;
  readonly #streaks = new Map<string, Streak>();
  /** Refusals by agent and call; they end when that call brings something new. */
  readonly #refusals = new Map<string, number>();
  /** Calls under way: what they looked like before any guard rewrote them. */
  readonly #open = new Map<string, { readonly agent: string; readonly call: string }>();

  constructor(onRunaway: (runaway: Runaway) => void) {
    this.#onRunaway = onRunaway;
  }

  readonly pre: PreGuard = { name: "repeat", tools: undefined, decide: (call) => this.#decide(call) };

  readonly post: PostGuard = {
    name: "repeat",
    tools: undefined,
    review: (outcome) => {
      this.#note(outcome, answerOf(outcome));
      return { kind: "keep" };
    },
  };

  noteDenied(call: ToolCall, reason: string): void {
    if (reason === refusalText(call)) return;
    this.#note(call, { denied: reason });
  }

  noteFailed(call: ToolCall, error: string): void {
    this.#note(call, { failed: error });
  }

  #decide(call: ToolCall): Decision {
    const agent = call.agentId ?? "";
    const signature = fingerprintOf([call.tool, call.input]);
    const streak = this.#streaks.get(agent);
    if (streak?.call !== signature || streak.length < MAX_REPEATS) {
      if (call.toolUseId !== undefined) this.#open.set(call.toolUseId, { agent, call: signature });
      return PASS;
    }
    this.#refuse(call, `${agent} ${signature}`);
    return deny(refusalText(call));
  }

  #refuse(call: ToolCall, key: string): void {
    const refusals = (this.#refusals.get(key) ?? 0) + 1;
    this.#refusals.set(key, refusals);
    if (refusals !== MAX_REFUSALS) return;
    const { agentType, tool, input } = call;
    const isWorker = call.agentId !== undefined && call.agentId !== "";
    const who = isWorker ? agentType : undefined;
    this.#onRunaway({ agentType: who, tool, input, repeats: MAX_REPEATS, refusals });
  }

  #note(call: ToolCall, what: unknown): void {
    const known = call.toolUseId === undefined ? undefined : this.#open.get(call.toolUseId);
    if (call.toolUseId !== undefined) this.#open.delete(call.toolUseId);
    const agent = known?.agent ?? call.agentId ?? "";
    const signature = known?.call ?? fingerprintOf([call.tool, call.input]);
    const answer = fingerprintOf(what);
    const last = this.#streaks.get(agent);
    const isSame = last?.call === signature && last.answer === answer;
    if (last?.call === signature && !isSame) this.#refusals.delete(`${agent} ${signature}`);
    this.#streaks.set(agent, { call: signature, answer, length: isSame ? last.length + 1 : 1 });
  }
}

/**
 * Refuses a call that one agent has made five times in a row with the same answer; after three such refusals of the
 * same call `onRunaway` is told, once. Each agent is watched apart, and a call in between starts the count anew.
 * `onRunaway` must not throw.
 */
export function createRepeatGuard(onRunaway: (runaway: Runaway) => void): RepeatGuard {
  return new RepeatWatch(onRunaway);
}
