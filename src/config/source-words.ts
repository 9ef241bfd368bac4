// What sources of configuration and their faults are called, as words. Reports for programs keep the English, which is
// how sources name themselves; only a person gets another language.

import type { WordValue } from "../core/words.ts";
import { en } from "./locale/en.ts";
import { sayValue, type Translator } from "./locale/translator.ts";
import { wordsOf } from "./locale/words.ts";

const KNOWN = [
  "source.environment",
  "source.default",
  "source.absent",
  "source.folder",
  "source.unreadable",
  "source.loop",
  "source.special",
  "source.large",
  "source.binary",
  "source.not_json",
  "source.no_settings",
] as const;

/** The name of a source, or why one was not read, as words where it is flower's own and no path. */
export function sourceValue(text: string): WordValue {
  const key = KNOWN.find((each) => en[each] === text);
  return key === undefined ? text : wordsOf(key);
}

/** The same, in a person's language. */
export function saySource(t: Translator, text: string): string {
  return sayValue(t, sourceValue(text));
}

/** A source and what is the matter with it. */
export function placeValue(name: string, notes: readonly string[]): WordValue {
  const place = sourceValue(name);
  return notes.length === 0
    ? place
    : wordsOf("source.why", { place, why: listValue(notes.map(sourceValue)) });
}

/** Several values as one. */
export function listValue(values: readonly WordValue[]): WordValue {
  const [first = "", ...others] = values;
  return others.reduce((list, next) => wordsOf("source.list", { list, next }), first);
}
