// PrunePolicy: what of errors, denials and damage the model need not meet again. Doing it is prune.ts.

import { rejectUnknownKeys, requireObject } from "../core/options.ts";
import { createPolicyReader } from "./policy-option.ts";

/** Options of {@link PrunePolicy}. */
export interface PrunePolicyOptions {
  /** Drop the turns that the harness made up from failed API calls. @defaultValue true */
  readonly dropApiErrors?: boolean | undefined;
  /** Replace what an interrupted call is said to have answered. @defaultValue true */
  readonly neutralizeInterrupts?: boolean | undefined;
  /** What takes its place: by default that its outcome is not known. */
  readonly interruptText?: string | undefined;
  /** Mend everything the API would refuse: unpaired calls and results, lost parents, bad blocks. @defaultValue true */
  readonly healOrphans?: boolean | undefined;
  /** The result given to a call that has none. */
  readonly orphanText?: string | undefined;
  /**
   * The last so many denied calls are kept.
   * @defaultValue 1: enough to be reminded of the rule, too few to learn to fear it
   */
  readonly keepDenials?: number | undefined;
}

const KEYS = [
  ...["dropApiErrors", "neutralizeInterrupts", "interruptText"],
  ...["healOrphans", "orphanText", "keepDenials"],
];
const INTERRUPT_TEXT =
  "[this call was interrupted from outside while it ran, which is no failure of the command. Whether it took effect is not known: check before relying on it]";
const ORPHAN_TEXT =
  "[no result was recorded for this call: the session ended while it ran. Whether it took effect is not known: check before relying on it]";

/**
 * Keeps errors, interruptions and damage out of the loaded history.
 * @example
 * ```ts
 * import { PrunePolicy, PruningSessionStore } from "flower-agent";
 *
 * const prune = new PrunePolicy({ keepDenials: 0 });
 * const store = new PruningSessionStore({ path: "runs/sessions.db", workspace: ".", prune });
 * ```
 */
export class PrunePolicy {
  readonly dropApiErrors: boolean;
  readonly neutralizeInterrupts: boolean;
  readonly interruptText: string;
  readonly healOrphans: boolean;
  readonly orphanText: string;
  readonly keepDenials: number;

  /** @throws OptionError `bad_option`, `unknown_option`, `bad_options`. */
  constructor(options: PrunePolicyOptions = {}) {
    requireObject(options, "PrunePolicy");
    rejectUnknownKeys(options, KEYS, "PrunePolicy");
    const read = createPolicyReader("PrunePolicy");
    this.dropApiErrors = read.flag("dropApiErrors", options.dropApiErrors, true);
    this.neutralizeInterrupts = read.flag("neutralizeInterrupts", options.neutralizeInterrupts, true);
    this.interruptText = read.words("interruptText", options.interruptText, INTERRUPT_TEXT);
    this.healOrphans = read.flag("healOrphans", options.healOrphans, true);
    this.orphanText = read.words("orphanText", options.orphanText, ORPHAN_TEXT);
    this.keepDenials = read.count("keepDenials", options.keepDenials, { fallback: 1, least: 0 });
    Object.freeze(this);
  }
}
