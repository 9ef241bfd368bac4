// Counts the tokens of one process as its messages arrive. A message tells its output only in part; the result, which
// knows all models and workers, settles what was counted before it.

import { isRecord } from "../core/json.ts";
import {
  asNumber,
  asText,
  contextTokens,
  type HarnessMessage,
  innerMessage,
  isSynthetic,
} from "../harness/message.ts";
import { readTurnResult } from "../harness/turn-result.ts";

function tokensOf(usage: unknown): number {
  return isRecord(usage) ? contextTokens(usage) + asNumber(usage.output_tokens) : 0;
}

/** One process's meter. */
export class TokenMeter {
  /** Tokens of model messages that no result has settled, by message id: one message arrives as several, one a block. */
  readonly #unsettled = new Map<string, number>();

  /** @returns how many tokens this message adds to what was counted; negative when less were used than counted. */
  read(message: HarnessMessage): number {
    if (message.type === "result") return this.#settle(message);
    if (message.type !== "assistant" || isSynthetic(message)) return 0;
    const inner = innerMessage(message);
    const id = asText(inner.id);
    const before = this.#unsettled.get(id) ?? 0;
    const now = Math.max(before, tokensOf(inner.usage));
    this.#unsettled.set(id, now);
    return now - before;
  }

  #settle(message: HarnessMessage): number {
    const { input, output, cacheRead, cacheCreation } = readTurnResult(message).usage;
    const counted = [...this.#unsettled.values()].reduce((sum, tokens) => sum + tokens, 0);
    const used = input + output + cacheRead + cacheCreation;
    this.#unsettled.clear();
    // A result without figures settles nothing: what was seen was used.
    return used === 0 ? 0 : used - counted;
  }
}
