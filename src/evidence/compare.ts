// What a command did, held against what the goal expects of it. What is prose is left to the judge; the exit code beside
// it is not, unless the words speak of one.

import type { Translator } from "../config/locale/translator.ts";
import { stripEscapes } from "../core/text.ts";
import { type Expectation, type Part, partsOf } from "../documents/check.ts";
import type { Creation } from "./created-path.ts";
import { expectationText } from "./expectation-text.ts";
import { matchesInTime } from "./matches-in-time.ts";
import type { CommandRun } from "./run-command.ts";

/** A result with everything it is compared by. */
export interface CompareInput {
  readonly expect: Expectation | undefined;
  readonly run: CommandRun;
  /** What became of each path the check expects to be created. */
  readonly creations: ReadonlyMap<string, Creation>;
  readonly say: Translator;
}

/** From the end on: an expression would look at every run of line ends there is, each from all of its places. */
function withoutLastLineEnds(text: string): string {
  let end = text.length;
  while (text[end - 1] === "\n") end -= 1;
  return text.slice(0, end);
}

function exitFault({ expect, run, say }: CompareInput): string | undefined {
  if (run.startError !== undefined) return say("evidence.why.start", { reason: run.startError });
  if (run.signal !== undefined) return say("evidence.why.signal", { signal: run.signal });
  const parts = partsOf(expect);
  const named = parts.find((part) => part.kind === "exits" || part.kind === "fails");
  const found = run.exitCode ?? -1;
  if (named?.kind === "fails") return found === 0 ? say("evidence.why.succeeded") : undefined;
  const isOpen = parts.some((part) => part.kind === "prose" && part.anyExit === true);
  if (named === undefined && isOpen) return undefined;
  const expected = named?.kind === "exits" ? named.code : 0;
  return found === expected ? undefined : say("evidence.why.exit", { code: found, expected });
}

/** Of no more than these, so that output nobody compares is not gone through. */
const ON_OUTPUT: ReadonlySet<Part["kind"]> = new Set(["prints", "prints_exactly", "prints_not", "matches"]);

/** Longer output is in its file alone; cut here, half of a secret could slip past the mask. */
const SHOWN_CHARS = 60;

/** What was printed instead, where that is one short line or nothing. */
function insteadOf({ run, say }: CompareInput, stdout: string): string {
  const printed = stdout.trim();
  if (run.isStdoutCut || printed.length > SHOWN_CHARS || printed.includes("\n")) return "";
  return printed === ""
    ? say("evidence.why.printed_nothing")
    : say("evidence.why.printed", { text: JSON.stringify(printed) });
}

/** @param stdout - As it is compared: without colours, other escapes and carriage returns. */
function outputFault(part: Part, stdout: string, input: CompareInput): string | undefined {
  const { run, say } = input;
  const what = expectationText(part);
  const unexpected = () => say("evidence.why.output", { what }) + insteadOf(input, stdout);
  const tooLong = () => say("evidence.why.too_long", { what });
  if (part.kind === "prints") {
    if (stdout.includes(part.text)) return undefined;
    if (run.isStdoutCut) return tooLong();
    const isOnStderr = stripEscapes(run.stderr).includes(part.text);
    return isOnStderr ? say("evidence.why.on_stderr", { what }) : unexpected();
  }
  if (part.kind === "prints_exactly") {
    return !run.isStdoutCut && stdout.trim() === part.text.trim() ? undefined : unexpected();
  }
  if (part.kind === "prints_not") {
    if (stdout.includes(part.text)) return say("evidence.why.output", { what });
    return run.isStdoutCut ? tooLong() : undefined;
  }
  if (part.kind !== "matches") return undefined;
  if (run.isStdoutCut) return tooLong();
  const isFound = matchesInTime(withoutLastLineEnds(stdout), part);
  if (isFound === undefined) return say("evidence.why.slow", { what });
  return isFound ? undefined : unexpected();
}

function partFault(part: Part, stdout: string, input: CompareInput): string | undefined {
  if (part.kind !== "creates") return outputFault(part, stdout, input);
  const creation = input.creations.get(part.path) ?? "missing";
  if (creation === "made") return undefined;
  const key = creation === "missing" ? "evidence.why.not_there" : "evidence.why.not_written";
  return input.say(key, { path: part.path });
}

/** Why a result is not what is expected, in one line for people; empty when it is. */
export function faultOf(input: CompareInput): string {
  const parts = partsOf(input.expect);
  // Once a run: it may be 8 MB.
  const stdout = parts.some(({ kind }) => ON_OUTPUT.has(kind)) ? stripEscapes(input.run.stdout) : "";
  const others = parts.map((part) => partFault(part, stdout, input));
  return [exitFault(input), ...others].filter((fault) => fault !== undefined).join("; ");
}
