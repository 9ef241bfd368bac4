// Which paths a judge's reason names for which item. Pure and linear; whether they are there is for the caller.

import { letters } from "./item-numbers.ts";

/** Candidates looked at for one item: a reason that names more names nothing in particular. */
const MAX_PATHS = 200;
/** What stands below so many lines, or behind so many characters of one, is not looked at. */
const MAX_LINES = 2_000;
const LINE_CHARS = 4_000;
/** A longer word is no path. */
const MAX_CHARS = 1_000;
/** A line's own number is within this many characters. */
const HEAD_CHARS = 60;

/** `2:`, `- **2.**`, `Item 2 -`, `| 2 |`, `1, 2 and 3:`, `1-3:`. */
const NUMBERED =
  /^[^\p{L}\p{N}]{0,8}(?:check|item|no\.?|nº|第)?\s?#?((?:\d{1,3}\s?(?:[-–~,，、&]|and|to|e|a|和|到|至)\s?){0,20}\d{1,3})\s?(?:项|条)?[*_`)）\]]{0,4}\s?(?:[:：.)）|、—–]|-(?=\s))/iu;
const RANGE = /(\d{1,3})(?:\s?(?:[-–~]|to|a|到|至)\s?(\d{1,3}))?/giu;

function numbersIn(list: string, count: number): number[] {
  const numbers: number[] = [];
  for (const [, first, last] of list.matchAll(RANGE)) {
    const from = Number(first);
    for (let at = Math.max(1, from); at <= Math.min(Number(last ?? first), count); at += 1) numbers.push(at);
  }
  return numbers;
}

/** The items a line speaks of; undefined when it goes on with those of the line before. */
function itemsOf(line: string, checkWords: readonly string[]): readonly number[] | undefined {
  const head = NUMBERED.exec(line.slice(0, HEAD_CHARS));
  if (head !== null) return numbersIn(head[1] ?? "", checkWords.length);
  // A line that repeats an item's words names it.
  const said = letters(line);
  const at = checkWords.findIndex((words) => words !== "" && said.includes(words));
  return at === -1 ? undefined : [at + 1];
}

function trimmed(word: string): string {
  return word
    .replace(/^[("'“‘<[（【「《*_]+/u, "")
    .replace(/[)"'”’>\]）】」》*_,;:.!?，。；：、！？]+$/u, "");
}

/** A word as a path, and without what points into the file. */
function variants(word: string): string[] {
  const bare = word.replace(/#.*$/u, "").replace(/(?::\d+(?:[-:,–]\d+)*)$/u, "");
  return bare === word ? [word] : [word, bare];
}

/** Only what looks like a path counts unquoted: "test" is a word even where a folder is called so. */
function looksLikePath(word: string): boolean {
  return (
    /[/\\]/.test(word) ||
    /[^.\s]\.[\p{L}\p{N}]{1,12}(?:[:#].*)?$/u.test(word) ||
    /^\.[\p{L}\p{N}]/u.test(word)
  );
}

/** A word, and what of it is written in ASCII: Chinese prose leaves no space around a path. */
function asciiParts(word: string): string[] {
  return /[^\x20-\x7e]/.test(word) ? [word, ...(word.match(/[\x21-\x7e]+/g) ?? [])] : [word];
}

function pathsIn(line: string): string[] {
  const quoted = [...line.matchAll(/`([^`\n]{1,1000})`|\]\(([^)\s]{1,1000})\)|"([^"\n]{1,1000})"/g)].map(
    (found) => (found[1] ?? found[2] ?? found[3] ?? "").trim(),
  );
  // Inside backticks there may be a command: its words are looked at like any others.
  const words = line
    .split(/[\s`|"]+|\]\(/u)
    .flatMap(asciiParts)
    .map(trimmed)
    .filter(looksLikePath);
  // "." and what is left of ":8080" or "#!/bin/sh" lead to the folder itself, which is there whatever was done.
  return [...quoted, ...words]
    .filter((word) => word.length <= MAX_CHARS)
    .flatMap(variants)
    .filter((path) => !/^[./\\]*$/.test(path));
}

/**
 * What a reason names, by item number. A line without a number of its own goes on with the item before; a goal of one
 * item owns the whole reason.
 */
export function namedPaths(
  reason: string,
  checks: readonly string[],
): ReadonlyMap<number, readonly string[]> {
  const paths = new Map<number, Set<string>>();
  const checkWords = checks.map(letters);
  let current: readonly number[] = checks.length === 1 ? [1] : [];
  for (const line of reason.split("\n", MAX_LINES).map((each) => each.slice(0, LINE_CHARS))) {
    current = itemsOf(line, checkWords) ?? current;
    if (current.length === 0) continue;
    const found = pathsIn(line);
    for (const number of current) {
      const known = paths.get(number) ?? new Set();
      for (const path of found) if (known.size < MAX_PATHS) known.add(path);
      paths.set(number, known);
    }
  }
  return new Map([...paths].map(([number, known]) => [number, [...known]]));
}
