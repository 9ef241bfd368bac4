// Why a step ended whose agent would not stop repeating itself, in words a person can act on. Pure.

import { failureOf, wordsOf } from "../config/locale/words.ts";
import { oneLine } from "../core/text.ts";
import type { Runaway } from "../guards/repeat-guard.ts";
import type { FailureWords } from "./failure.ts";

/** Longest part of a call's input that is shown. */
const INPUT_CHARS = 160;

function inputText(input: unknown): string {
  try {
    return oneLine(JSON.stringify(input) ?? "", INPUT_CHARS);
  } catch {
    return "";
  }
}

/** The diagnosis of a runaway agent. */
export function runawayWords(runaway: Runaway): FailureWords {
  const { agentType, tool, input, repeats, refusals } = runaway;
  const who = agentType === undefined ? wordsOf("who.main") : wordsOf("who.worker", { worker: agentType });
  return failureOf("runaway", { who, tool, repeats, refusals, input: inputText(input) });
}
