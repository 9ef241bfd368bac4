// What a file says about itself in its first lines. Pure: the head of the file in, one line out.

import { oneLine } from "../core/text.ts";

/** Lines looked at. */
const HEAD_LINES = 8;
const MAX_CHARS = 100;

const DESC = /^\s*(?:#|\/\/|--)\s*desc:\s*(.*)$/i;
const COMMENT = /^\s*(?:#+|\/\/+|--+|\/\*+|\*+|<!--|;+|%+)\s*(.*?)\s*(?:\*\/|-->)?\s*$/;
const DOCSTRING = /^\s*[rRuU]?(?:"""|''')(.*?)(?:"""|''')?\s*$/;
/** Comments for machines: they describe nothing. */
const MACHINE =
  /^(?:!|-\*-|coding[:=]|vim?:|eslint|biome-ignore|@ts-|prettier-|shellcheck|pylint|noqa|type:)/i;

function saysSomething(text: string): boolean {
  return /[\p{L}\p{N}]/u.test(text) && !MACHINE.test(text);
}

function docstring(lines: readonly string[]): string {
  const at = lines.findIndex((line) => DOCSTRING.test(line));
  if (at < 0) return "";
  const first = DOCSTRING.exec(lines[at] ?? "")?.[1] ?? "";
  return saysSomething(first) ? first : (lines.slice(at + 1).find(saysSomething) ?? "");
}

function firstComment(lines: readonly string[]): string {
  for (const line of lines) {
    const text = COMMENT.exec(line)?.[1] ?? "";
    if (saysSomething(text)) return text;
  }
  return "";
}

/**
 * One line about a file, at most 100 characters: `# desc:` (also `//`, `--`) in its first 8 lines, else the first
 * comment or docstring line there; prose (`.md`, `.txt`) also by its first line. Empty when it says nothing.
 */
export function describeFile(name: string, head: string): string {
  if (head.includes("\0")) return "";
  const lines = head
    .replace(/^\ufeff/, "")
    .split(/\r\n|\n|\r/)
    .slice(0, HEAD_LINES);
  for (const line of lines) {
    const told = DESC.exec(line)?.[1];
    if (told !== undefined && saysSomething(told)) return oneLine(told, MAX_CHARS);
  }
  const prose = /\.(?:md|markdown|txt)$/i.test(name) ? (lines.find(saysSomething) ?? "") : "";
  const found = firstComment(lines) || docstring(lines) || prose;
  return oneLine(found, MAX_CHARS);
}
