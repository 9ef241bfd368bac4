// Event: what a run tells its listeners. Plain data; everything but `raw` is JSON-safe.

import { oneLine } from "../core/text.ts";
import type { Words } from "../core/words.ts";

/** The fifteen kinds. A consumer ignores kinds it does not know. */
export const EVENT_KINDS = [
  "text",
  "thinking",
  "tool_call",
  "tool_result",
  "task",
  "system",
  "reset",
  "result",
  "error",
  "prompt",
  "unknown",
  "retry",
  "handoff",
  "step",
  "ask",
] as const;

/**
 * One of the fifteen kinds.
 * @useDeclaredType
 */
export type EventKind = (typeof EVENT_KINDS)[number];

/** Who said it; on every event that came from an assistant or user message. */
export interface Speaker {
  /** Name in the books of the step it belongs to: what tells steps that run at once apart. */
  readonly step?: string;
  /** True when a worker speaks. */
  readonly subagent?: boolean;
  /** Id of the dispatch that the worker answers. */
  readonly parent_tool_use_id?: string;
  /** The worker's role name. */
  readonly agent?: string;
  /** Input + cache-read + cache-creation tokens of the turn. */
  readonly context?: number;
}

/** Payload of an `ask` event: a question to a person, when it is put and again when it is settled. */
export interface QuestionPayload {
  /** Absent: tells it from mail. */
  readonly kind?: undefined;
  /** `asked` while it waits; all else is final. */
  readonly state: "asked" | "answered" | "timeout" | "declined" | "over_budget" | "invalid";
  /** What it is answered by. */
  readonly id: string;
  /** The question's words. */
  readonly question: string;
  /** Choices offered; empty for a free answer. */
  readonly options: readonly string[];
  /** Epoch seconds. */
  readonly asked_at: number;
  /** The person's words; empty while it waits. */
  readonly answer: string;
  /** Seconds from asking to settling; 0 while it waits. */
  readonly waited: number;
  /** True when nobody settled it: its step ended. */
  readonly withdrawn?: boolean;
  readonly [key: string]: unknown;
}

/** Payload of an `ask` event: words of a person that nobody asked for, or that came too late. */
export interface MailPayload {
  /** Tells it from a question. */
  readonly kind: "mail";
  /** `queued` until an agent reads its inbox. */
  readonly state: "queued" | "delivered";
  /** Unique in its channel. */
  readonly id: string;
  /** Epoch seconds. */
  readonly at: number;
  /** The question these words answer, when they came after it was settled. */
  readonly late_for?: string;
  readonly [key: string]: unknown;
}

/** Payload of each kind; every field beyond these is allowed and JSON-safe. */
export interface EventPayloads {
  /** Prose of the model. */
  readonly text: Speaker;
  /** What it thought aloud. */
  readonly thinking: Speaker;
  /** A tool is called. */
  readonly tool_call: Speaker & { readonly id: string; readonly input: unknown };
  /** What a tool answered. */
  readonly tool_result: Speaker & { readonly tool_use_id: string; readonly is_error: boolean };
  /** A notice of flower's own; `notice` says about what, and `words` is its text as data, for other languages. */
  readonly task: { readonly notice?: string; readonly words?: Words; readonly [key: string]: unknown };
  /** A message of the harness about itself. */
  readonly system: { readonly subtype?: string; readonly [key: string]: unknown };
  /** The harness compacted the conversation or began it anew. */
  readonly reset: { readonly [key: string]: unknown };
  /** A turn ended, with its cost. */
  readonly result: {
    readonly session_id: string;
    readonly cost_usd: number;
    readonly num_turns: number;
    readonly is_error: boolean;
    readonly [key: string]: unknown;
  };
  /** An error of the API or the harness: for people, never for the model. */
  readonly error: Speaker;
  /** What an agent is told. */
  readonly prompt: Speaker;
  /** A message of a kind flower does not know. */
  readonly unknown: { readonly [key: string]: unknown };
  /** A failure is waited out or tried again. */
  readonly retry: { readonly [key: string]: unknown };
  /** A full context is handed over. */
  readonly handoff: { readonly phase: "near" | "writing" | "done"; readonly [key: string]: unknown };
  /** A step of a workflow begins. */
  readonly step: {
    readonly index: number;
    readonly total: number;
    readonly resumed: boolean;
    readonly woke: number;
    /** The group whose steps run side by side. */
    readonly group?: string;
  };
  /** A question to a person, or mail from one, changed its state. */
  readonly ask: QuestionPayload | MailPayload;
}

/** An event of one kind. */
export interface EventOf<K extends EventKind> {
  /** Which of the fifteen it is. */
  readonly kind: K;
  /** What a person would read; empty when there is nothing to read. */
  readonly text: string;
  /** Tool name for tool_call and tool_result; else empty. */
  readonly tool: string;
  /** What else is known, by kind. */
  readonly payload: EventPayloads[K];
  /** The harness message it came from; not JSON-safe, not for storage. */
  readonly raw: unknown;
  /** One line: kind, tool and text. */
  toString(): string;
}

/**
 * What a run tells its listeners: a union tagged by `kind`.
 * @example
 * ```ts
 * import type { Event } from "flower-agent";
 *
 * function show(event: Event): void {
 *   if (event.kind === "tool_call") console.log(event.tool, event.payload.input);
 *   if (event.kind === "result") console.log(event.payload.cost_usd);
 * }
 * ```
 */
export type Event = { [K in EventKind]: EventOf<K> }[EventKind];

/** Receives events synchronously. If it throws, the error is collected and the run goes on. */
export type EventListener = (event: Event) => void;

function readable(this: Event): string {
  const tool = this.tool === "" ? "" : ` ${this.tool}`;
  return `[${this.kind}${tool}] ${oneLine(this.text)}`;
}

/** Make an event; the only place where one comes to be. */
export function createEvent<K extends EventKind>(
  kind: K,
  fields: { text?: string; tool?: string; payload: EventPayloads[K]; raw?: unknown },
): Event {
  const event = {
    kind,
    text: fields.text ?? "",
    tool: fields.tool ?? "",
    payload: fields.payload,
  };
  // Neither belongs in JSON: raw may hold anything, toString is behaviour.
  Object.defineProperty(event, "raw", { value: fields.raw, enumerable: false });
  Object.defineProperty(event, "toString", { value: readable, enumerable: false });
  return event as unknown as Event;
}

/** The same event, saying which step of the books it belongs to; one that says so already is kept. */
export function labelStep(event: Event, step: string): Event {
  const { kind, text, tool, raw } = event;
  if ("step" in event.payload) return event;
  const payload = { ...event.payload, step };
  return createEvent(kind, { text, tool, raw, payload });
}
