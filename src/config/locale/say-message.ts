// Saying the messages of one language.

import {
  fillMessage,
  type Language,
  type MessageKey,
  type MessageParameters,
  type Messages,
} from "./catalogue.ts";

/** Says any message; the compiler checks key and parameters. */
export interface Translator {
  <Key extends MessageKey>(key: Key, ...parameters: MessageParameters<Key>): string;
  readonly language: Language;
}

/** The translator that says these messages. */
export function translatorOf(language: Language, messages: Messages): Translator {
  const say = <Key extends MessageKey>(key: Key, ...[parameters]: MessageParameters<Key>): string =>
    fillMessage(messages[key], parameters ?? {});
  return Object.assign(say, { language });
}
