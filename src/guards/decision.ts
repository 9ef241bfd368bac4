// What a guard sees and what it can decide. Guards are pure: they look at one tool call and answer with data.

/** A tool call about to run. */
export interface ToolCall {
  /** Name of the tool, e.g. `Bash` or `mcp__<server>__<tool>`. */
  readonly tool: string;
  /** As the model wrote it; may be of any shape. */
  readonly input: unknown;
  /** Undefined on the main thread: the one test for "main thread". */
  readonly agentId: string | undefined;
  /** The worker's role name. */
  readonly agentType: string | undefined;
  /** Working directory of the caller: the worktree for an isolated worker. */
  readonly cwd: string;
  /** Id of the call. */
  readonly toolUseId: string | undefined;
}

/** What happens to a call. Deny beats rewrite beats allow; `pass` leaves it to the next guard, then to the harness. */
export type Decision =
  | { readonly kind: "pass" }
  | { readonly kind: "allow" }
  | { readonly kind: "deny"; readonly reason: string }
  | { readonly kind: "rewrite"; readonly input: Readonly<Record<string, unknown>> };

/** A guard before the call. It may throw: the caller turns that into a denial. */
export interface PreGuard {
  readonly name: string;
  /** Tools it looks at; undefined means all. `Agent` and its older name `Task` are matched alike. */
  readonly tools: readonly string[] | undefined;
  readonly decide: (call: ToolCall) => Decision;
}

/** A tool call that has run. */
export interface ToolOutcome extends ToolCall {
  /** The tool's answer, in the tool's own shape. */
  readonly response: unknown;
}

/** What happens to an answer. */
export type OutcomeDecision =
  | { readonly kind: "keep" }
  | { readonly kind: "replace"; readonly response: unknown };

/** A guard after the call. It must not throw; if it does, the answer stays as it is and the fault is reported. */
export interface PostGuard {
  readonly name: string;
  readonly tools: readonly string[] | undefined;
  readonly review: (outcome: ToolOutcome) => OutcomeDecision;
}
