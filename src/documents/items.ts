// Lists of a document: the items of a body, wrapped lines and sub-items kept with the item they belong to.

import { codeSpans } from "./code-spans.ts";
import { fold } from "./headings.ts";
import { isRule } from "./lines.ts";
import { isBlank } from "./placeholders.ts";

const BULLET = "[-*+•·](?=\\s)";
// `1.5 seconds` is no first item: behind a dot or bracket comes a space, or a script that does without.
const NUMBERED = "\\d{1,3}[.)](?=\\s|[^\\x00-\\x7f])|\\d{1,3}[、．]|[(（]\\d{1,3}[)）]";
const NAMING_NUMBER = /^ {0,3}[(（]?(\d{1,3})(?:[.)](?=\s)|[、．）])/;
const BOX = "\\[[ xX]?\\]\\s+";
const MARKER = new RegExp(`^(\\s*)(?:(?:${BULLET}|${NUMBERED})\\s*(?:${BOX})?|${BOX})`);
const BARE_MARKER = /^\s*(?:[-*+•·]|\d{1,3}[.)、．])?\s*(?:\[[ xX]?\])?\s*$/;
/** A marker stands within this many characters of its line. */
const HEAD_CHARS = 80;
const UNVERIFIABLE =
  /[[［【]\s{0,4}(?:(?:cannot|can't|can not) (?:be )?verif(?:y|ied) here|not verifiable here|此环境无法验证|nao verificavel aqui)\s{0,4}[:：\]］】]/;
const BRACKET_END = /[\]］】][*_`.。;；]{0,4}$/;

/** Does the item end in the mark `[cannot verify here: …]`, in any of the three languages? */
export function isUnverifiable(item: string): boolean {
  const text = item.trim();
  return BRACKET_END.test(text.slice(-8)) && UNVERIFIABLE.test(fold(text));
}

const MARK_START =
  /[[［【]\s{0,4}(?:cannot|can't|can not|not verifiable|此环境|n(?:[aã]|a\u0303)o verific)/gi;

/** The item without the mark `[cannot verify here: …]` at its end. */
export function withoutMark(item: string): string {
  if (!isUnverifiable(item)) return item;
  const start = [...item.matchAll(MARK_START)].at(-1)?.index;
  return start === undefined ? item : item.slice(0, start).trimEnd();
}

interface Part {
  readonly separator: string;
  readonly text: string;
}

interface Reader {
  readonly items: Part[][];
  base: number;
  isAfterBlank: boolean;
}

function depth(space: string): number {
  let cells = 0;
  for (const char of space) cells += char === "\t" ? 4 : 1;
  return cells;
}

function addMarked(reader: Reader, indent: number, text: string): void {
  const current = reader.items.at(-1);
  if (current !== undefined && indent > reader.base + 1) {
    current.push({ separator: "; ", text });
    return;
  }
  reader.base = indent;
  reader.items.push([{ separator: "", text }]);
}

function addText(reader: Reader, line: string, isList: boolean): void {
  const text = line.trim();
  const current = reader.items.at(-1);
  const isContinued = /^\s/.test(line) || (isList && !reader.isAfterBlank);
  if (current !== undefined && isContinued) {
    current.push({ separator: " ", text });
    return;
  }
  // A sentence that leads into the list is no item of it.
  if (!isList || !/[:：]$/.test(text)) reader.items.push([{ separator: "", text }]);
}

/** One line of an item's parts; a mark that would end up in the middle moves to the end, or nothing would see it. */
function joinParts(parts: readonly Part[]): string {
  const item = oneItem(parts.map(({ separator, text }) => separator + text).join(""));
  if (!/[\]］】]/.test(item) || isUnverifiable(item)) return item;
  const at = parts.findIndex(({ text }) => isUnverifiable(text));
  if (at === -1) return item;
  const text = parts[at]?.text ?? "";
  const from = Math.max(text.lastIndexOf("["), text.lastIndexOf("［"), text.lastIndexOf("【"));
  const rest = parts.map(
    (part, index) => part.separator + (index === at ? text.slice(0, from).trimEnd() : part.text),
  );
  return oneItem(`${rest.join("")} ${text.slice(from)}`);
}

/** The items of a body, each one line. Without any list marker every line is an item. */
export function parseItems(body: string): readonly string[] {
  const lines = body.split("\n");
  const markers = lines.map((line) => (line === "" ? null : MARKER.exec(line.slice(0, HEAD_CHARS))));
  const isList = markers.some((marker) => marker !== null);
  const reader: Reader = { items: [], base: 0, isAfterBlank: true };
  lines.forEach((line, at) => {
    const marker = markers[at] ?? null;
    const isBreak = isRule(line) || BARE_MARKER.test(line.slice(0, HEAD_CHARS));
    if (!isBreak && marker === null) addText(reader, line, isList);
    if (!isBreak && marker !== null) {
      addMarked(reader, depth(marker[1] ?? ""), line.slice(marker[0].length).trim());
    }
    reader.isAfterBlank = isBreak;
  });
  return reader.items.map(joinParts).filter((item) => !isBlank(item));
}

/**
 * A list with its numbers made part of the items, unless they only count them: in "2. …, 5. …" they name what is meant,
 * and as mere markers they would be lost.
 */
export function keepNumbers(body: string): string {
  const lines = body.split("\n");
  const marks = lines.map((line) => NAMING_NUMBER.exec(line.slice(0, HEAD_CHARS)));
  const numbers = marks.filter((mark) => mark !== null).map((mark) => Number(mark[1]));
  if (numbers.every((number, index) => number === index + 1)) return body;
  return lines
    .map((line, at) => {
      const mark = marks[at] ?? null;
      return mark === null ? line : `- ${mark[1]}: ${line.slice(mark[0].length).trimStart()}`;
    })
    .join("\n");
}

/** Text folded into one line, as items are. Blanks in inline code stay: there they can be what is meant. */
export function oneItem(text: string): string {
  let out = "";
  let from = 0;
  for (const { start, end } of codeSpans(text)) {
    out += text.slice(from, start).replace(/\s+/g, " ");
    out += text.slice(start, end).replace(/[^\S\n]*\n\s*/g, " ");
    from = end;
  }
  return (out + text.slice(from).replace(/\s+/g, " ")).trim();
}
