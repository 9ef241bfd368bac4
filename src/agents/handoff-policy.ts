// HandoffPolicy: when a session whose context is nearly full writes its document and a fresh one takes over.

import { rejectUnknownKeys, requireObject } from "../core/options.ts";
import { defaultWindow } from "./default-window.ts";
import { createOptionReader } from "./option-reader.ts";

/** Room for writing the document and for the turn that was running, in tokens. */
const HEADROOM = 50_000;
/** Sessions one step may use up; more means the threshold lies below what the role needs to start. */
const MAX_GENERATIONS = 8;
/** Below this a role's first request alone would already be due. */
const LEAST_AT = 10_000;
/** How long before `at` people are warned, in tokens. */
const WARN_AHEAD = 20_000;
/** Floor of the warning, so that a tiny window still has one. */
const LEAST_WARN_AT = 1_000;

const KEYS = ["enabled", "window", "headroom", "maxGenerations"] as const;

/** Options of {@link HandoffPolicy}. */
export interface HandoffPolicyOptions {
  /** Whether sessions hand over at all. @defaultValue true */
  readonly enabled?: boolean | undefined;
  /** Tokens the model can hold. @defaultValue what {@link defaultWindow} says, until the harness reports better */
  readonly window?: number | undefined;
  /** Tokens kept free above the threshold. @defaultValue 50,000: the document and the turn in flight fit in it */
  readonly headroom?: number | undefined;
  /** Hand-overs allowed in one step. @defaultValue 8 */
  readonly maxGenerations?: number | undefined;
}

/**
 * When to hand over, in tokens of the main thread's context.
 * @example
 * ```ts
 * import { HandoffPolicy, Runtime } from "flower-agent";
 *
 * const runtime = new Runtime({ workspace: ".", handoff: new HandoffPolicy({ window: 200_000, headroom: 40_000 }) });
 * ```
 */
export class HandoffPolicy {
  /** Whether sessions hand over at all. */
  readonly enabled: boolean;
  /** Tokens the model can hold. */
  readonly window: number;
  /** Tokens kept free above the threshold. */
  readonly headroom: number;
  /** Hand-overs allowed in one step. */
  readonly maxGenerations: number;
  /** Whether a person set the window; such a one is never replaced by what the harness reports. */
  readonly windowIsExplicit: boolean;

  /** @throws OptionError `bad_option` for a number that is negative, fractional or, for the window, zero. */
  constructor(options: HandoffPolicyOptions = {}) {
    requireObject(options, "HandoffPolicy");
    rejectUnknownKeys(options, KEYS, "HandoffPolicy");
    const read = createOptionReader("HandoffPolicy", options);
    const window = read.optionalCount("window", 1);
    this.enabled = read.flag("enabled", true);
    this.window = window ?? defaultWindow();
    this.headroom = read.optionalCount("headroom", 0) ?? HEADROOM;
    this.maxGenerations = read.optionalCount("maxGenerations", 0) ?? MAX_GENERATIONS;
    this.windowIsExplicit = window !== undefined;
    Object.freeze(this);
  }

  /** Tokens at which a session hands over: `window - headroom`, at least 10,000. */
  get at(): number {
    return Math.max(LEAST_AT, this.window - this.headroom);
  }

  /** Tokens at which people are told it is near: 20,000 below {@link at}, at least 1,000. */
  get warnAt(): number {
    return Math.max(LEAST_WARN_AT, this.at - WARN_AHEAD);
  }

  /**
   * The policy with the window the harness reported; unchanged when a person set one or `window` makes no sense.
   * @param window - tokens, as the harness reported them
   */
  learnWindow(window: number): HandoffPolicy {
    if (this.windowIsExplicit || window === this.window) return this;
    if (!Number.isSafeInteger(window) || window < 1) return this;
    return Object.freeze(Object.assign(Object.create(HandoffPolicy.prototype), { ...this, window }));
  }
}
