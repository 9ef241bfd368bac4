// Evidence of one round: what flower saw when it ran the commands of a goal itself. Plain data.

import type { Check } from "../documents/check.ts";
import type { Fingerprint } from "./fingerprint.ts";

/** What came of one check. */
export type EvidenceOutcome =
  /** No command: the judge looks by itself. */
  | "prose"
  /** It ran, and all that is expected of it was compared and is so. */
  | "held"
  /** It ran, and what was compared is as expected; there are words beside that which only a judge can hold it against. */
  | "ran"
  /** It ran and did not: exit code, expectation, or a missing file of the work. */
  | "failed"
  /** It ran twice with two outcomes. */
  | "flaky"
  | "timed_out"
  /** The time of the round was used up before its turn came. */
  | "not_run"
  /** Its program is not here, or it needs a display or the network; or the goal marks it so. */
  | "unverifiable";

/** One check with what was seen. */
export interface EvidenceItem {
  /** Its number in the goal, from 1. */
  readonly number: number;
  readonly check: Check;
  readonly outcome: EvidenceOutcome;
  /** Why the outcome is what it is, in one line for people; empty for `held`, `ran` and `prose`. */
  readonly why: string;
  /** Undefined when it did not run or was ended by a signal. */
  readonly exitCode: number | undefined;
  /** The signal that ended it, where one did. */
  readonly signal?: string | undefined;
  readonly durationS: number;
  /** Last lines of the output, safe for a screen. */
  readonly tail: string;
  /** File with the whole output; undefined when nothing ran. */
  readonly path: string | undefined;
  /** File with the output of the second run, where that came out differently. */
  readonly secondPath?: string | undefined;
  /** SHA-256 of the file at `path`, as flower wrote it. */
  readonly sha256?: string | undefined;
}

/** The machine the commands ran on. */
interface EvidenceHost {
  readonly platform: string;
  readonly arch: string;
  readonly release: string;
  /** The shell that ran them. */
  readonly shell: string;
}

/** The evidence of a round. */
export interface Evidence {
  readonly round: number;
  /** Folder the files are in. */
  readonly folder: string;
  /** Where the commands ran. */
  readonly where: string;
  /** One for each check of the goal, in its order. */
  readonly items: readonly EvidenceItem[];
  /** The tree before the first and after the last command. */
  readonly before: Fingerprint;
  readonly after: Fingerprint;
  /** Tracked files a command changed. */
  readonly changed: readonly string[];
  readonly host?: EvidenceHost;
  /** Whether the commands ran without network and could write in their folder only. */
  readonly isSandboxed?: boolean;
}
