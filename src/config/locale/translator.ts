// The three languages, and saying an error thrown elsewhere in one of them.

import { fillMessage, type Language, type MessageKey, type Messages } from "./catalogue.ts";
import { en } from "./en.ts";
import { pt } from "./pt.ts";
import { type Translator, translatorOf } from "./say-message.ts";
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

/**
 * The words of an error: the catalogue's where it has the error's code, else the error's own English.
 * A translated message keeps the English detail behind it: names and paths are only there.
 */
export function translateError(t: Translator, error: ErrorWords & { readonly code: string }): ErrorWords {
  const messages = LANGUAGES[t.language];
  const find = (key: string, otherwise: string): string =>
    Object.hasOwn(messages, key) ? messages[key as MessageKey] : otherwise;
  const values = { message: error.message, hint: error.hint };
  return {
    message: fillMessage(find(`error.${error.code}`, "{message}"), values),
    hint: fillMessage(find(`hint.${error.code}`, "{hint}"), values),
  };
}
