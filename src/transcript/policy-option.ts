// Reading the options of the policies: every wrong type becomes one clear OptionError.

import { OptionError } from "../core/errors.ts";

function wrong(owner: string, name: string, expected: string): OptionError {
  return new OptionError(`${owner}: ${name} must be ${expected}`, {
    code: "bad_option",
    hint: `leave ${name} out to get the default`,
  });
}

/** Checks options of one policy; each method returns the value, or the default when it was not given. */
export interface PolicyReader {
  readonly flag: (name: string, value: unknown, fallback: boolean) => boolean;
  /** A whole number of at least `least`. */
  readonly count: (name: string, value: unknown, limits: { fallback: number; least: number }) => number;
  /** A text with something in it. */
  readonly words: (name: string, value: unknown, fallback: string) => string;
}

/** A reader that names `owner` in every complaint; all of them OptionError `bad_option`. */
export function createPolicyReader(owner: string): PolicyReader {
  return {
    flag: (name, value, fallback) => {
      if (value === undefined) return fallback;
      if (typeof value === "boolean") return value;
      throw wrong(owner, name, "true or false");
    },
    count: (name, value, { fallback, least }) => {
      if (value === undefined) return fallback;
      if (typeof value === "number" && Number.isSafeInteger(value) && value >= least) return value;
      throw wrong(owner, name, `a whole number of at least ${least}`);
    },
    words: (name, value, fallback) => {
      if (value === undefined) return fallback;
      if (typeof value === "string" && value.trim() !== "") return value;
      throw wrong(owner, name, "a text that is not empty");
    },
  };
}
