// How long the commands of a goal may take and how much they may say.

import type { OutputBounds } from "./output-file.ts";

/** Bounds of a round's commands, in seconds where not said otherwise. */
export interface EvidenceLimits {
  /** For one command. */
  readonly commandS: number;
  /** For all commands of a round, second runs included. */
  readonly roundS: number;
  /** Where the first runs took less than this together, everything runs a second time. */
  readonly rerunBelowS: number;
  /** Between asking a process to end and ending it. */
  readonly graceS: number;
  readonly bounds: OutputBounds;
}

/** What holds unless a caller says otherwise. */
export const EVIDENCE_LIMITS: EvidenceLimits = {
  commandS: 120,
  roundS: 600,
  rerunBelowS: 60,
  graceS: 2,
  bounds: { fileBytes: 64 * 1024 ** 2, compareBytes: 8 * 1024 ** 2 },
};
