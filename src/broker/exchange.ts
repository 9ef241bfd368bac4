// What the broker saw of one forwarded request, as plain data. Never holds a credential or a body.

import type { IncomingHttpHeaders } from "node:http";

/** Tokens the API counted for one request. */
export interface ExchangeUsage {
  readonly input: number;
  readonly output: number;
  readonly cacheRead: number;
  readonly cacheCreation: number;
}

/** Why an upstream, or the way to it, failed. */
export interface BrokerFault {
  /** As node or undici names it (`ECONNREFUSED`, `ENOTFOUND`, `UND_ERR_SOCKET`, …), or `PROXY_REFUSED`, `CLIENT_GONE`, `BROKER_CLOSED`. */
  readonly code: string;
  /** One line for a person; credentials removed. */
  readonly text: string;
  /** Epoch seconds. */
  readonly at: number;
}

/** One request that was forwarded. A refused one (wrong token, bad target) is none. */
export interface Exchange {
  readonly method: string;
  /** As the client asked for it, without the query. */
  readonly path: string;
  /** Of the upstream's answer; undefined when none came. */
  readonly status: number | undefined;
  /** Epoch seconds. */
  readonly startedAt: number;
  /** Epoch seconds. */
  readonly endedAt: number;
  /** Body bytes sent up. */
  readonly requestBytes: number;
  /** Body bytes that came back, as they came (compressed ones count compressed). */
  readonly responseBytes: number;
  /** Seconds to wait, from a `retry-after` of either form. */
  readonly retryAfterS?: number;
  /** The session of the harness that asked, when it says so. */
  readonly sessionId?: string;
  /** True when the answer says by `x-should-retry: false` that asking the same again is no use. */
  readonly final?: true;
  /** Headers of the answer that speak of limits, names in lower case. */
  readonly rateLimit?: Readonly<Record<string, string>>;
  /** Absent when the answer carries none, is compressed, or broke off before saying. */
  readonly usage?: ExchangeUsage;
  /** Absent when the answer went through to its end. */
  readonly fault?: BrokerFault;
}

/** Seconds a `retry-after` value asks for, from a number or an HTTP date; undefined when it is neither. */
export function parseRetryAfterS(value: string | undefined, nowMs: number = Date.now()): number | undefined {
  const text = value?.trim() ?? "";
  if (/^\d+(\.\d+)?$/.test(text)) return Number(text);
  // A date always names its month; Date.parse alone would accept "-3" as a year.
  const at = /[a-z]{3}/i.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(at) ? undefined : Math.max(0, (at - nowMs) / 1000);
}

const LIMIT_NAME = /^(anthropic-)?(x-)?ratelimit-/;

/** The headers that speak of rate limits; undefined when there are none. */
export function rateLimitHeaders(headers: IncomingHttpHeaders): Record<string, string> | undefined {
  const found = Object.entries(headers).filter(([name]) => LIMIT_NAME.test(name));
  if (found.length === 0) return undefined;
  return Object.fromEntries(found.map(([name, value]) => [name, String(value)]));
}
