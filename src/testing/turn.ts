// What a speaker says: content blocks and the turn they make, as a test writes them. `planned-message.ts` makes
// them what the wire carries.

import { rejectUnknownKeys } from "../core/options.ts";

/** Prose. */
export interface TextBlock {
  readonly kind: "text";
  /** The words. */
  readonly text: string;
}

/** Reasoning; it leaves with a signature that the server recognises when it comes back. */
export interface ThinkingBlock {
  readonly kind: "thinking";
  /** The words. */
  readonly thinking: string;
  /** Undefined: a good one. Any other is refused when it comes back, like a thought of another model. */
  readonly signature: string | undefined;
}

/** A tool call. */
export interface ToolUseBlock {
  readonly kind: "tool_use";
  /** Name of the tool. */
  readonly name: string;
  /** What it is called with. */
  readonly input: Readonly<Record<string, unknown>>;
  /** Undefined: the server counts one up that the history does not hold yet. */
  readonly id: string | undefined;
}

/** One content block. */
export type Block = TextBlock | ThinkingBlock | ToolUseBlock;

/** Tokens of one answer. What is left out keeps the server's default. */
export interface TurnUsage {
  /** Tokens sent and not cached. */
  readonly inputTokens?: number | undefined;
  /** Tokens written. */
  readonly outputTokens?: number | undefined;
  /** Tokens read from the cache. */
  readonly cacheReadTokens?: number | undefined;
  /** Tokens written to the cache. */
  readonly cacheWriteTokens?: number | undefined;
}

/** The same with nothing left out. */
export type CompleteUsage = { readonly [K in keyof TurnUsage]-?: Exclude<TurnUsage[K], undefined> };

const USAGE_KEYS = [
  "inputTokens",
  "outputTokens",
  "cacheReadTokens",
  "cacheWriteTokens",
] as const satisfies readonly (keyof TurnUsage)[];

/** Refuse figures nothing reads. @throws OptionError `unknown_option`. */
export function checkUsage(usage: TurnUsage, owner: string): void {
  rejectUnknownKeys(usage, USAGE_KEYS, owner);
}

/** Why the model stopped, as the API names it. */
export type StopReason = "end_turn" | "tool_use" | "max_tokens" | "stop_sequence" | "refusal" | "pause_turn";

/** How a turn is answered besides its blocks. */
export interface TurnOptions {
  /** Tokens the answer claims. */
  readonly usage?: TurnUsage | undefined;
  /** Why it ends. @defaultValue `tool_use` with a tool call among the blocks, else `end_turn` */
  readonly stopReason?: StopReason | undefined;
  /** Milliseconds before the first byte. @defaultValue 0 */
  readonly delayMs?: number | undefined;
  /** Model named in the answer. @defaultValue the one that was asked for */
  readonly model?: string | undefined;
}

const TURN_KEYS = [
  "usage",
  "stopReason",
  "delayMs",
  "model",
] as const satisfies readonly (keyof TurnOptions)[];

/** One answer of a speaker. */
export interface Turn extends TurnOptions {
  readonly kind: "turn";
  /** What is said. */
  readonly blocks: readonly Block[];
}

/**
 * A turn with figures of its own; without options a block or an array of blocks says the same.
 * @param blocks - one or several
 */
export function turn(blocks: Block | readonly Block[], options: TurnOptions = {}): Turn {
  rejectUnknownKeys(options, TURN_KEYS, "turn");
  if (options.usage !== undefined) checkUsage(options.usage, "turn usage");
  return { kind: "turn", blocks: isBlockList(blocks) ? blocks : [blocks], ...options };
}

function isBlockList(blocks: Block | readonly Block[]): blocks is readonly Block[] {
  return Array.isArray(blocks);
}

/**
 * Prose.
 * @param words - what is said
 */
export function text(words: string): TextBlock {
  return { kind: "text", text: words };
}

/**
 * Reasoning, signed; badly so when a `signature` is given.
 * @param words - what is thought
 * @param options - `signature`: in place of the valid one
 */
export function thinking(
  words: string,
  options: { readonly signature?: string | undefined } = {},
): ThinkingBlock {
  rejectUnknownKeys(options, ["signature"], "thinking");
  return { kind: "thinking", thinking: words, signature: options.signature };
}

/**
 * A call of any tool.
 * @param name - name of the tool
 * @param input - what it is called with
 * @param options - `id`: in place of a fresh one
 */
export function toolUse(
  name: string,
  input: Readonly<Record<string, unknown>>,
  options: { readonly id?: string | undefined } = {},
): ToolUseBlock {
  rejectUnknownKeys(options, ["id"], "toolUse");
  return { kind: "tool_use", name, input, id: options.id };
}

/** The tool by which a main thread sends a worker. */
export const DISPATCH_TOOL = "Agent";

/**
 * The coordinator sends a named worker; `input` adds or replaces fields of the call (`isolation`, `model`).
 * @param worker - its role name
 * @param prompt - the task brief
 * @param input - further fields of the call
 */
export function dispatch(
  worker: string,
  prompt: string,
  input: Readonly<Record<string, unknown>> = {},
): ToolUseBlock {
  return toolUse(DISPATCH_TOOL, { description: `${worker} task`, prompt, subagent_type: worker, ...input });
}

/**
 * A question to the person, through flower's human channel.
 * @param question - the words
 * @param options - choices offered
 */
export function ask(question: string, options?: readonly string[]): ToolUseBlock {
  return toolUse("mcp__human__ask", { question, ...(options === undefined ? {} : { options }) });
}
