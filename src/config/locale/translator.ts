// Saying a message in one language, and saying an error thrown elsewhere.

import {
  fillMessage,
  type Language,
  type MessageKey,
  type MessageParameters,
  type Messages,
} from "./catalogue.ts";
import { en } from "./en.ts";
import { pt } from "./pt.ts";
import { zh } from "./zh.ts";

const LANGUAGES: Readonly<Record<Language, Messages>> = { en, zh, pt };

/** Says any message; the compiler checks key and parameters. */
export interface Translator {
  <Key extends MessageKey>(key: Key, ...parameters: MessageParameters<Key>): string;
  readonly language: Language;
}

/** What an error says to a person. */
export interface ErrorWords {
  readonly message: string;
  readonly hint: string;
}

/** The translator of one language. */
export function createTranslator(language: Language): Translator {
  const messages = LANGUAGES[language];
  const say = <Key extends MessageKey>(key: Key, ...[parameters]: MessageParameters<Key>): string =>
    fillMessage(messages[key], parameters ?? {});
  return Object.assign(say, { language });
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
