// What flower says of an event in a person's language: events carry the sentence as data, and English beside it. Pure.

import { sayWords, type Translator, translateFailure } from "../../config/locale/translator.ts";
import { readFailureFacts, readWords } from "../../config/locale/words.ts";
import { stripEscapes } from "../../core/text.ts";
import type { Event } from "../../events/event.ts";
import { diagnose } from "../../runtime/diagnose.ts";

/** The causes that have a sentence of their own. */
const CAUSES = [
  ...["auth", "credit", "model", "overloaded", "rate_limit", "limit", "timeout", "network", "server"],
  "prompt_too_long",
] as const;

/** What an event says: its sentence in the person's language, else its text. */
export function ownWords(event: Event, t: Translator): string {
  const payload = event.payload as Readonly<Record<string, unknown>>;
  const words = readWords(payload.words);
  const said = words === undefined ? undefined : sayWords(t, words);
  return stripEscapes(said ?? event.text).trim();
}

/** Why something is tried again. */
export function failureWords(event: Event, t: Translator): string {
  const payload = event.payload as Readonly<Record<string, unknown>>;
  const failure = readFailureFacts(payload.why);
  return translateFailure(t, { error: event.text, hint: "", failure }).message;
}

/** An error in the words of the API or the harness, with what it means before them where those are not English. */
export function apiWords(text: string, t: Translator): string {
  const said = stripEscapes(text).trim();
  if (said === "") return "";
  const { cause } = diagnose(said);
  const known = CAUSES.find((each) => each === cause);
  return t(known === undefined ? "api.other" : `api.${known}`, { said });
}
