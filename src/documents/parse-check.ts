// Reading a checklist item: the command that decides it, and what is expected of the command. Any text in, never a throw.

import type { Check } from "./check.ts";
import { findCommand } from "./check-command.ts";
import { readExpectation } from "./check-expectation.ts";
import { codeSpans } from "./code-spans.ts";
import { withoutMark } from "./items.ts";

/** A longer item is a report, and no command is looked for in it. */
const MAX_CHARS = 2000;

function withoutBold(text: string): string {
  return codeSpans(text).some(({ code }) => code.includes("**")) ? text : text.replaceAll("**", "");
}

/**
 * Read one item of a goal's checklist. A command is inline code that an arrow follows (`->`, `=>`, `→`) or that the
 * word "run" stands before, in English, Chinese or Portuguese; an item with two of them has none.
 */
export function parseCheck(text: string): Check {
  const found = text.length > MAX_CHARS ? undefined : findCommand(withoutMark(text.trim()));
  if (found === undefined) return { text };
  const expect = readExpectation(withoutBold(found.rest), found.isSeen);
  return expect === undefined ? { text, command: found.command } : { text, command: found.command, expect };
}
