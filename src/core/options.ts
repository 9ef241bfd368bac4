// Options at the door: reject what is not known, with the nearest name, before anything is resolved.

import { OptionError } from "./errors.ts";

/** Edit distance, bounded by the shorter word; used only to suggest a name. */
function distance(a: string, b: string): number {
  let previous = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const cost = a[i - 1] === b[j - 1] ? 0 : 1;
      row[j] = Math.min((previous[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (previous[j - 1] ?? 0) + cost);
    }
    previous = row;
  }
  return previous[b.length] ?? 0;
}

/** The candidate closest to `name`, or undefined when none is close enough to be meant. */
export function nearestName(name: string, candidates: readonly string[]): string | undefined {
  const limit = Math.max(2, Math.floor(name.length / 3));
  let best: { readonly name: string; readonly at: number } | undefined;
  for (const candidate of candidates) {
    const at = distance(name.toLowerCase(), candidate.toLowerCase());
    if (at <= limit && (best === undefined || at < best.at)) best = { name: candidate, at };
  }
  return best?.name;
}

/**
 * Refuse option keys that nothing reads, and options that are no object.
 * @throws OptionError `unknown_option`, naming the key and the nearest known one; `bad_options`.
 */
export function rejectUnknownKeys(options: object, known: readonly string[], owner: string): void {
  if (!isOneObject(options)) {
    throw new OptionError(`${owner}: the options must be one object`, {
      code: "bad_options",
      hint: "pass them as { … }",
    });
  }
  for (const key of Object.keys(options)) {
    if (known.includes(key)) continue;
    const near = nearestName(key, known);
    throw new OptionError(`${owner}: unknown option "${key}"`, {
      code: "unknown_option",
      hint: near === undefined ? `known options: ${known.join(", ")}` : `did you mean "${near}"?`,
    });
  }
}

function isOneObject(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Options that were given a value: one that is `undefined` counts as left out, and must not hide a default. */
export function givenOptions<T extends object>(
  options: T,
): { readonly [K in keyof T]?: Exclude<T[K], undefined> } {
  const given = Object.entries(options).filter(([, value]) => value !== undefined);
  return Object.fromEntries(given) as { readonly [K in keyof T]?: Exclude<T[K], undefined> };
}

/**
 * Refuse a call whose options are not one plain object.
 * @throws OptionError `bad_options`.
 */
export function requireObject(value: unknown, owner: string): asserts value is object {
  if (isOneObject(value)) return;
  throw new OptionError(`${owner} takes one options object`, {
    code: "bad_options",
    hint: `call it as ${owner}({ … })`,
  });
}

const KINDS = {
  text: ["a string", (value: unknown) => typeof value === "string"],
  flag: ["true or false", (value: unknown) => typeof value === "boolean"],
  function: ["a function", (value: unknown) => typeof value === "function"],
  "text or function": [
    "a string or a function",
    (value: unknown) => typeof value === "string" || typeof value === "function",
  ],
  signal: ["an AbortSignal", (value: unknown) => value instanceof AbortSignal],
} as const;

/** What an option can be required to be. */
export type OptionKind = keyof typeof KINDS;

/**
 * Refuse options of another kind than named; one that is `undefined` counts as left out.
 * @throws OptionError `bad_option`.
 */
export function requireKinds<T extends object>(
  options: T,
  kinds: { readonly [K in keyof T]?: OptionKind },
  owner: string,
): void {
  for (const [key, value] of Object.entries(options)) {
    const kind = Object.hasOwn(kinds, key) ? kinds[key as keyof T] : undefined;
    if (value === undefined || kind === undefined) continue;
    const [expected, is] = KINDS[kind];
    if (is(value)) continue;
    throw new OptionError(`${owner}: ${key} must be ${expected}`, {
      code: "bad_option",
      hint: `pass ${key} as ${expected}, or leave it out`,
    });
  }
}
