// A regular expression from a goal, tried with a bound: one that backtracks without end must not hang the run.

import { runInNewContext } from "node:vm";

/** Longer than any sensible expression takes on megabytes, short enough not to be noticed. */
const MAX_MS = 1000;

/** Whether the text matches; undefined when that could not be told in time. */
export function matchesInTime(
  text: string,
  { pattern, flags }: { readonly pattern: string; readonly flags: string },
): boolean | undefined {
  try {
    const found: unknown = runInNewContext(
      "new RegExp(pattern, flags).test(text)",
      { pattern, flags, text },
      { timeout: MAX_MS },
    );
    return found === true;
  } catch {
    return undefined;
  }
}
