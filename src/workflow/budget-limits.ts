// What a whole run may use: the limits as given, and how far along each is. Pure.

import { OptionError } from "../core/errors.ts";
import type { RunLimit } from "../runtime/run-brake.ts";

/** Limits of a whole run: its steps, workers, verdicts and retries. A wake is a run of its own. */
export interface BudgetOptions {
  /** US dollars. @defaultValue no limit */
  readonly budgetUsd?: number | undefined;
  /** Tokens of all models: input, output, cache reads and cache writes. @defaultValue no limit */
  readonly budgetTokens?: number | undefined;
  /** Seconds from the start of the run, waits included. @defaultValue no limit */
  readonly deadlineS?: number | undefined;
}

/** Names of the options of {@link BudgetOptions}. */
export const BUDGET_KEYS = [
  "budgetUsd",
  "budgetTokens",
  "deadlineS",
] as const satisfies readonly (keyof BudgetOptions)[];

/** An amount of each limit; Infinity where there is none. */
export type Amounts = Readonly<Record<RunLimit, number>>;

/** Every limit there is, in the order in which they are named to a person. */
export const RUN_LIMITS: readonly RunLimit[] = ["usd", "tokens", "deadline"];

function amount(value: number | undefined, key: string, owner: string): number {
  if (value === undefined) return Number.POSITIVE_INFINITY;
  if (typeof value === "number" && value > 0) return value;
  throw new OptionError(`${owner}: ${key} must be a number above zero, not ${String(value)}`, {
    code: "bad_option",
    hint: `leave ${key} out for no limit`,
  });
}

/**
 * Check the limits.
 * @throws OptionError `bad_option` for one that is no number above zero.
 */
export function resolveLimits(options: BudgetOptions, owner: string): Amounts {
  return {
    usd: amount(options.budgetUsd, "budgetUsd", owner),
    tokens: amount(options.budgetTokens, "budgetTokens", owner),
    deadline: amount(options.deadlineS, "deadlineS", owner),
  };
}

/** The first limit that is reached. A millionth of a dollar less is reached too: sums of cents are never exact. */
export function limitReached(limits: Amounts, used: Amounts): RunLimit | undefined {
  return RUN_LIMITS.find((limit) => used[limit] + (limit === "usd" ? 1e-6 : 0) >= limits[limit]);
}
