// WorkerDefinition: a subagent as declared. Compiled for the harness in `harness/`, where `isolate` is taken out.

/** Reasoning efforts by name, least first. */
export const EFFORTS = ["low", "medium", "high", "xhigh", "max"] as const;

/**
 * Reasoning effort, as the harness takes it.
 * @useDeclaredType
 */
export type Effort = (typeof EFFORTS)[number];

/** Permission modes the harness knows. */
export const PERMISSION_MODES = [
  "default",
  "acceptEdits",
  "plan",
  "bypassPermissions",
  "dontAsk",
  "auto",
] as const;

/**
 * How the harness treats a tool call nobody granted.
 * @useDeclaredType
 */
export type PermissionMode = (typeof PERMISSION_MODES)[number];

/** A subagent as declared; plain data that survives copying, the isolation mark included. */
export interface WorkerDefinition {
  /** When to use this worker; the coordinator reads it. */
  readonly description: string;
  /** System prompt, rules included. */
  readonly prompt: string;
  /** Tools it has; left out, every tool of the session. */
  readonly tools: readonly string[];
  /** Model name, or `inherit` for what `CLAUDE_CODE_SUBAGENT_MODEL` names, else the coordinator's. */
  readonly model: string;
  /** Reasoning effort. */
  readonly effort?: Effort | number | undefined;
  /** Turns one dispatch may take. */
  readonly maxTurns?: number | undefined;
  /** What becomes of a tool call nobody granted. */
  readonly permissionMode?: PermissionMode | undefined;
  /** Names of skills it begins with. */
  readonly skills?: readonly string[] | undefined;
  /** True: every dispatch gets a git worktree of its own. */
  readonly isolate: boolean;
}
