// Reading the harness's messages field by field: nothing here trusts their shape, so nothing here can throw.

import { isRecord } from "../core/json.ts";

/** A message as it arrives; the SDK's union is wider than what any one version sends. */
export type HarnessMessage = Readonly<Record<string, unknown>>;

/** A block of an assistant or user message. */
export type Block = Readonly<Record<string, unknown>>;

/** The value as text, or the fallback. */
export function asText(value: unknown, fallback = ""): string {
  return typeof value === "string" ? value : fallback;
}

/** The value as a finite number, or zero. */
export function asNumber(value: unknown): number {
  return typeof value === "number" && Number.isFinite(value) ? value : 0;
}

/** The API message inside an assistant or user message. */
export function innerMessage(message: HarnessMessage): Block {
  return isRecord(message.message) ? message.message : {};
}

/** The content of a message as blocks; a plain string counts as one text block. */
export function blocksOf(content: unknown): readonly Block[] {
  if (typeof content === "string") return content === "" ? [] : [{ type: "text", text: content }];
  return Array.isArray(content) ? content.filter(isRecord) : [];
}

/** Text of a tool result's content: a string, or its text blocks. */
export function contentText(content: unknown): string {
  return blocksOf(content)
    .map((block) => asText(block.text))
    .filter((text) => text !== "")
    .join("\n");
}

/**
 * Context of a turn: input + cache-read + cache-creation tokens.
 * Almost all input of a long session is in the cache fields, so `input_tokens` alone would read near zero.
 */
export function contextTokens(usage: unknown): number {
  if (!isRecord(usage)) return 0;
  return (
    asNumber(usage.input_tokens) +
    asNumber(usage.cache_read_input_tokens) +
    asNumber(usage.cache_creation_input_tokens)
  );
}

/** True for an assistant message the harness made up to report a failed API call. */
export function isSynthetic(message: HarnessMessage): boolean {
  return innerMessage(message).model === "<synthetic>" || message.isApiErrorMessage === true;
}

/** True when the message belongs to a subagent. */
export function isSubagent(message: HarnessMessage): boolean {
  return asText(message.parent_tool_use_id) !== "" || asText(message.agent_id) !== "";
}
