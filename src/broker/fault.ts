// Failures of the upstream or of the way to it, as plain data with every secret removed.

import { epochS } from "../core/clock.ts";
import { errorText, FlowerError } from "../core/errors.ts";
import { isRecord } from "../core/json.ts";
import { oneLine } from "../core/text.ts";
import type { BrokerFault } from "./exchange.ts";

/** Replaces every given secret in a text. */
export type Scrub = (text: string) => string;

/** A scrubber for these secrets; empty and very short ones are left out, or they would eat the text. */
export function createScrub(secrets: readonly string[]): Scrub {
  const real = secrets.filter((secret) => secret.length >= 4);
  return (text) => real.reduce((left, secret) => left.replaceAll(secret, "[removed]"), text);
}

/** The innermost errors: several addresses tried give an AggregateError whose own message is empty. */
function leaves(error: unknown): readonly unknown[] {
  return error instanceof AggregateError && error.errors.length > 0 ? error.errors : [error];
}

function codeOf(error: unknown): string {
  const codes = [error, ...leaves(error)].map((one) => (isRecord(one) ? one.code : undefined));
  const code = codes.find((one) => typeof one === "string" && one !== "");
  if (typeof code === "string") return code;
  // Some of undici's errors say what they are by name only.
  return error instanceof Error && error.name !== "Error" ? error.name : "UNKNOWN";
}

/** Describe what was thrown; `at` is now. */
export function toFault(error: unknown, scrub: Scrub): BrokerFault {
  const texts = new Set(leaves(error).map(errorText));
  return { code: codeOf(error), text: oneLine(scrub([...texts].join("; ")), 300), at: epochS() };
}

/** A failure that only the broker can name; its code is upper case like the ones of node beside it. */
export function brokerFailure(code: string, message: string, hint: string): FlowerError {
  return new FlowerError(message, { code, hint });
}

/** The proxy answered something else than yes. */
export function proxyRefused(status: number): FlowerError {
  const hint = "check the proxy's address and password in HTTPS_PROXY, or name the API's host in NO_PROXY";
  return brokerFailure("PROXY_REFUSED", `the proxy answered ${status}`, hint);
}
