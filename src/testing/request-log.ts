// Every request a server was asked, in order, and those who wait for one.

import type { ApiRequest } from "./api-request.ts";

type Match = (request: ApiRequest) => boolean;

interface Waiter {
  readonly match: Match;
  readonly resolve: (request: ApiRequest | undefined) => void;
}

/** Keeps requests and wakes whoever waits for one. */
export class RequestLog {
  readonly #kept: ApiRequest[] = [];
  readonly #waiters = new Set<Waiter>();
  readonly #keepBodies: boolean;

  /** Without `keepBodies` requests are kept with an empty body. */
  constructor(keepBodies: boolean) {
    this.#keepBodies = keepBodies;
  }

  /** All requests so far. */
  get all(): readonly ApiRequest[] {
    return this.#kept;
  }

  /** Keep a request; what is returned is what is kept. */
  keep(request: ApiRequest): ApiRequest {
    const kept = this.#keepBodies ? request : { ...request, body: {} };
    this.#kept.push(kept);
    for (const waiter of this.#waiters) {
      if (waiter.match(request)) waiter.resolve(kept);
    }
    return kept;
  }

  /** The first request, past or to come, that matches; undefined when the signal aborts before. */
  seen(match: Match, signal: AbortSignal): Promise<ApiRequest | undefined> {
    const past = this.#kept.find(match);
    if (past !== undefined || signal.aborted) return Promise.resolve(past);
    return new Promise((resolve) => {
      const settle = (request: ApiRequest | undefined) => {
        this.#waiters.delete(waiter);
        signal.removeEventListener("abort", stop);
        resolve(request);
      };
      const stop = () => settle(undefined);
      const waiter: Waiter = { match, resolve: settle };
      this.#waiters.add(waiter);
      signal.addEventListener("abort", stop, { once: true });
    });
  }
}
