// The no-progress brake: a rejected round that left everything as the round before is not followed by another one
// unless a person says so.

import type { Translator } from "../config/locale/translator.ts";
import { failureOf, wordsOf } from "../config/locale/words.ts";
import { readProcessEnv } from "../config/process-env.ts";
import { sha256 } from "../core/ids.ts";
import type { Words } from "../core/words.ts";
import { fingerprintWork, type WorkTree } from "../evidence/work-tree.ts";
import type { HumanChannel } from "../people/human-channel.ts";
import { createNotice } from "../runtime/notice.ts";
import { type Ctx, ROUND_KEY, VERDICT_KEY } from "./context.ts";
import { abortWith } from "./step.ts";
import { failedNumbers } from "./verdict/item-numbers.ts";

/** What a round is compared by, and who is asked. */
export interface ProgressInput {
  readonly ctx: Ctx;
  /** Under which the last round's fingerprint is kept. */
  readonly name: string;
  readonly channel: HumanChannel;
  readonly say: Translator;
  readonly rounds: number;
  /** The files a round is compared by. */
  readonly work: WorkTree;
  /** Checks of the goal, in order. */
  readonly checks: readonly string[];
}

function tell(input: ProgressInput, phase: "none" | "blind", words: Words): void {
  const place = { phase, round: input.ctx[ROUND_KEY] ?? 0, rounds: input.rounds };
  input.ctx._onEvent?.(createNotice("progress", words, place));
}

/** @returns words of the person for the next round; empty when they only let it go on. */
async function askPerson(input: ProgressInput): Promise<string> {
  const { ctx, channel, say, rounds } = input;
  const why = ctx[VERDICT_KEY]?.reason ?? "";
  const round = ctx[ROUND_KEY] ?? 0;
  const [goOn, stop] = [say("progress.option.on"), say("progress.option.stop")];
  const question = `${say("progress.ask", { round, rounds })}\n${why}`.trim();
  const ask = await channel.ask(question, [goOn, stop], { signal: ctx._signal });
  const answer = ask.answer.trim();
  if (ask.state === "answered" && answer === goOn) return "";
  // An empty answer decides nothing, and nothing is what this brake must not let cost another round.
  if (ask.state === "answered" && answer !== "" && answer !== stop) return `The person says:\n${answer}`;
  const reason = wordsOf(ask.state === "answered" ? "progress.by_person" : "progress.by_nobody");
  const because = why === "" ? "" : wordsOf("progress.because", { why });
  throw abortWith(failureOf("no_progress", { reason, because }));
}

/** Something new was said or decided: the next round is compared with nothing. */
export function forgetProgress(ctx: Ctx, name: string): void {
  delete ctx._fingerprints?.[name];
}

/**
 * Compare a rejected round with the one before.
 * @returns words for the next round, mostly none.
 * @throws StepAbort when nothing changed and nobody says to go on; the signal's reason when it aborts.
 */
export async function watchProgress(input: ProgressInput): Promise<string> {
  const { ctx, name } = input;
  const tree = await fingerprintWork(input.work, readProcessEnv(), ctx._signal);
  const before = ctx._fingerprints?.[name];
  if (tree.kind === "blind") {
    forgetProgress(ctx, name);
    tell(input, "blind", wordsOf("progress.blind", { why: tree.words ?? tree.why }));
    return "";
  }
  const failed = failedNumbers(ctx[VERDICT_KEY]?.failed ?? [], input.checks).join(",");
  const now = sha256(`${tree.hash}\n${failed}`);
  ctx._fingerprints = Object.assign(ctx._fingerprints ?? Object.create(null), { [name]: now });
  if (now !== before) return "";
  tell(input, "none", wordsOf("progress.none"));
  return askPerson(input);
}
