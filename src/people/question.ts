// What models send as a question, in whatever shape, read into words and a list of choices. Pure.

import { isRecord } from "../core/json.ts";
import { oneLine } from "../core/text.ts";
import { cleanWords } from "./words.ts";

/** More choices than a person can be shown; the rest is left out, and the question says so. */
export const MAX_OPTIONS = 50;
const MAX_OPTION_CHARS = 500;
const LABEL_KEYS = ["label", "text", "title", "name", "option", "value", "question"] as const;

/** A question ready to be shown; `question` is empty when there was none. */
export interface ReadQuestion {
  readonly question: string;
  readonly options: readonly string[];
}

function labelOf(value: Readonly<Record<string, unknown>>): string {
  for (const key of LABEL_KEYS) {
    const label = value[key];
    if (typeof label !== "string" || label.trim() === "") continue;
    const more = value.description;
    return typeof more === "string" && more.trim() !== "" ? `${label}: ${more}` : label;
  }
  return Object.entries(value)
    .filter(([, part]) => typeof part !== "object")
    .map(([key, part]) => `${key}: ${String(part)}`)
    .join(", ");
}

function wordsOf(value: unknown): string {
  if (typeof value === "string") return value;
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  if (Array.isArray(value)) return value.map(wordsOf).filter(Boolean).join(", ");
  return isRecord(value) ? labelOf(value) : "";
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Choices from a list, a list written as JSON, one choice a line, or an object of key and meaning. */
function optionValues(raw: unknown): readonly unknown[] {
  if (Array.isArray(raw)) return raw;
  if (typeof raw === "string") {
    const value = parsed(raw);
    if (Array.isArray(value)) return value;
    if (isRecord(value)) return optionValues(value);
    return raw.split(/\r?\n/).map((line) => line.replace(/^\s*[-*•]\s+/, ""));
  }
  if (!isRecord(raw)) return raw === undefined || raw === null ? [] : [raw];
  if (Array.isArray(raw.options)) return raw.options;
  return Object.entries(raw).map(([key, meaning]) => `${key}: ${wordsOf(meaning)}`);
}

/** Read any input into a question. Never throws; reading its own result again changes nothing. */
export function readQuestion(input: {
  readonly question: unknown;
  readonly options?: unknown;
}): ReadQuestion {
  const question = cleanWords(wordsOf(input.question));
  const options = optionValues(input.options)
    .map((value) => oneLine(cleanWords(wordsOf(value)), MAX_OPTION_CHARS))
    .filter((option) => option !== "");
  const distinct = [...new Set(options)];
  const left = distinct.length - MAX_OPTIONS;
  if (question === "" || left <= 0) return { question, options: distinct };
  return {
    question: `${question}\n(${left} more choices were left out)`,
    options: distinct.slice(0, MAX_OPTIONS),
  };
}
