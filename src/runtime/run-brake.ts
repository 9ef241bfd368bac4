// What bounds a whole run, as a step meets it. Who counts and who is asked is the workflow's matter.

import type { HarnessOptions } from "../harness/build-options.ts";
import type { FailureWords } from "./failure.ts";

/** Which limit of a run is reached. */
export type RunLimit = "usd" | "tokens" | "deadline";

/** A brake over every step of a run. No method but `pause` waits, and none throws. */
export interface RunBrake {
  /** US dollars the next process may cost; Infinity without a budget. */
  readonly leftUsd: () => number;
  /** A result came in that cost so much. */
  readonly spend: (usd: number) => void;
  /** So many more tokens were used; negative when an estimate was too high. */
  readonly countTokens: (tokens: number) => void;
  /** The limit that is reached; undefined while there is room. */
  readonly reached: () => RunLimit | undefined;
  /** Aborts at the deadline; another one once the deadline was moved. */
  readonly deadline: () => AbortSignal;
  /**
   * A limit stopped the run: ask what now.
   * @returns undefined to go on, else why the step ends.
   */
  readonly pause: (signal: AbortSignal) => Promise<FailureWords | undefined>;
}

const NEVER = new AbortController().signal;

/** No limit at all. */
export const NO_BRAKE: RunBrake = {
  leftUsd: () => Number.POSITIVE_INFINITY,
  spend: () => {},
  countTokens: () => {},
  reached: () => undefined,
  deadline: () => NEVER,
  pause: async () => undefined,
};

/** The same brake for a turn that must come to its end: it counts, and stops nothing. */
export function countingOnly(brake: RunBrake): RunBrake {
  return { ...NO_BRAKE, spend: brake.spend, countTokens: brake.countTokens };
}

/** Options of a process that must not cost more than what is left of the run's budget. */
export interface BoundOptions {
  readonly options: HarnessOptions;
  /** True when the run's limit is the lower one: then reaching it is a pause, not a failure of the step. */
  readonly byRun: boolean;
}

/**
 * Put what is left of the run's budget into the options of one process. The harness compares it with what that
 * process itself costs, not with the restored total of a resumed session (measured), so nothing is added to it.
 */
export function boundOptions(options: HarnessOptions, leftUsd: number): BoundOptions {
  const own = options.maxBudgetUsd ?? Number.POSITIVE_INFINITY;
  if (leftUsd > own || leftUsd === Number.POSITIVE_INFINITY) return { options, byRun: false };
  return { options: { ...options, maxBudgetUsd: leftUsd }, byRun: true };
}
