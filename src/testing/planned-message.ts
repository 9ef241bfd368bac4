// A turn as it goes over the wire: ids, figures and the events of a stream. Pure; `answer-writer.ts` sends it.

import { givenOptions } from "../core/options.ts";
import { thinkingSignature } from "./thinking-signature.ts";
import type { Block, CompleteUsage, Turn } from "./turn.ts";

/** A turn with everything the wire needs decided. */
export interface PlannedMessage {
  readonly id: string;
  readonly model: string;
  readonly content: readonly Readonly<Record<string, unknown>>[];
  readonly stopReason: string;
  readonly usage: CompleteUsage;
}

/** One server-sent event. */
export interface StreamEvent {
  readonly event: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** What a turn needs from its surroundings. */
export interface PlanContext {
  readonly messageId: string;
  /** Model the request named. */
  readonly model: string;
  /** An id for a tool call that has none of its own. */
  readonly nextToolId: () => string;
  readonly usage: CompleteUsage;
}

function contentOf(block: Block, nextToolId: () => string): Readonly<Record<string, unknown>> {
  switch (block.kind) {
    case "text":
      return { type: "text", text: block.text };
    case "thinking":
      return {
        type: "thinking",
        thinking: block.thinking,
        signature: block.signature ?? thinkingSignature(block.thinking),
      };
    case "tool_use":
      return { type: "tool_use", id: block.id ?? nextToolId(), name: block.name, input: block.input };
  }
}

/** Decide ids, model, figures and stop reason of a turn. */
export function planMessage(turn: Turn, context: PlanContext): PlannedMessage {
  const calls = turn.blocks.some((block) => block.kind === "tool_use");
  return {
    id: context.messageId,
    model: turn.model ?? context.model,
    content: turn.blocks.map((block) => contentOf(block, context.nextToolId)),
    stopReason: turn.stopReason ?? (calls ? "tool_use" : "end_turn"),
    usage: { ...context.usage, ...givenOptions(turn.usage ?? {}) },
  };
}

function wireUsage(usage: CompleteUsage, outputTokens: number): Readonly<Record<string, unknown>> {
  return {
    input_tokens: usage.inputTokens,
    cache_creation_input_tokens: usage.cacheWriteTokens,
    cache_read_input_tokens: usage.cacheReadTokens,
    output_tokens: outputTokens,
    service_tier: "standard",
  };
}

/** The message as one JSON answer. */
export function messageBody(message: PlannedMessage): Readonly<Record<string, unknown>> {
  return {
    id: message.id,
    type: "message",
    role: "assistant",
    model: message.model,
    content: message.content,
    stop_reason: message.stopReason,
    stop_sequence: null,
    usage: wireUsage(message.usage, message.usage.outputTokens),
  };
}

/** Text in at most eight pieces that never split a character: enough for a reader to see it arrive. */
function pieces(text: string): readonly string[] {
  const points = [...text];
  const size = Math.max(40, Math.ceil(points.length / 8));
  const found: string[] = [];
  for (let i = 0; i < points.length; i += size) found.push(points.slice(i, i + size).join(""));
  return found;
}

interface StreamedBlock {
  readonly start: Readonly<Record<string, unknown>>;
  readonly deltas: readonly Readonly<Record<string, unknown>>[];
}

function streamedBlock(block: Readonly<Record<string, unknown>>): StreamedBlock {
  if (block.type === "text") {
    const deltas = pieces(String(block.text)).map((text) => ({ type: "text_delta", text }));
    return { start: { ...block, text: "" }, deltas };
  }
  if (block.type === "thinking") {
    const thoughts = pieces(String(block.thinking)).map((thinking) => ({ type: "thinking_delta", thinking }));
    const deltas = [...thoughts, { type: "signature_delta", signature: block.signature }];
    return { start: { ...block, thinking: "", signature: "" }, deltas };
  }
  const deltas = pieces(JSON.stringify(block.input)).map((part) => ({
    type: "input_json_delta",
    partial_json: part,
  }));
  return { start: { ...block, input: {} }, deltas };
}

function event(name: string, data: Readonly<Record<string, unknown>>): StreamEvent {
  return { event: name, data: { type: name, ...data } };
}

function blockEvents(block: Readonly<Record<string, unknown>>, index: number): readonly StreamEvent[] {
  const { start, deltas } = streamedBlock(block);
  return [
    event("content_block_start", { index, content_block: start }),
    ...deltas.map((delta) => event("content_block_delta", { index, delta })),
    event("content_block_stop", { index }),
  ];
}

/** The message as the events of a stream, in the API's order. */
export function messageEvents(message: PlannedMessage): readonly StreamEvent[] {
  const opening = {
    ...messageBody(message),
    content: [],
    stop_reason: null,
    usage: wireUsage(message.usage, Math.min(1, message.usage.outputTokens)),
  };
  return [
    event("message_start", { message: opening }),
    event("ping", {}),
    ...message.content.flatMap(blockEvents),
    event("message_delta", {
      delta: { stop_reason: message.stopReason, stop_sequence: null },
      usage: { output_tokens: message.usage.outputTokens },
    }),
    event("message_stop", {}),
  ];
}

/** An error in the API's shape. */
export function errorBody(
  type: string,
  message: string,
  requestId: string,
): Readonly<Record<string, unknown>> {
  return { type: "error", error: { type, message }, request_id: requestId };
}
