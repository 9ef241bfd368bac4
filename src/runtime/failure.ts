// Why an attempt failed, in words a person can act on. Pure: structured fields first, text last.

import { errorText, FlowerError } from "../core/errors.ts";
import { oneLine } from "../core/text.ts";
import type { TurnResult } from "../harness/turn-result.ts";

/** A failure as a person reads it. */
export interface FailureWords {
  readonly error: string;
  /** What to do next; empty when there is nothing better than trying again. */
  readonly hint: string;
}

/** What is known of a failed attempt. */
export interface FailureFacts {
  readonly result: TurnResult | undefined;
  readonly fault: unknown;
  readonly stderr: string;
  /** What the broker saw of the upstream last, e.g. `ECONNREFUSED 127.0.0.1:9`; undefined when it saw no fault. */
  readonly upstream: string | undefined;
}

const AGAIN = "run flower again here: it goes on where it left off";

function fromStatus(status: number, said: string): FailureWords | undefined {
  if (status === 401 || status === 403) {
    return {
      error: `the credential was rejected (HTTP ${status}): ${said}`,
      hint: "run `flower setup` to enter it again, or check the variable or .env file it comes from",
    };
  }
  if (status === 404 || (status === 400 && /model/i.test(said))) {
    return {
      error: `the model or the address is wrong (HTTP ${status}): ${said}`,
      hint: "check ANTHROPIC_MODEL, --model and ANTHROPIC_BASE_URL, or run `flower setup`",
    };
  }
  if (status === 429)
    return { error: `rate or usage limit (HTTP 429): ${said}`, hint: `wait, then ${AGAIN}` };
  if (status >= 500) return { error: `the API failed (HTTP ${status}): ${said}`, hint: AGAIN };
  return undefined;
}

function fromReason(result: TurnResult, said: string): FailureWords | undefined {
  if (result.terminalReason === "budget_exhausted" || result.subtype === "error_max_budget_usd") {
    return { error: "the budget of this step is used up", hint: "raise its maxBudgetUsd (`once`: -b)" };
  }
  if (result.terminalReason === "max_turns" || result.subtype === "error_max_turns") {
    return { error: "the step used up its turns", hint: "raise its maxTurns" };
  }
  if (result.terminalReason === "prompt_too_long") {
    return { error: `the context is full: ${said}`, hint: "start over with --new, or split the task" };
  }
  return undefined;
}

function fromResult(result: TurnResult, facts: FailureFacts): FailureWords {
  const said = oneLine(result.text, 300) || result.subtype;
  const known = result.apiStatus === undefined ? undefined : fromStatus(result.apiStatus, said);
  const reason = known ?? fromReason(result, said);
  if (reason !== undefined) return reason;
  // The harness blames the gateway for a broken connection, and the gateway it knows is flower's own broker.
  if (result.apiError === "connection_failed" && facts.upstream !== undefined) {
    return {
      error: `the API cannot be reached: ${facts.upstream}`,
      hint: `check the network, then ${AGAIN}`,
    };
  }
  return { error: said, hint: AGAIN };
}

/** Put a failed attempt into words. */
export function explainFailure(facts: FailureFacts): FailureWords {
  if (facts.result !== undefined) return fromResult(facts.result, facts);
  if (facts.fault instanceof FlowerError) return { error: facts.fault.message, hint: facts.fault.hint };
  const fault = facts.fault === undefined ? "the harness ended without a result" : errorText(facts.fault);
  const stderr = oneLine(facts.stderr.trim().split("\n").at(-1) ?? "", 300);
  return { error: stderr === "" ? fault : `${fault}: ${stderr}`, hint: AGAIN };
}
