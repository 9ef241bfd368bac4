// The credential and the run's token: where each kind travels, who is let in, and how one replaces the other.

import { createHash, timingSafeEqual } from "node:crypto";
import { CredentialsError } from "../core/errors.ts";
import type { HeaderPair } from "./headers.ts";

/** The one real credential of a run, held by flower's own process only. */
export type BrokerCredential = {
  readonly kind: "api_key" | "auth_token" | "oauth_token";
  readonly value: string;
};

const KINDS = {
  api_key: { variable: "ANTHROPIC_API_KEY", header: "x-api-key" },
  auth_token: { variable: "ANTHROPIC_AUTH_TOKEN", header: "authorization" },
  oauth_token: { variable: "CLAUDE_CODE_OAUTH_TOKEN", header: "authorization" },
} as const;

const CREDENTIAL_HEADERS: readonly string[] = ["x-api-key", "authorization"];

/** The variable a child reads a credential of this kind from. */
export function credentialVariable(kind: BrokerCredential["kind"]): string {
  return KINDS[kind].variable;
}

/**
 * Refuse a credential that no header can carry, before a run starts on it.
 * @throws CredentialsError `bad_credential`; the text never shows the value.
 */
export function requireUsable(credential: BrokerCredential): void {
  const known = Object.hasOwn(KINDS, credential.kind);
  if (known && /^[\x21-\x7e]+$/.test(credential.value)) return;
  throw new CredentialsError(
    "the credential cannot be sent: it is empty or holds blanks or control characters",
    {
      code: "bad_credential",
      hint: "set it again without quotes, line breaks or spaces (flower setup)",
    },
  );
}

function digest(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}

/** Digests have one length, so neither time nor length tells how much of a guess was right. */
function sameSecret(a: string, b: string): boolean {
  return timingSafeEqual(digest(a), digest(b));
}

/** True when the one header of this kind holds the run's token; a header given twice never does. */
export function carriesToken(
  headers: readonly HeaderPair[],
  kind: BrokerCredential["kind"],
  token: string,
): boolean {
  const { header } = KINDS[kind];
  const values = headers.filter(([name]) => name.toLowerCase() === header).map(([, value]) => value);
  if (values.length !== 1) return false;
  const given = header === "x-api-key" ? values[0] : /^bearer +(\S+)$/i.exec(values[0] ?? "")?.[1];
  return given !== undefined && sameSecret(given, token);
}

/**
 * The headers with the real credential where the token stood.
 * The header of the other kind is dropped: a run has one credential, and an unknown one must not go out.
 */
export function withCredential(
  headers: readonly HeaderPair[],
  credential: BrokerCredential,
): readonly HeaderPair[] {
  const { header } = KINDS[credential.kind];
  const value = header === "x-api-key" ? credential.value : `Bearer ${credential.value}`;
  return headers.flatMap(([name, old]): HeaderPair[] => {
    const lower = name.toLowerCase();
    if (lower === header) return [[name, value]];
    return CREDENTIAL_HEADERS.includes(lower) ? [] : [[name, old]];
  });
}
