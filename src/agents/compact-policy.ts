// CompactPolicy: what the harness itself may do to a context that fills up. Handing over is handoff-policy.ts.

import { rejectUnknownKeys, requireObject } from "../core/options.ts";
import { createOptionReader } from "./option-reader.ts";

const MODES = ["auto", "no_summary", "off"] as const;

/**
 * `auto`: the harness compacts as it likes; `no_summary`: never by itself; `off`: not even when asked.
 * @useDeclaredType
 */
export type CompactMode = (typeof MODES)[number];

/** Options of {@link CompactPolicy}. */
export interface CompactPolicyOptions {
  /** What the harness may do by itself. @defaultValue "auto" */
  readonly mode?: CompactMode | undefined;
  /** Tokens at which the harness starts compacting by itself; its own choice when absent. */
  readonly window?: number | undefined;
}

/**
 * How the harness treats a filling context, as environment variables of the child.
 * @example
 * ```ts
 * import { AgentSpec, CompactPolicy } from "flower-agent";
 *
 * const compact = new CompactPolicy({ mode: "auto", window: 200_000 });
 * const reader = new AgentSpec({ name: "reader", instructions: "You read a lot.", compact });
 * ```
 */
export class CompactPolicy {
  /** What the harness may do by itself. */
  readonly mode: CompactMode;
  /** Tokens, when given. */
  readonly window: number | undefined;

  /** @throws OptionError `bad_option` for an unknown mode or a window that is no positive whole number. */
  constructor(options: CompactPolicyOptions = {}) {
    requireObject(options, "CompactPolicy");
    rejectUnknownKeys(options, ["mode", "window"], "CompactPolicy");
    const read = createOptionReader("CompactPolicy", options);
    this.mode = read.optionalChoice("mode", MODES) ?? "auto";
    this.window = read.optionalCount("window", 1);
    Object.freeze(this);
  }

  /** The variables this policy stands for; empty when it leaves everything to the harness. */
  env(): Record<string, string> {
    return {
      ...(this.mode === "no_summary" ? { DISABLE_AUTO_COMPACT: "1" } : {}),
      ...(this.mode === "off" ? { DISABLE_COMPACT: "1" } : {}),
      ...(this.window === undefined ? {} : { CLAUDE_CODE_AUTO_COMPACT_WINDOW: String(this.window) }),
    };
  }
}
