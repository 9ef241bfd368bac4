// The three languages, and saying an error thrown elsewhere in one of them.

import type { FailureFacts, Words, WordValue, WordValues } from "../../core/words.ts";
import type { Language, Messages } from "./catalogue.ts";
import { en } from "./en.ts";
import { pt } from "./pt.ts";
import { type Translator, translatorOf } from "./say-message.ts";
import { sayIn } from "./words.ts";
import { zh } from "./zh.ts";

export type { Translator } from "./say-message.ts";

const LANGUAGES: Readonly<Record<Language, Messages>> = { en, zh, pt };

/** What an error says to a person. */
export interface ErrorWords {
  readonly message: string;
  readonly hint: string;
}

/** The translator of one language. */
export function createTranslator(language: Language): Translator {
  return translatorOf(language, LANGUAGES[language]);
}

/** Say words in a person's language; undefined for a sentence this version does not know. */
export function sayWords(t: Translator, words: Words): string | undefined {
  return sayIn(LANGUAGES[t.language], words);
}

/** Say a value that stands in a sentence. */
export function sayValue(t: Translator, value: WordValue): string {
  return typeof value === "object" ? (sayWords(t, value) ?? "") : String(value);
}

/** An error that knows what it is about. */
export interface CodedError extends ErrorWords {
  readonly code: string;
  readonly values?: WordValues;
}

/** The words of an error: the catalogue's where it has the error's code, else the error's own English. */
export function translateError(t: Translator, error: CodedError): ErrorWords {
  const values = { ...error.values, message: error.message, hint: error.hint };
  const say = (key: string, own: string) =>
    (isWhole(t, key, values) ? sayWords(t, { key, values }) : own) ?? own;
  return { message: say(`error.${error.code}`, error.message), hint: say(`hint.${error.code}`, error.hint) };
}

/** Whether all that a sentence is about is known: an error of that code may come from elsewhere, or from an old file. */
function isWhole(t: Translator, key: string, values: WordValues): boolean {
  const messages: Readonly<Record<string, string>> = LANGUAGES[t.language];
  const names = Object.hasOwn(messages, key) ? (messages[key] ?? "").matchAll(/\{(\w+)\}/g) : [];
  return [...names].every(([, name = ""]) => Object.hasOwn(values, name));
}

/** As {@link translateError}, for a failure that is a value; without facts its own English is all there is. */
export function translateFailure(
  t: Translator,
  words: { readonly error: string; readonly hint: string; readonly failure: FailureFacts | undefined },
): ErrorWords {
  const { error: message, hint, failure } = words;
  return failure === undefined ? { message, hint } : translateError(t, { ...failure, message, hint });
}
