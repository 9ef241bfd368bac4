// Sentences of the catalogue as data: made where something happens, read back from events and files, said where they are
// shown. What happens is known below the screen, its language only there.

import { errorText, FlowerError } from "../../core/errors.ts";
import { isRecord } from "../../core/json.ts";
import { oneLine } from "../../core/text.ts";
import type { FailureFacts, Words, WordValue, WordValues } from "../../core/words.ts";
import { fillMessage, type MessageKey, type Messages, type ParameterNames } from "./catalogue.ts";
import { en } from "./en.ts";

/** Values for each of these names. */
type ValuesFor<Names extends string> = [Names] extends [never]
  ? []
  : [values: Readonly<Record<Names, WordValue>>];

/** What a failure of flower's own is called: the catalogue says it as `error.<code>`. */
export type FailureCode = { [K in MessageKey]: K extends `error.${infer Code}` ? Code : never }[MessageKey];

type TextOf<Key extends string> = Key extends MessageKey ? (typeof en)[Key] : "";

/** A failure with what a program, a log and a person in any language need of it. */
export interface FailureWords {
  /** In English. */
  readonly error: string;
  /** What to do next, in English; empty when there is nothing better than trying again. */
  readonly hint: string;
  readonly failure: FailureFacts;
}

/** A sentence of the catalogue; the compiler checks key and values. */
export function wordsOf<Key extends MessageKey>(
  key: Key,
  ...[values]: ValuesFor<ParameterNames<(typeof en)[Key]>>
): Words {
  return { key, values: values ?? {} };
}

function has(messages: Messages, key: string): key is MessageKey {
  return Object.hasOwn(messages, key);
}

function plainValues(messages: Messages, values: WordValues): Record<string, string | number> {
  const plain = (value: WordValue): string | number =>
    typeof value === "object" ? (sayIn(messages, value) ?? "") : value;
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, plain(value)]));
}

/** Say words in the language of `messages`; undefined for a key it does not have. */
export function sayIn(messages: Messages, words: Words): string | undefined {
  if (!has(messages, words.key)) return undefined;
  return fillMessage(messages[words.key], plainValues(messages, words.values));
}

/** The words in English, as a log and a program get them. */
export function inEnglish(words: Words): string {
  return sayIn(en, words) ?? "";
}

/** Why something is not as it should be: in English, and as data. */
export interface Reason {
  readonly why: string;
  readonly words: WordValue;
}

/** Words as a reason. */
export function toReason(words: WordValue): Reason {
  return { why: typeof words === "object" ? inEnglish(words) : String(words), words };
}

/** A failure of flower's own, from the catalogue; the compiler checks code and values. */
export function failureOf<Code extends FailureCode>(
  code: Code,
  ...[values]: ValuesFor<ParameterNames<TextOf<`error.${Code}`>> | ParameterNames<TextOf<`hint.${Code}`>>>
): FailureWords {
  const facts: FailureFacts = { code, values: values ?? {} };
  const said = (key: string) => sayIn(en, { key, values: facts.values }) ?? "";
  return { error: said(`error.${code}`), hint: said(`hint.${code}`), failure: facts };
}

/** Something thrown, as part of another sentence: flower's own errors by their code, others in their own words. */
export function reasonOf(error: unknown): WordValue {
  if (!(error instanceof FlowerError) || !has(en, `error.${error.code}`))
    return oneLine(errorText(error), 500);
  return { key: `error.${error.code}`, values: { ...error.values, message: error.message } };
}

/** A failure, as part of another sentence. */
export function reasonOfFailure({
  error,
  failure,
}: {
  readonly error: string;
  readonly failure: FailureFacts | null;
}): WordValue {
  if (failure === null || !has(en, `error.${failure.code}`)) return error;
  return { key: `error.${failure.code}`, values: { ...failure.values, message: error } };
}

/** What to do about a failure, as part of another sentence. */
export function hintOfFailure({
  hint,
  failure,
}: {
  readonly hint: string;
  readonly failure: FailureFacts | null;
}): WordValue {
  if (failure === null || hint === "" || !has(en, `hint.${failure.code}`)) return hint;
  return { key: `hint.${failure.code}`, values: { ...failure.values, hint } };
}

function isValue(value: unknown): value is WordValue {
  return typeof value === "string" || typeof value === "number" || readWords(value) !== undefined;
}

function areValues(values: unknown): values is WordValues {
  return isRecord(values) && Object.values(values).every(isValue);
}

/** Words as an event or a file holds them; undefined for anything else. */
export function readWords(value: unknown): Words | undefined {
  return isRecord(value) && typeof value.key === "string" && areValues(value.values)
    ? { key: value.key, values: value.values }
    : undefined;
}

/** Facts of a failure as an event or a file holds them; undefined for anything else. */
export function readFailureFacts(value: unknown): FailureFacts | undefined {
  return isRecord(value) && typeof value.code === "string" && areValues(value.values)
    ? { code: value.code, values: value.values }
    : undefined;
}
