// The address of the Messages API: what may be one, and how paths join it.

import { CredentialsError } from "../core/errors.ts";
import { inEnglish, wordsOf } from "./locale/words.ts";

/** Where requests go when nothing says otherwise. */
export const OFFICIAL_BASE_URL = "https://api.anthropic.com";

/** Why a text cannot be the base address. */
export type BaseUrlFault = "characters" | "not_an_address" | "scheme" | "user" | "query";

/** What is wrong with a base address; undefined for a good one. */
export function baseUrlFault(baseUrl: string): BaseUrlFault | undefined {
  // The parser would drop tabs and newlines in silence and reach another host than the one shown.
  if (/[^\x21-\x7e]/.test(baseUrl)) return "characters";
  if (!URL.canParse(baseUrl)) return "not_an_address";
  const url = new URL(baseUrl);
  if (url.protocol !== "http:" && url.protocol !== "https:") return "scheme";
  if (url.username !== "" || url.password !== "") return "user";
  if (url.search !== "" || url.hash !== "") return "query";
  return undefined;
}

/**
 * Refuse what cannot be a base address. The address itself is not repeated: it may hold a secret.
 * @throws CredentialsError `bad_base_url`, naming the source.
 */
export function checkBaseUrl(baseUrl: string, source: string): void {
  const fault = baseUrlFault(baseUrl);
  if (fault === undefined) return;
  const words = wordsOf(`said.address.${fault}`);
  throw new CredentialsError(`ANTHROPIC_BASE_URL from ${source} cannot be used: ${inEnglish(words)}`, {
    code: "bad_base_url",
    values: { source, fault: words },
    hint: `write it like ${OFFICIAL_BASE_URL}, with or without /v1`,
  });
}

/** The address without the path of a request, which people copy along. */
export function withoutPath(address: string): string {
  return address.replace(/\/v1\/messages\/?$/, "");
}

/** The base without trailing slashes and without a trailing `/v1`, as the harness expects it. */
export function apiRoot(baseUrl: string): string {
  return baseUrl.replace(/\/+$/, "").replace(/\/v1$/, "").replace(/\/+$/, "");
}

/** The full address of an API path that begins with `/v1/`, whether or not the base ends in `/v1` or a slash. */
export function joinApiPath(baseUrl: string, path: string): string {
  return apiRoot(baseUrl) + path;
}
