// Why an attempt failed, in words a person can act on. Pure: structured fields first, text last.

import { type FailureWords, failureOf } from "../config/locale/words.ts";
import { errorText, FlowerError } from "../core/errors.ts";
import { oneLine } from "../core/text.ts";
import type { TurnResult } from "../harness/turn-result.ts";

export type { FailureWords } from "../config/locale/words.ts";

/** What is known of a failed attempt. */
export interface FailedAttempt {
  readonly result: TurnResult | undefined;
  readonly fault: unknown;
  readonly stderr: string;
  /** What the broker saw of the upstream last, e.g. `ECONNREFUSED 127.0.0.1:9`; undefined when it saw no fault. */
  readonly upstream: string | undefined;
}

function fromStatus(status: number, said: string): FailureWords | undefined {
  if (status === 401 || status === 403) return failureOf("credential_rejected", { status, said });
  if (status === 404 || (status === 400 && /model/i.test(said)))
    return failureOf("model_or_address", { status, said });
  if (status === 429) return failureOf("rate_limited", { said });
  return status >= 500 ? failureOf("api_failed", { status, said }) : undefined;
}

function fromReason(result: TurnResult, said: string): FailureWords | undefined {
  if (result.terminalReason === "budget_exhausted" || result.subtype === "error_max_budget_usd")
    return failureOf("step_budget");
  if (result.terminalReason === "max_turns" || result.subtype === "error_max_turns")
    return failureOf("step_turns");
  return result.terminalReason === "prompt_too_long" ? failureOf("prompt_too_long", { said }) : undefined;
}

/** The words of a result that is an error, in one line. */
export function whatWasSaid(result: TurnResult): string {
  return oneLine(result.text, 300) || result.subtype;
}

function fromResult(result: TurnResult, { upstream }: FailedAttempt): FailureWords {
  const said = whatWasSaid(result);
  const known = result.apiStatus === undefined ? undefined : fromStatus(result.apiStatus, said);
  const reason = known ?? fromReason(result, said);
  if (reason !== undefined) return reason;
  // The harness blames the gateway for a broken connection, and the gateway it knows is flower's own broker.
  return result.apiError === "connection_failed" && upstream !== undefined
    ? failureOf("api_unreachable", { upstream })
    : failureOf("harness_said", { said });
}

/** Put a failed attempt into words. */
export function explainFailure(attempt: FailedAttempt): FailureWords {
  const { result, fault } = attempt;
  if (result !== undefined) return fromResult(result, attempt);
  if (fault instanceof FlowerError) {
    const { message, hint, code, values } = fault;
    return { error: message, hint, failure: { code, values } };
  }
  const said = oneLine(attempt.stderr.trim().split("\n").at(-1) ?? "", 300);
  if (fault === undefined) return said === "" ? failureOf("no_result") : failureOf("no_result_but", { said });
  const what = errorText(fault);
  return failureOf("harness_died", { what: said === "" ? what : `${what}: ${said}` });
}
