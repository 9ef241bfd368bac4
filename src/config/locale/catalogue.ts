// The shape of the catalogue: keys and parameters, both read off the English texts by the compiler.

import type { en } from "./en.ts";

/** Name of a message. */
export type MessageKey = keyof typeof en;

/** A whole language: every message, nothing else. */
export type Messages = Readonly<Record<MessageKey, string>>;

/** A language flower speaks. */
export type Language = "en" | "zh" | "pt";

/** The parameters a text names, as a union of their names. */
export type ParameterNames<Text extends string> = Text extends `${string}{${infer Name}}${infer Rest}`
  ? Name | ParameterNames<Rest>
  : never;

/** What `t` takes after the key: nothing, or an object with exactly the parameters of the text. */
export type MessageParameters<Key extends MessageKey> = [ParameterNames<(typeof en)[Key]>] extends [never]
  ? []
  : [parameters: Readonly<Record<ParameterNames<(typeof en)[Key]>, string | number>>];

/** Put values in a text's places, once: a value that looks like a place stays as it is. */
export function fillMessage(text: string, parameters: Readonly<Record<string, string | number>>): string {
  return text.replace(/\{(\w+)\}/g, (place, name: string) =>
    Object.hasOwn(parameters, name) ? String(parameters[name]) : place,
  );
}
