// A frozen document was changed while an agent worked: the person says what counts.

import type { Translator } from "../../config/locale/translator.ts";
import type { HumanChannel } from "../../people/human-channel.ts";
import { changedLines } from "./paper-change.ts";

/** What the person is asked about. */
export interface ChangeQuestion {
  readonly channel: HumanChannel | undefined;
  readonly say: Translator;
  readonly signal: AbortSignal | undefined;
  /** File name of the document. */
  readonly name: string;
  readonly step: string;
  readonly before: string;
  readonly after: string;
}

/**
 * Ask whether a change counts. Only the option itself says so: other words, silence and an empty answer keep what was
 * frozen.
 * @returns `ended` when the run was ended before an answer came.
 */
export async function askAboutChange(question: ChangeQuestion): Promise<"take" | "keep" | "ended"> {
  const { channel, say, signal, name, step, before, after } = question;
  if (channel === undefined) return "keep";
  const take = say("frozen.option.take");
  const words = `${say("frozen.ask", { name, step })}\n${changedLines(before, after)}`.trim();
  try {
    const ask = await channel.ask(words, [take, say("frozen.option.keep")], { signal });
    return ask.state === "answered" && ask.answer.trim() === take ? "take" : "keep";
  } catch (error) {
    if (signal?.aborted) return "ended";
    throw error;
  }
}
