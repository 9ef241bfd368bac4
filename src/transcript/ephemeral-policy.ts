// EphemeralPolicy: which looks are too old to be believed. Doing it is expire.ts.

import { rejectUnknownKeys, requireObject } from "../core/options.ts";
import { createPolicyReader } from "./policy-option.ts";

/** Options of {@link EphemeralPolicy}. */
export interface EphemeralPolicyOptions {
  /** False lets nothing expire. @defaultValue true */
  readonly enabled?: boolean | undefined;
  /** The results of this many last looks are left alone. @defaultValue 6 */
  readonly keepRecent?: number | undefined;
  /** Longer results are left to the trim policy, which keeps them in a file. @defaultValue 2000 */
  readonly maxChars?: number | undefined;
  /** What takes a stale result's place; `{cmd}` is the command, `{age}` how many model turns ago it ran. */
  readonly text?: string | undefined;
}

const TEXT =
  "[expired: `{cmd}` ran {age} turn(s) ago and may no longer be true. Run it again if you need it]";

/**
 * Takes results of read-only Bash commands out of the loaded history once newer looks have followed.
 * @example
 * ```ts
 * import { EphemeralPolicy, Runtime } from "flower-agent";
 *
 * const runtime = new Runtime({ workspace: ".", ephemeral: new EphemeralPolicy({ keepRecent: 4 }) });
 * ```
 */
export class EphemeralPolicy {
  readonly enabled: boolean;
  readonly keepRecent: number;
  readonly maxChars: number;
  readonly text: string;

  /** @throws OptionError `bad_option`, `unknown_option`, `bad_options`. */
  constructor(options: EphemeralPolicyOptions = {}) {
    requireObject(options, "EphemeralPolicy");
    rejectUnknownKeys(options, ["enabled", "keepRecent", "maxChars", "text"], "EphemeralPolicy");
    const read = createPolicyReader("EphemeralPolicy");
    this.enabled = read.flag("enabled", options.enabled, true);
    this.keepRecent = read.count("keepRecent", options.keepRecent, { fallback: 6, least: 0 });
    this.maxChars = read.count("maxChars", options.maxChars, { fallback: 2000, least: 0 });
    this.text = read.words("text", options.text, TEXT);
    Object.freeze(this);
  }
}
