// Resilience: how long to wait, how often to try, what to say to a session that was cut off.

import { epochS, sleep } from "../core/clock.ts";
import { OptionError } from "../core/errors.ts";
import { givenOptions, rejectUnknownKeys, requireObject } from "../core/options.ts";
import { type Endpoint, endpoint, reachable } from "./reachability.ts";

/** Options of {@link Resilience}; all times in seconds. */
export interface ResilienceOptions {
  /** False waits for nothing. @defaultValue true */
  readonly enabled?: boolean | undefined;
  /** Usage limits waited out in one step. @defaultValue 3: a night's worth of five-hour limits */
  readonly maxLimitWaits?: number | undefined;
  /** Silence after which a turn without a running tool counts as stuck. @defaultValue 1800 */
  readonly stallTimeout?: number | undefined;
  /** Failures of unknown kind in a row, without progress between them. @defaultValue 6 */
  readonly maxAttempts?: number | undefined;
  /** First wait; doubles with each failure. @defaultValue 4 */
  readonly baseDelay?: number | undefined;
  /** Longest wait between two tries. @defaultValue 120 */
  readonly maxDelay?: number | undefined;
  /** Longest handshake when the network is probed. @defaultValue 5 */
  readonly probeTimeout?: number | undefined;
  /** Between two probes. @defaultValue 15 */
  readonly probeInterval?: number | undefined;
  /** Longest outage that is waited out, counted from the last progress. @defaultValue 3600 */
  readonly maxOfflineWait?: number | undefined;
  /** Treat failures nobody knows like an outage. @defaultValue true */
  readonly retryUnknown?: boolean | undefined;
  /** Words to a session that goes on after a failure: no word of what failed. */
  readonly resumePrompt?: string | undefined;
}

const RESUME_PROMPT = "You were interrupted. Go on where you stopped; do not start over.";

/** The options after the door: nothing is left open. */
type ResolvedResilience = {
  readonly [K in keyof ResilienceOptions]-?: Exclude<ResilienceOptions[K], undefined>;
};

const DEFAULTS: ResolvedResilience = {
  enabled: true,
  maxLimitWaits: 3,
  stallTimeout: 1800,
  maxAttempts: 6,
  baseDelay: 4,
  maxDelay: 120,
  probeTimeout: 5,
  probeInterval: 15,
  maxOfflineWait: 3600,
  retryUnknown: true,
  resumePrompt: RESUME_PROMPT,
};

/** Waits vary by a quarter, so that many runs do not come back at the same moment. */
const JITTER = 0.25;

/** What a wait for the network reports: once when it begins, once when it is over. */
export type OnlineNotice =
  | { readonly kind: "waiting"; readonly host: string }
  | { readonly kind: "online"; readonly afterS: number };

/** Settings of one wait for the network. */
export interface WaitOnlineOptions {
  /** What is probed. @defaultValue the API's host, or the proxy before it, from the environment */
  readonly endpoint?: Endpoint | undefined;
  /** Longest wait in seconds, when less of it is left. @defaultValue maxOfflineWait */
  readonly atMostS?: number | undefined;
  /** Ends the wait. */
  readonly signal?: AbortSignal | undefined;
}

const EXPECTED = { number: "a number, 0 or more", boolean: "true or false", string: "a text" };
const WAIT_KEYS = ["endpoint", "atMostS", "signal"] satisfies (keyof WaitOnlineOptions)[];

function isUsable(value: unknown, fallback: boolean | number | string): boolean {
  if (typeof value !== typeof fallback) return false;
  return typeof value !== "number" || (Number.isFinite(value) && value >= 0);
}

function resolveOptions(options: ResilienceOptions): ResolvedResilience {
  requireObject(options, "Resilience");
  rejectUnknownKeys(options, Object.keys(DEFAULTS), "Resilience");
  const given: Readonly<Record<string, unknown>> = givenOptions(options);
  for (const [key, fallback] of Object.entries(DEFAULTS)) {
    if (!(key in given) || isUsable(given[key], fallback)) continue;
    const expected = EXPECTED[typeof fallback as keyof typeof EXPECTED];
    throw new OptionError(`Resilience: ${key} must be ${expected}, not ${String(given[key])}`, {
      code: "bad_option",
      hint: typeof fallback === "number" ? "times are seconds" : `pass ${key} as ${expected}`,
    });
  }
  return { ...DEFAULTS, ...givenOptions(options) };
}

/**
 * A policy for outages: immutable, shared by any number of steps.
 * @example
 * ```ts
 * import { Resilience, Runtime } from "flower-agent";
 *
 * const runtime = new Runtime({ workspace: ".", resilience: new Resilience({ maxOfflineWait: 8 * 3600 }) });
 * ```
 */
export class Resilience {
  readonly enabled: boolean;
  readonly maxLimitWaits: number;
  readonly stallTimeout: number;
  readonly maxAttempts: number;
  readonly baseDelay: number;
  readonly maxDelay: number;
  readonly probeTimeout: number;
  readonly probeInterval: number;
  readonly maxOfflineWait: number;
  readonly retryUnknown: boolean;
  readonly resumePrompt: string;

  /** @throws OptionError `unknown_option`, `bad_option`. */
  constructor(options: ResilienceOptions = {}) {
    const all = resolveOptions(options);
    this.enabled = all.enabled;
    this.maxLimitWaits = all.maxLimitWaits;
    this.stallTimeout = all.stallTimeout;
    this.maxAttempts = all.maxAttempts;
    this.baseDelay = all.baseDelay;
    this.maxDelay = all.maxDelay;
    this.probeTimeout = all.probeTimeout;
    this.probeInterval = all.probeInterval;
    this.maxOfflineWait = all.maxOfflineWait;
    this.retryUnknown = all.retryUnknown;
    this.resumePrompt = all.resumePrompt;
  }

  /**
   * Seconds before the n-th retry (from 1): doubling, capped, jittered, never less than a server asked for.
   * @param n - which retry, from 1
   * @param retryAfterS - seconds the server asked for
   * @param random - chance, for tests
   */
  delayFor(n: number, retryAfterS = 0, random: () => number = Math.random): number {
    const plain = Math.min(this.baseDelay * 2 ** (Math.max(1, n) - 1), this.maxDelay);
    return Math.max(plain * (1 - JITTER + 2 * JITTER * random()), retryAfterS);
  }

  /**
   * Wait until the API's host answers; false when it did not within the bound, or the signal aborted.
   * @param notify - told when the wait begins and when it is over
   */
  async waitOnline(
    notify: (notice: OnlineNotice) => void = () => {},
    options: WaitOnlineOptions = {},
  ): Promise<boolean> {
    rejectUnknownKeys(options, WAIT_KEYS, "waitOnline");
    const at = options.endpoint ?? endpoint();
    const started = epochS();
    const until = started + Math.min(options.atMostS ?? Number.POSITIVE_INFINITY, this.maxOfflineWait);
    for (let probes = 0; ; probes += 1) {
      if (options.signal?.aborted) return false;
      if (await reachable(at.host, at.port, this.probeTimeout, options.signal)) {
        if (probes > 0) notify({ kind: "online", afterS: epochS() - started });
        return true;
      }
      if (probes === 0) notify({ kind: "waiting", host: `${at.host}:${at.port}` });
      const left = until - epochS();
      if (left <= 0) return false;
      await sleep(Math.min(this.probeInterval, left) * 1000, options.signal);
    }
  }
}
