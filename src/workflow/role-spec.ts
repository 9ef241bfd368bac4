// The two roles that steps make for themselves, from the options a caller may give or leave.

import type { AgentSpec } from "../agents/agent-spec.ts";
import type { Effort } from "../agents/worker-definition.ts";

/** Options that go on to the role when a step makes its own. */
export interface RoleOptions {
  /** Use this agent instead of making one. */
  readonly spec?: AgentSpec | undefined;
  /** Appended to the role's rules. @defaultValue none */
  readonly instructions?: string | undefined;
  /** Model id or alias. Left out: the harness's own choice. */
  readonly model?: string | undefined;
  /** Reasoning effort. Left out: the model's own. */
  readonly effort?: Effort | undefined;
  /** Turns one process may take. Left out: no limit. */
  readonly maxTurns?: number | undefined;
  /** US dollars one step may cost. Left out: no limit. */
  readonly maxBudgetUsd?: number | undefined;
}

/** Names of {@link RoleOptions}, for checking unknown keys. */
export const ROLE_KEYS = ["spec", "instructions", "model", "effort", "maxTurns", "maxBudgetUsd"] as const;

/** The role's own part of a step's options. */
export function roleOptions(options: RoleOptions): Omit<RoleOptions, "spec"> {
  const { instructions, model, effort, maxTurns, maxBudgetUsd } = options;
  return {
    ...(instructions === undefined ? {} : { instructions }),
    ...(model === undefined ? {} : { model }),
    ...(effort === undefined ? {} : { effort }),
    ...(maxTurns === undefined ? {} : { maxTurns }),
    ...(maxBudgetUsd === undefined ? {} : { maxBudgetUsd }),
  };
}
