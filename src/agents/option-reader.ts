// Typed reading of options as a person passed them: every wrong type becomes one clear OptionError.

import { OptionError } from "../core/errors.ts";
import { isRecord } from "../core/json.ts";
import { nearestName, rejectUnknownKeys } from "../core/options.ts";

/** Reads the options of one call; `undefined` always means "not given". */
export interface OptionReader {
  readonly text: (key: string) => string;
  /** Empty when not given. */
  readonly optionalText: (key: string) => string;
  readonly name: (key: string) => string;
  readonly optionalName: (key: string) => string | undefined;
  readonly names: (key: string, fallback: readonly string[]) => readonly string[];
  readonly flag: (key: string, fallback: boolean) => boolean;
  /** A whole number of at least `least`. */
  readonly optionalCount: (key: string, least: number) => number | undefined;
  /** A finite number above zero. */
  readonly optionalAmount: (key: string) => number | undefined;
  readonly optionalChoice: <T extends string>(key: string, choices: readonly T[]) => T | undefined;
  readonly textRecord: (key: string) => Readonly<Record<string, string>>;
  readonly optionalRecord: (key: string) => Readonly<Record<string, unknown>> | undefined;
  /** Build the error for `key`, to be thrown by checks this reader does not know. */
  readonly wrong: (key: string, expected: string) => OptionError;
}

function describe(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "a list";
  if (typeof value === "string") return value === "" ? "an empty string" : JSON.stringify(value.slice(0, 60));
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  return typeof value === "undefined" ? "nothing" : `a value of type ${typeof value}`;
}

function isName(value: unknown): value is string {
  return typeof value === "string" && value.trim() !== "";
}

/**
 * A reader over `options`, naming `owner` in every complaint. Every method throws OptionError `bad_option` when the
 * value is there but cannot be used.
 */
export function createOptionReader(owner: string, options: object): OptionReader {
  const values = new Map<string, unknown>(Object.entries(options));
  const wrong = (key: string, expected: string) =>
    new OptionError(`${owner}: "${key}" must be ${expected}, not ${describe(values.get(key))}`, {
      code: "bad_option",
      hint: `pass ${key} as ${expected}`,
    });
  const read = <T>(key: string, expected: string, is: (value: unknown) => value is T): T | undefined => {
    const value = values.get(key);
    if (value === undefined) return undefined;
    if (!is(value)) throw wrong(key, expected);
    return value;
  };
  const required = <T>(key: string, expected: string, is: (value: unknown) => value is T): T => {
    const value = read(key, expected, is);
    if (value === undefined) throw wrong(key, expected);
    return value;
  };
  const isText = (value: unknown): value is string => typeof value === "string";
  const isNames = (value: unknown): value is string[] => Array.isArray(value) && value.every(isName);
  const isFlag = (value: unknown): value is boolean => typeof value === "boolean";
  const isAmount = (value: unknown): value is number =>
    typeof value === "number" && Number.isFinite(value) && value > 0;
  const isTexts = (value: unknown): value is Record<string, string> =>
    isRecord(value) && Object.values(value).every(isText);
  return {
    text: (key) => required(key, "a string", isText),
    optionalText: (key) => read(key, "a string", isText) ?? "",
    name: (key) => required(key, "a non-empty string", isName),
    optionalName: (key) => read(key, "a non-empty string", isName),
    names: (key, fallback) =>
      Object.freeze([...(read(key, "a list of non-empty strings", isNames) ?? fallback)]),
    flag: (key, fallback) => read(key, "true or false", isFlag) ?? fallback,
    optionalCount: (key, least) =>
      read(
        key,
        `a whole number of at least ${least}`,
        (value): value is number =>
          typeof value === "number" && Number.isSafeInteger(value) && value >= least,
      ),
    optionalAmount: (key) => read(key, "a number above zero", isAmount),
    optionalChoice: (key, choices) => {
      const value = values.get(key);
      if (value === undefined) return undefined;
      const choice = choices.find((one) => one === value);
      if (choice !== undefined) return choice;
      const near = typeof value === "string" ? nearestName(value, choices) : undefined;
      throw wrong(
        key,
        `one of ${choices.join(", ")}${near === undefined ? "" : ` (did you mean "${near}"?)`}`,
      );
    },
    textRecord: (key) => Object.freeze({ ...read(key, "an object of strings", isTexts) }),
    optionalRecord: (key) => read(key, "an object", isRecord),
    wrong,
  };
}

/**
 * Refuse a role's options that are no object or hold a key nothing reads.
 * @throws OptionError `bad_options`, `unknown_option`.
 */
export function checkRoleOptions(options: unknown, known: readonly string[], owner: string): void {
  if (!isRecord(options)) {
    throw new OptionError(`${owner}: the options must be an object`, {
      code: "bad_options",
      hint: `pass them as the last argument of ${owner}, as { … }, or leave them out`,
    });
  }
  rejectUnknownKeys(options, known, owner);
}
