// In-process tools as plain data: rooms that offer tools to a model describe them here, `harness/` compiles them.

/** One parameter of an in-process tool. */
export interface ToolParameter {
  /** What it may hold. */
  readonly kind: "string" | "string_list";
  /** What the model reads of it. */
  readonly description: string;
  /** Whether the model may leave it out. */
  readonly optional: boolean;
}

/** A tool that runs inside flower's own process. */
export interface InProcessTool {
  /** What it is called with. */
  readonly name: string;
  /** What the model reads of it. */
  readonly description: string;
  /** What it takes, by name. */
  readonly parameters: Readonly<Record<string, ToolParameter>>;
  /** Answers the model with text. Must not throw: what went wrong is said in the answer. */
  readonly run: (
    input: Readonly<Record<string, unknown>>,
    context: { readonly signal: AbortSignal },
  ) => Promise<string>;
}

/** A set of in-process tools; a model sees a tool as `mcp__<server>__<tool>`, `<server>` being its key in `mcpServers`. */
export interface InProcessServer {
  /** Tells it from a configuration meant for the harness. */
  readonly kind: "in_process";
  /** What it calls itself to the harness; use its key in `mcpServers`. */
  readonly name: string;
  /** The tools it offers. */
  readonly tools: readonly InProcessTool[];
  /** Hard limit of one call in seconds; undefined means no limit of flower's own. */
  readonly timeoutS?: number;
}

/** Tells flower's own server description from a configuration meant for the harness. */
export function isInProcessServer(value: unknown): value is InProcessServer {
  return typeof value === "object" && value !== null && (value as { kind?: unknown }).kind === "in_process";
}
