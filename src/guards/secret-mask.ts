// Finds a credential in text, plain or in the encodings commands print it in, and puts a mark in its place.

/** What stands where a credential stood. */
export const MASK = "[credential masked]";

/** Shorter secrets are ordinary words: masked only where they stand alone, and in no encoding. */
const SHORT = 8;
/** Below this nothing is masked: three characters are in every text, and no real credential is that short. */
const LEAST = 4;

/**
 * Base64 as commands print it, broken into lines. It may only begin where such a run begins: else a long line without
 * an end would be tried from each of its characters.
 */
const WRAPPED_BASE64 = /(?<![A-Za-z0-9+/_-])[A-Za-z0-9+/_-]{60,}(?:\r?\n[A-Za-z0-9+/_=-]+)+/g;

function escapePattern(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&");
}

/** The stable middle of the secret's base64 at each of the three ways it can lie inside a longer text. */
function base64Forms(secret: string): string[] {
  const forms: string[] = [];
  for (const lead of [0, 1, 2]) {
    const bytes = Buffer.concat([Buffer.alloc(lead), Buffer.from(secret, "utf8")]);
    const text = bytes.toString("base64").replace(/=+$/, "");
    // Characters that also encode neighbouring bytes differ from text to text and stay out.
    const from = lead === 0 ? 0 : lead + 1;
    const to = bytes.length % 3 === 0 ? text.length : text.length - 1;
    forms.push(text.slice(from, to));
  }
  return forms.flatMap((form) => [form, form.replaceAll("+", "-").replaceAll("/", "_")]);
}

/** Every form `secret` is looked for in. */
function formsOf(secret: string): string[] {
  const hex = Buffer.from(secret, "utf8").toString("hex");
  // A lone surrogate cannot be URL-encoded as it is, and would throw.
  const url = encodeURIComponent(secret.replace(/\p{Surrogate}/gu, "\ufffd"));
  return [secret, JSON.stringify(secret).slice(1, -1), url, hex, hex.toUpperCase(), ...base64Forms(secret)];
}

function patternOf(secrets: readonly string[]): RegExp | undefined {
  const whole = secrets.filter((secret) => secret.length >= SHORT).flatMap(formsOf);
  const words = secrets.filter((secret) => secret.length >= LEAST && secret.length < SHORT);
  const alternatives = [
    ...[...new Set(whole)].sort((a, b) => b.length - a.length).map(escapePattern),
    ...words.map((word) => `(?<![\\p{L}\\p{N}])${escapePattern(word)}(?![\\p{L}\\p{N}])`),
  ];
  return alternatives.length === 0 ? undefined : new RegExp(alternatives.join("|"), "gu");
}

/**
 * A function that masks `secrets` in a text: plain, JSON-escaped, URL-encoded, hex and base64 (also inside a longer
 * encoded text). Secrets of 4 to 7 characters are masked plain and as whole words only, shorter ones not at all.
 */
export function createSecretMask(secrets: readonly string[]): (text: string) => string {
  const pattern = patternOf(secrets.map((secret) => secret.trim()));
  if (pattern === undefined) return (text) => text;
  const hide = (text: string) => text.replace(pattern, MASK);
  return (text) =>
    hide(text).replace(WRAPPED_BASE64, (lines) => {
      const joined = lines.replace(/\r?\n/g, "");
      const hidden = hide(joined);
      return hidden === joined ? lines : hidden;
    });
}
