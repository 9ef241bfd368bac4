// Hook shapes as users write them: structurally those of the harness SDK, without importing it.

/** What a hook callback receives; the fields every event has, plus the event's own. */
export interface HookInput {
  readonly hook_event_name: string;
  readonly session_id?: string;
  readonly cwd?: string;
  /** Absent on the main thread: the one test for "main thread". */
  readonly agent_id?: string;
  readonly agent_type?: string;
  readonly tool_name?: string;
  readonly tool_input?: unknown;
  readonly tool_use_id?: string;
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
  readonly hooks: readonly HookCallback[];
  /** Seconds. */
  readonly timeout?: number;
}

/** Matchers by event name. */
export type Hooks = { readonly [event: string]: readonly HookMatcher[] };
