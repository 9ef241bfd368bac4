// Guards as one: each sees the input the one before left, and what goes wrong inside never lets a call through.

import { errorText } from "../core/errors.ts";
import { isRecord } from "../core/json.ts";
import { concerns, deny, PASS } from "./call.ts";
import type { Decision, OutcomeDecision, PostGuard, PreGuard, ToolCall, ToolOutcome } from "./decision.ts";

function internalError(guard: string, what: string): Decision {
  return deny(
    `Internal error of the guard "${guard}" (${what}). The call was not run. This is a fault of the set-up, not of the call: report it, do not try other wordings.`,
  );
}

/** A decision as it must be, or a denial when a guard answered with something else. */
function checked(decision: unknown, guard: string): Decision {
  if (isRecord(decision)) {
    const { kind, reason, input } = decision;
    if (kind === "pass" || kind === "allow") return { kind };
    if (kind === "deny" && typeof reason === "string") return { kind, reason };
    if (kind === "rewrite" && isRecord(input)) return { kind, input };
  }
  return internalError(guard, "it gave no decision");
}

/** Text of anything thrown; some things cannot even be made into text. */
function faultText(error: unknown): string {
  try {
    return errorText(error);
  } catch {
    return "something that cannot be shown";
  }
}

function decideOne(guard: PreGuard, call: ToolCall): Decision {
  try {
    return checked(guard.decide(call), guard.name);
  } catch (error) {
    return internalError(guard.name, faultText(error));
  }
}

/**
 * One decision out of many guards, in order. The first denial ends it; otherwise a rewrite beats an allow beats
 * nothing, and a rewrite carries every change made on the way. Never throws.
 */
export function composePre(guards: readonly PreGuard[]): (call: ToolCall) => Decision {
  return (call) => {
    let current = call;
    let result: Decision = PASS;
    for (const guard of guards) {
      if (!concerns(guard.tools, call.tool)) continue;
      const decision = decideOne(guard, current);
      if (decision.kind === "deny") return decision;
      if (decision.kind === "rewrite") {
        current = { ...current, input: decision.input };
        result = decision;
      } else if (decision.kind === "allow" && result.kind === "pass") {
        result = decision;
      }
    }
    return result;
  };
}

/** Options of {@link composePost}. */
export interface ComposePostOptions {
  /** Told which guard failed and how; must not throw. */
  readonly onFault?: (guard: string, error: unknown) => void;
}

function reviewOne(guard: PostGuard, outcome: ToolOutcome): OutcomeDecision {
  const decision: unknown = guard.review(outcome);
  if (isRecord(decision)) {
    if (decision.kind === "keep") return { kind: "keep" };
    if (decision.kind === "replace" && decision.response !== undefined) {
      return { kind: "replace", response: decision.response };
    }
  }
  throw new TypeError("it gave no decision");
}

/** One review out of many guards, in order, each seeing the answer the one before left. A failing guard changes nothing. */
export function composePost(
  guards: readonly PostGuard[],
  options: ComposePostOptions = {},
): (outcome: ToolOutcome) => OutcomeDecision {
  return (outcome) => {
    let current = outcome;
    let result: OutcomeDecision = { kind: "keep" };
    for (const guard of guards) {
      if (!concerns(guard.tools, outcome.tool)) continue;
      try {
        const decision = reviewOne(guard, current);
        if (decision.kind === "keep") continue;
        current = { ...current, response: decision.response };
        result = decision;
      } catch (error) {
        options.onFault?.(guard.name, error);
      }
    }
    return result;
  };
}
