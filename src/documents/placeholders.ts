// What stands in an empty section, written in English and read back as empty in three languages.

import { fold } from "./headings.ts";

/** Written where a section of a brief, a verdict's conclusion or a required part is missing. */
export const NOT_FILLED = "(not filled)";
/** Written where a section or list may stay empty. */
export const EMPTY = "(empty)";
/** Written where a list has nothing to report. */
export const NONE = "(none)";

const MAX_CHARS = 60;
const UNFILLED = new Set([
  "not filled",
  "empty",
  "未填",
  "未填写",
  "空",
  "nao preenchido",
  "nao preenchida",
  "vazio",
  "vazia",
]);
const NOTHING = new Set(["none", "无", "没有", "nenhum", "nenhuma", "nada"]);

function bracketed(text: string): string | undefined {
  if (text.length > MAX_CHARS || !/[)）]/.test(text)) return undefined;
  const inner = /^(?:[-*+]\s+|\d{1,2}[.)]\s+)?[*_]{0,3}[(（]\s*([^()（）]*?)\s*[)）][*_]{0,3}[.。]?$/.exec(
    text,
  )?.[1];
  return inner === undefined ? undefined : fold(inner);
}

/** Nothing, or a placeholder that says the section was never filled. */
export function isUnfilled(text: string): boolean {
  const trimmed = text.trim();
  const inner = bracketed(trimmed);
  return trimmed === "" || (inner !== undefined && UNFILLED.has(inner));
}

/** Nothing, or any placeholder, `(none)` among them. */
export function isBlank(text: string): boolean {
  const inner = bracketed(text.trim());
  return isUnfilled(text) || (inner !== undefined && NOTHING.has(inner));
}
