// A `result` message of the harness as a value: the structured fields first, the text last.

import { isRecord } from "../core/json.ts";
import { asNumber, asText, type HarnessMessage } from "./message.ts";

/** Token counts of a stretch of work, workers included. */
export interface Usage {
  /** Tokens sent and not cached. */
  readonly input: number;
  /** Tokens the model wrote. */
  readonly output: number;
  /** Tokens read from the cache. */
  readonly cacheRead: number;
  /** Tokens written to the cache. */
  readonly cacheCreation: number;
}

/** No tokens at all. */
export const NO_USAGE: Usage = { input: 0, output: 0, cacheRead: 0, cacheCreation: 0 };

/** What one `result` message said. */
export interface TurnResult {
  /** The session it ended in; empty when none was announced. */
  readonly sessionId: string;
  /** Whether the harness calls it an error. */
  readonly isError: boolean;
  /** The harness's name for how it ended, e.g. `success` or `error_max_turns`. */
  readonly subtype: string;
  /** Why the harness ended it, in its own words; undefined when it does not say. */
  readonly terminalReason: string;
  /** HTTP status of a failed API call; undefined when there was none. */
  readonly apiStatus: number | undefined;
  /** Type of the API's error, e.g. `overloaded_error`; undefined when there was none. */
  readonly apiErrorType: string;
  /** The harness's own name for the fault, e.g. `connection_failed`. */
  readonly apiError: string;
  /** The last text, or the error lines joined. */
  readonly text: string;
  /** Cumulative for the session, restored on resume and on fork: charge differences. */
  readonly totalCostUsd: number;
  /** Cost since the result before, as the harness counts it. */
  readonly incrementUsd: number;
  /** Turns since the result before. */
  readonly numTurns: number;
  /** Tool calls that were refused since the result before. */
  readonly denials: number;
  /** Tokens since the result before, all models, workers included. */
  readonly usage: Usage;
  /** True context window of the main thread's model; 0 when unknown. */
  readonly contextWindow: number;
  /** Ids of the prompts this turn answered; empty on versions that do not say. */
  readonly answered: readonly string[];
  /** True when the harness began the turn itself, to report on a task: it answers no prompt. */
  readonly ofTask: boolean;
}

function sumUsage(models: unknown): Usage {
  let total = NO_USAGE;
  if (!isRecord(models)) return total;
  for (const model of Object.values(models).filter(isRecord)) {
    total = {
      input: total.input + asNumber(model.inputTokens),
      output: total.output + asNumber(model.outputTokens),
      cacheRead: total.cacheRead + asNumber(model.cacheReadInputTokens),
      cacheCreation: total.cacheCreation + asNumber(model.cacheCreationInputTokens),
    };
  }
  return total;
}

function sumCost(models: unknown): number {
  if (!isRecord(models)) return 0;
  return Object.values(models)
    .filter(isRecord)
    .reduce((total, model) => total + asNumber(model.costUSD), 0);
}

/** The window of that model, else the largest: workers of another model have windows of their own. */
function windowOf(models: unknown, model: string): number {
  if (!isRecord(models)) return 0;
  const own = Object.hasOwn(models, model) ? models[model] : undefined;
  const asked = isRecord(own) ? [own] : Object.values(models).filter(isRecord);
  return Math.max(0, ...asked.map((each) => asNumber(each.contextWindow)));
}

function answeredIds(message: HarnessMessage): readonly string[] {
  const many = Array.isArray(message.user_message_uuids) ? message.user_message_uuids : [];
  const ids = many.filter((id): id is string => typeof id === "string");
  const one = asText(message.user_message_uuid);
  return one === "" || ids.includes(one) ? ids : [...ids, one];
}

function resultText(message: HarnessMessage): string {
  const text = asText(message.result);
  if (text !== "") return text;
  const errors = Array.isArray(message.errors) ? message.errors : [];
  return errors.filter((line) => typeof line === "string").join("\n");
}

/**
 * Read a `result` message; fields it lacks come out empty. `mainModel` is the main thread's, as `system/init` named it:
 * the books of a result have it under the same name, `[1m]` included (measured).
 */
export function readTurnResult(message: HarnessMessage, mainModel = ""): TurnResult {
  const status = message.api_error_status;
  return {
    sessionId: asText(message.session_id),
    isError: message.is_error === true,
    subtype: asText(message.subtype),
    terminalReason: asText(message.terminal_reason),
    apiStatus: typeof status === "number" ? status : undefined,
    apiErrorType: asText(message.api_error_type),
    apiError: asText(message.api_error),
    text: resultText(message),
    totalCostUsd: asNumber(message.total_cost_usd),
    incrementUsd: sumCost(message.model_usage_since_last_result),
    numTurns: asNumber(message.num_turns),
    denials: Array.isArray(message.permission_denials) ? message.permission_denials.length : 0,
    usage: sumUsage(message.model_usage_since_last_result ?? message.modelUsage),
    contextWindow: windowOf(message.modelUsage, mainModel),
    answered: answeredIds(message),
    ofTask: isRecord(message.origin) && message.origin.kind === "task-notification",
  };
}
