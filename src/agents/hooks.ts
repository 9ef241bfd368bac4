// Hook shapes as users write them: structurally those of the harness SDK, without importing it.

/** What a hook callback receives; the fields every event has, plus the event's own. */
export interface HookInput {
  /** The moment, e.g. `PreToolUse`. */
  readonly hook_event_name: string;
  /** The session it happens in. */
  readonly session_id?: string;
  /** Folder of the process. */
  readonly cwd?: string;
  /** Absent on the main thread: the one test for "main thread". */
  readonly agent_id?: string;
  /** Role name of the worker, when one calls. */
  readonly agent_type?: string;
  /** Name of the tool, for hooks on tools. */
  readonly tool_name?: string;
  /** What it is called with. */
  readonly tool_input?: unknown;
  /** Id of the call. */
  readonly tool_use_id?: string;
  /** What it answered, after the call. */
  readonly tool_response?: unknown;
  readonly [key: string]: unknown;
}

/** What a hook callback answers. */
export type HookOutput = { readonly [key: string]: unknown };

/** A hook callback. If it throws or answers with something malformed, flower denies the call. */
export type HookCallback = (
  input: HookInput,
  toolUseId: string | undefined,
  options: { readonly signal: AbortSignal },
) => Promise<HookOutput>;

/** Callbacks for the tools whose names match. */
export interface HookMatcher {
  /** Tool names as a pattern, e.g. `Write|Edit`; absent matches all. */
  readonly matcher?: string;
  /** What is called, in order. */
  readonly hooks: readonly HookCallback[];
  /** Seconds. */
  readonly timeout?: number;
}

/** Matchers by event name. */
export type Hooks = { readonly [event: string]: readonly HookMatcher[] };
