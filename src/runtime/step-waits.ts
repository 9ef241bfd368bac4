// The waits of a step: for the network, for a delay, for the end of a usage limit. Each can be ended by the signal,
// and each says once that it begins and once that it is over.

import { wordsOf } from "../config/locale/words.ts";
import { epochS, sleep } from "../core/clock.ts";
import { createEvent, type Event } from "../events/event.ts";
import type { FailureWords } from "./failure.ts";
import type { LimitMemory } from "./limit-memory.ts";
import { createNotice } from "./notice.ts";
import type { Endpoint } from "./reachability.ts";
import type { Resilience } from "./resilience.ts";
import type { StepWaits } from "./run-step.ts";
import type { StepHistory } from "./step-history.ts";

/** A limit that does not say when it ends is tried again after this long. */
const UNKNOWN_LIMIT_S = 3_600;
/** A limit ends on the server's clock: a little later is surely over. */
const LIMIT_MARGIN_S = 2;

/** What the waits need. */
export interface WaitParts {
  readonly resilience: Resilience;
  /** Where the API, or the proxy before it, must answer. */
  readonly endpoint: () => Endpoint;
  /** Seconds a server asked to wait, 0 when it did not. */
  readonly retryAfterS: () => number;
  readonly limits: LimitMemory;
  readonly signal: AbortSignal;
  /** Must not throw. */
  readonly emit: (event: Event) => void;
}

function retryEvent(text: string, payload: Record<string, unknown>): Event {
  return createEvent("retry", { text, payload });
}

async function outage(
  parts: WaitParts,
  failure: number,
  words: FailureWords,
  history: StepHistory,
): Promise<boolean> {
  const { resilience, signal, emit } = parts;
  const left = resilience.maxOfflineWait - (epochS() - history.progressAt);
  const delayS = resilience.delayFor(failure, parts.retryAfterS());
  emit(retryEvent(words.error, { phase: "failed", failure, delay_s: delayS, why: words.failure }));
  const isOnline = await resilience.waitOnline(
    (notice) =>
      emit(retryEvent(notice.kind === "waiting" ? notice.host : "", { phase: notice.kind, ...notice })),
    { endpoint: parts.endpoint(), atMostS: Math.max(0, left), signal },
  );
  if (!isOnline || signal.aborted) return false;
  await sleep(delayS * 1000, signal);
  return !signal.aborted;
}

async function waitUntil(parts: WaitParts, until: number, cause: string): Promise<boolean> {
  const { signal, emit, limits } = parts;
  limits.remember(until);
  const words = wordsOf("notice.limit_until", { time: new Date(until * 1000).toISOString() });
  emit(createNotice("limit", words, { phase: "waiting", until, cause }));
  // Longer than a timer can hold is waited for in parts.
  for (let left = until - epochS(); left > 0 && !signal.aborted; left = until - epochS()) {
    await sleep(Math.min(left, 86_400) * 1000, signal);
  }
  if (signal.aborted) return false;
  limits.forget();
  emit(createNotice("limit", wordsOf("notice.limit_over"), { phase: "over" }));
  return true;
}

async function limit(parts: WaitParts, resetAt: number | undefined, words: FailureWords): Promise<boolean> {
  const until =
    (resetAt ?? epochS() + Math.min(UNKNOWN_LIMIT_S, parts.resilience.maxOfflineWait)) + LIMIT_MARGIN_S;
  if (!(await waitUntil(parts, until, words.error))) return false;
  const { signal } = parts;
  return parts.resilience.waitOnline(() => {}, { endpoint: parts.endpoint(), signal });
}

/** The waits of one step. */
export function createWaits(parts: WaitParts): StepWaits {
  return {
    outage: (failure, words, history) => outage(parts, failure, words, history),
    limit: (resetAt, words) => limit(parts, resetAt, words),
    async knownLimit() {
      const until = parts.resilience.enabled ? parts.limits.until(epochS()) : undefined;
      return until === undefined
        ? !parts.signal.aborted
        : waitUntil(parts, until, "known from an earlier run");
    },
  };
}
