// Questions, answers and a person's words as readable Markdown: the log on disk and the transcript are the same text.

import type { Ask, Mail } from "./ask.ts";
import { localTime, quoteWords } from "./words.ts";

const OUTCOMES = {
  asked: "still waiting",
  answered: "answered",
  timeout: "nobody answered",
  declined: "skipped",
  over_budget: "not asked: no questions left",
  invalid: "not asked: empty question",
} as const;

/** The question as it was put. */
export function renderAsked(ask: Ask): string {
  const parts = [`## Question ${ask.id} (${localTime(ask.askedAt)})`, quoteWords(ask.question || "(empty)")];
  if (ask.options.length > 0) {
    parts.push(`Options:\n\n${quoteWords(ask.options.map((option, i) => `${i + 1}. ${option}`).join("\n"))}`);
  }
  return `${parts.join("\n\n")}\n\n`;
}

/** How the question ended. `withdrawn` says that its turn was stopped. */
export function renderSettled(ask: Ask, withdrawn = false): string {
  const outcome = withdrawn ? "withdrawn: the turn was stopped" : OUTCOMES[ask.state];
  const head = `### Answer to ${ask.id} (${outcome}, after ${Math.round(ask.waitedS)} s)\n\n`;
  if (ask.answer !== "") return `${head}${quoteWords(ask.answer)}\n\n`;
  return ask.state === "answered" ? `${head}> (empty)\n\n` : head;
}

/** Words that came unasked, or too late. */
export function renderMail(mail: Mail): string {
  const late = mail.lateFor === undefined ? "" : `, too late for ${mail.lateFor}`;
  return `## From the person ${mail.id} (${localTime(mail.at)}${late})\n\n${quoteWords(mail.text)}\n\n`;
}

/** Everything said through a channel, in order of time. */
export function renderTranscript(asks: readonly Ask[], mail: readonly Mail[]): string {
  const blocks = [
    ...asks.map((ask) => ({
      at: ask.askedAt,
      text: renderAsked(ask) + (ask.state === "asked" ? "" : renderSettled(ask)),
    })),
    ...mail.map((letter) => ({ at: letter.at, text: renderMail(letter) })),
  ];
  return blocks
    .sort((a, b) => a.at - b.at)
    .map((block) => block.text)
    .join("");
}
