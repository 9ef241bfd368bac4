// What a step has been through so far: the numbers the next move is decided from. Data; only the loop writes to it.

import { epochS } from "../core/clock.ts";

/** Counters of one step. */
export interface StepHistory {
  /** Failures of unknown kind since the last progress. */
  unknownFailures: number;
  /** Failures of any kind since the last progress: what the delay grows with. */
  failures: number;
  /** Epoch seconds of the last progress, or of the start. */
  progressAt: number;
  /** Usage limits waited out. */
  limitWaits: number;
  /** True once the stored history was healed and it did not help. */
  healed: boolean;
  /** Sessions used up by handoffs. */
  generations: number;
  /** Overflows in a row of a successor that never completed a turn. */
  emptyOverflows: number;
}

/** A step that has just begun. */
export function startHistory(): StepHistory {
  return {
    unknownFailures: 0,
    failures: 0,
    progressAt: epochS(),
    limitWaits: 0,
    healed: false,
    generations: 0,
    emptyOverflows: 0,
  };
}

/** A turn was completed: what failed before it is over. */
export function noteProgress(history: StepHistory): void {
  history.unknownFailures = 0;
  history.failures = 0;
  history.progressAt = epochS();
  history.healed = false;
  history.emptyOverflows = 0;
}
