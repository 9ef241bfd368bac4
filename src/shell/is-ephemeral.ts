// The one question this room answers: does a command line only look?

import { argumentsAllowed } from "./check-arguments.ts";
import { parseLine } from "./parse-line.ts";
import type { ShellCommand } from "./shell-word.ts";
import { VERBS } from "./verbs.ts";

// A glance is a line or two; what is longer is no glance, and a cap keeps hostile input cheap.
const MAX_COMMAND_CHARS = 20_000;
// Newline and tab are the only control characters a shell and a reader agree about.
// biome-ignore lint/suspicious/noControlCharactersInRegex: this pattern exists to refuse control characters
const CONTROL = /[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\ufeff]/;

function commandAllowed({ words }: ShellCommand): boolean {
  const verb = words[0];
  if (verb?.kind !== "literal") return false;
  const rule = VERBS.get(verb.text);
  return rule !== undefined && argumentsAllowed(rule, words.slice(1));
}

/**
 * Whether every command in a shell line is known to only look: it changes no state, writes no file, runs no
 * other program and ends by itself. Decides by reading alone; anything not understood is `false`. Never throws.
 * Lines over 20,000 characters are `false`: no glance is that long.
 * @param command - a shell line
 * @example
 * ```ts
 * import { isEphemeral } from "flower-agent";
 *
 * console.log(isEphemeral("git status | head -5")); // true
 * console.log(isEphemeral("git status > state.txt")); // false
 * ```
 */
export function isEphemeral(command: string): boolean {
  if (typeof command !== "string" || command.length > MAX_COMMAND_CHARS || CONTROL.test(command))
    return false;
  try {
    const commands = parseLine(command, commandAllowed);
    return commands !== null && commands.length > 0;
  } catch {
    // A parser that fails has understood nothing.
    return false;
  }
}
