// A model's or a person's text as safe lines, and the special lines a field's text must not be taken for.
// Every test here looks at a bounded head of the line or runs once over it: any input is linear.

import { stripEscapes } from "../core/text.ts";
import { fenceMark } from "./fences.ts";

// biome-ignore lint/suspicious/noControlCharactersInRegex: finds the control characters that have to go
const UNSAFE = /[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069]/;
// Single-byte string introducers go first: an unterminated one would otherwise be looked for again from each start.
const C1 = /[\x80-\x9f]/g;
const LONE_SURROGATE = /[\uD800-\uDFFF]/gu;
/** Characters of a line that can matter to its being a heading. */
const MARGIN_CHARS = 200;

function safeLine(line: string): string {
  return UNSAFE.test(line) ? stripEscapes(line.replace(C1, "")) : line;
}

/**
 * Split into lines free of a byte order mark, terminal escapes, control characters and lone surrogates.
 * Escapes are removed line by line, so one that is never closed costs its line and not the document.
 */
export function toLines(text: string): readonly string[] {
  const lines = text
    .replace(/^\ufeff/, "")
    .replace(LONE_SURROGATE, "\ufffd")
    .replace(/\r\n?|[\u0085\u2028\u2029]/g, "\n")
    .split("\n");
  return UNSAFE.test(text) ? lines.map(safeLine) : lines;
}

/** The same text with nothing in it that a terminal or a file could act on. */
export function safeText(text: string): string {
  return toLines(text).join("\n");
}

/** A rule or an underline: nothing but three or more of one of `- * _ =`. */
export function isRule(line: string): boolean {
  return line.length >= 3 && line.length <= MARGIN_CHARS && /^([-*_=])\1{2,}$/.test(line.trim());
}

/** The heading under which people's later words stand in a brief. */
export const ADDED_TITLE = "### Added by the person";

function isSpecial(line: string): boolean {
  if (/^ {0,3}#{1,2}(?!#)/.test(line) || line.startsWith(ADDED_TITLE)) return true;
  return isRule(line) || fenceMark(line) !== undefined;
}

function withoutBackslashes(line: string): {
  readonly bare: string;
  readonly indent: string;
  readonly count: number;
} {
  const start = line.length - line.trimStart().length;
  let end = start;
  while (line[end] === "\\") end += 1;
  return { bare: line.slice(0, start) + line.slice(end), indent: line.slice(0, start), count: end - start };
}

/** A line of a field as it is written: one that would read as a heading, rule or fence gets a backslash. */
export function escapeLine(line: string): string {
  const { bare, indent } = withoutBackslashes(line);
  return isSpecial(bare) ? `${indent}\\${line.slice(indent.length)}` : line;
}

/** The inverse of `escapeLine`. */
function unescapeLine(line: string): string {
  if (!line.includes("\\")) return line;
  const { bare, indent, count } = withoutBackslashes(line);
  return count > 0 && isSpecial(bare) ? `${indent}${line.slice(indent.length + 1)}` : line;
}

/** Take off the indentation that all lines share; nothing when the first one has none. */
function dedent(lines: readonly string[]): readonly string[] {
  const indentOf = (line: string): number => line.length - line.trimStart().length;
  let shared = indentOf(lines[0] ?? "");
  if (shared === 0) return lines;
  for (const line of lines) if (line.trim() !== "") shared = Math.min(shared, indentOf(line));
  return lines.map((line) => line.slice(shared));
}

/** Join the lines of a body: rules and blank lines at either end go, escaped lines come back. */
export function joinBody(lines: readonly string[]): string {
  const isEdge = (line: string | undefined): boolean => {
    return line !== undefined && (line.trim() === "" || isRule(line));
  };
  let start = 0;
  let end = lines.length;
  while (start < end && isEdge(lines[start])) start += 1;
  while (end > start && isEdge(lines[end - 1])) end -= 1;
  return dedent(lines.slice(start, end)).map(unescapeLine).join("\n").trim();
}
