// A person's or a model's words made safe to keep: no escapes, no broken characters, and quotable in Markdown.

import { stripEscapes } from "../core/text.ts";

/** Longest text taken from one question, answer or message, in characters; more is a paste gone wrong. */
const MAX_WORDS = 100_000;

/** Words as they may be stored and sent on: escapes and lone surrogates gone, one kind of line end, trimmed. */
export function cleanWords(text: string): string {
  return stripEscapes(text.slice(0, MAX_WORDS))
    .replace(/[\u2028\u2029]/g, "\n")
    .replace(/\p{Surrogate}/gu, "\ufffd")
    .split("\n")
    .map((line) => line.trimEnd())
    .join("\n")
    .trim();
}

/** A Markdown block quote: whatever the words hold, they open no heading and no fence of the document around them. */
export function quoteWords(words: string): string {
  return words
    .split("\n")
    .map((line) => (line === "" ? ">" : `> ${line}`))
    .join("\n");
}

function two(n: number): string {
  return String(n).padStart(2, "0");
}

/** `YYYY-MM-DD HH:MM:SS` in local time. */
export function localTime(epoch: number): string {
  const at = new Date(epoch * 1000);
  const day = `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
  return `${day} ${two(at.getHours())}:${two(at.getMinutes())}:${two(at.getSeconds())}`;
}
