// What a speaker says: content blocks and the turn they make, as a test writes them. `planned-message.ts` makes
// them what the wire carries.

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
  readonly inputTokens?: number;
  /** Tokens written. */
  readonly outputTokens?: number;
  /** Tokens read from the cache. */
  readonly cacheReadTokens?: number;
  /** Tokens written to the cache. */
  readonly cacheWriteTokens?: number;
}

/** Why the model stopped, as the API names it. */
export type StopReason = "end_turn" | "tool_use" | "max_tokens" | "stop_sequence" | "refusal" | "pause_turn";

/** How a turn is answered besides its blocks. */
export interface TurnOptions {
  /** Tokens the answer claims. */
  readonly usage?: TurnUsage;
  /** Why it ends. @defaultValue `tool_use` with a tool call among the blocks, else `end_turn` */
  readonly stopReason?: StopReason;
  /** Milliseconds before the first byte. @defaultValue 0 */
  readonly delayMs?: number;
  /** Model named in the answer. @defaultValue the one that was asked for */
  readonly model?: string;
}

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
export function thinking(words: string, options: { readonly signature?: string } = {}): ThinkingBlock {
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
  options: { readonly id?: string } = {},
): ToolUseBlock {
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
