// What flower notices beside the model's own words, told to whoever listens: a sentence of the catalogue, never one of its
// own, so that a person reads it in their language.

import { inEnglish } from "../config/locale/words.ts";
import type { Words } from "../core/words.ts";
import { createEvent, type Event } from "../events/event.ts";

/** A notice of flower's own; its text is English, and `words` in its payload is what a screen says. */
export function createNotice(
  notice: string,
  words: Words,
  more: Readonly<Record<string, unknown>> = {},
): Event {
  return createEvent("task", { text: inEnglish(words), payload: { notice, words, ...more } });
}
