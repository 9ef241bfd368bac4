// An expectation in words: the verbs of a goal, which are the same whatever the screen's language.

import { oneLine } from "../core/text.ts";
import type { Expectation, Part } from "../documents/check.ts";

/** A long text says no more than its beginning. */
const MAX_CHARS = 120;

function quoted(text: string): string {
  return JSON.stringify(oneLine(text, MAX_CHARS));
}

function partText(part: Part): string {
  if (part.kind === "prints") return `prints ${quoted(part.text)}`;
  if (part.kind === "prints_exactly")
    return part.text === "" ? "prints nothing" : `prints exactly ${quoted(part.text)}`;
  if (part.kind === "prints_not") return `does not print ${quoted(part.text)}`;
  if (part.kind === "matches") return `matches /${oneLine(part.pattern, MAX_CHARS)}/${part.flags}`;
  if (part.kind === "exits") return `exits ${part.code}`;
  if (part.kind === "fails") return "exits non-zero";
  if (part.kind === "creates") return `creates ${oneLine(part.path, MAX_CHARS)}`;
  return oneLine(part.text, MAX_CHARS);
}

/** What is expected, in one line; nothing said is exit code 0. */
export function expectationText(expect: Expectation | undefined): string {
  if (expect === undefined) return "exits 0";
  return expect.kind === "all" ? expect.parts.map(partText).join(", ") : partText(expect);
}
