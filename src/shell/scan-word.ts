// Reads one word of a command line: quotes, escapes, plain variables, globs, braces.
// A small strict grammar of its own, so that the real parser never has the only say; null means refuse.

import type { ShellWord, WordKind } from "./shell-word.ts";

/** Where a reader stands in its text; readers move `at`. */
export interface Cursor {
  readonly text: string;
  at: number;
}

interface Draft {
  /** Everything resolved so far; expansions add nothing. */
  whole: string;
  /** Length of `whole` at the first thing unknown, or -1 while all is known. */
  known: number;
  /** Length of `whole` at the first unquoted opening brace, or -1. */
  brace: number;
  kind: WordKind;
}

const ENDS_WORD = new Set([" ", "\t", "\n", ";", "|", "&", "<", ">"]);
// The ASCII characters that stand for themselves, and those that end a word, by their codes: most words are one run.
const PLAIN = 1;
const ENDS = 2;
const ASCII = Uint8Array.from({ length: 128 }, (_, code) => {
  const char = String.fromCharCode(code);
  return ENDS_WORD.has(char) ? ENDS : /[^\s'"\\$`(){*?[]/.test(char) ? PLAIN : 0;
});
const SPECIAL_IN_QUOTES = /["\\$`]/g;
const RANK: Record<WordKind, number> = { literal: 0, one: 1, several: 2, any: 3 };
// Without `\'`: a shell that knows no `$'…'` would see the quotes close there.
const ANSI_C_ESCAPES: ReadonlyMap<string, string> = new Map([
  ["n", "\n"],
  ["t", "\t"],
  ["\\", "\\"],
  ['"', '"'],
]);
// No operators inside the braces: those can assign, run or transform.
const BRACED_VARIABLE = /\$\{[A-Za-z_][A-Za-z0-9_]*\}/y;
const VARIABLE = /\$(?:[A-Za-z_][A-Za-z0-9_]*|[0-9?#$!@*-])/y;
// What may follow a dollar sign in double quotes without making it more than a character, in bash or zsh.
const PLAIN_AFTER_DOLLAR = /[^([{~+=^`]/;
const SEQUENCE = /\{[^{}]*\.\.[^{}]*\}/;
const MAX_BRACES = 3;
const MAX_BRACE_ITEMS = 40;

function unknown(draft: Draft, kind: WordKind): void {
  if (draft.known < 0) draft.known = draft.whole.length;
  if (RANK[kind] > RANK[draft.kind]) draft.kind = kind;
}

function readSingleQuoted(cursor: Cursor, draft: Draft): boolean {
  const close = cursor.text.indexOf("'", cursor.at + 1);
  if (close < 0) return false;
  draft.whole += cursor.text.slice(cursor.at + 1, close);
  cursor.at = close + 1;
  return true;
}

function readAnsiCQuoted(cursor: Cursor, draft: Draft): boolean {
  cursor.at += 2;
  while (cursor.at < cursor.text.length) {
    const char = cursor.text.charAt(cursor.at);
    cursor.at += 1;
    if (char === "'") return true;
    if (char !== "\\") {
      draft.whole += char;
      continue;
    }
    const escaped = ANSI_C_ESCAPES.get(cursor.text.charAt(cursor.at));
    if (escaped === undefined) return false;
    draft.whole += escaped;
    cursor.at += 1;
  }
  return false;
}

function readVariable(cursor: Cursor, draft: Draft, quoted: boolean): boolean {
  const pattern = cursor.text.charAt(cursor.at + 1) === "{" ? BRACED_VARIABLE : VARIABLE;
  pattern.lastIndex = cursor.at;
  const found = pattern.exec(cursor.text);
  if (!found) return false;
  cursor.at += found[0].length;
  // zsh takes a bracket directly behind a name as a subscript and evaluates it.
  if (cursor.text.charAt(cursor.at) === "[") return false;
  unknown(draft, quoted && found[0] !== "$@" ? "one" : "any");
  return true;
}

function readDollar(cursor: Cursor, draft: Draft, quoted: boolean): boolean {
  const next = cursor.text.charAt(cursor.at + 1);
  if (!quoted && next === "'") return readAnsiCQuoted(cursor, draft);
  if (/[A-Za-z0-9_?#$!@*{-]/.test(next)) return readVariable(cursor, draft, quoted);
  // A continued line is joined before the shell looks: `$`, backslash, newline, `(` is a substitution.
  const continued = next === "\\" && cursor.text.charAt(cursor.at + 2) === "\n";
  const plain = quoted ? PLAIN_AFTER_DOLLAR.test(next) && !continued : next === "" || ENDS_WORD.has(next);
  if (!plain) return false;
  draft.whole += "$";
  cursor.at += 1;
  return true;
}

function readDoubleQuoted(cursor: Cursor, draft: Draft): boolean {
  cursor.at += 1;
  for (;;) {
    SPECIAL_IN_QUOTES.lastIndex = cursor.at;
    if (!SPECIAL_IN_QUOTES.test(cursor.text)) return false;
    const start = cursor.at;
    cursor.at = SPECIAL_IN_QUOTES.lastIndex - 1;
    draft.whole += cursor.text.slice(start, cursor.at);
    const char = cursor.text.charAt(cursor.at);
    if (char === "`") return false;
    if (char === "$") {
      if (!readDollar(cursor, draft, true)) return false;
    } else if (char === "\\") {
      const next = cursor.text.charAt(cursor.at + 1);
      if (next !== "\n") draft.whole += '$`"\\'.includes(next) ? next : `\\${next}`;
      cursor.at += 2;
    } else {
      cursor.at += 1;
      return true;
    }
  }
}

function readBare(cursor: Cursor, draft: Draft, char: string): boolean {
  // White space only some shells split at, or that a reader would not see.
  if (/\s/.test(char)) return false;
  if (char === "{" && draft.brace < 0) draft.brace = draft.whole.length;
  if (char === "*" || char === "?" || char === "[") unknown(draft, "several");
  draft.whole += char;
  cursor.at += 1;
  return true;
}

function readEscaped(cursor: Cursor, draft: Draft): boolean {
  const next = cursor.text.charAt(cursor.at + 1);
  if (next === "") return false;
  if (next !== "\n") draft.whole += next;
  cursor.at += 2;
  return true;
}

function readPiece(cursor: Cursor, draft: Draft, char: string): boolean {
  switch (char) {
    case "'":
      return readSingleQuoted(cursor, draft);
    case '"':
      return readDoubleQuoted(cursor, draft);
    case "\\":
      return readEscaped(cursor, draft);
    case "$":
      return readDollar(cursor, draft, false);
    case "(":
    case ")":
    case "`":
      return false;
    default:
      return readBare(cursor, draft, char);
  }
}

function runEnd(text: string, start: number): number {
  let at = start;
  while (at < text.length && ASCII[text.charCodeAt(at)] === PLAIN) at += 1;
  return at;
}

/** Applies what braces do to a finished draft; false when they could make a flood of words. */
function settleBraces(draft: Draft): boolean {
  if (draft.brace < 0) return true;
  const braced = draft.whole.slice(draft.brace);
  if (SEQUENCE.test(braced)) return false;
  const commas = braced.split(",").length - 1;
  if (commas === 0) return true;
  if (commas > MAX_BRACE_ITEMS || braced.split("{").length - 1 > MAX_BRACES) return false;
  draft.known = draft.known < 0 ? draft.brace : Math.min(draft.known, draft.brace);
  if (RANK[draft.kind] < RANK.several) draft.kind = "several";
  return true;
}

/** Reads a word that is more than one run of plain characters. */
function scanMixedWord(cursor: Cursor): ShellWord | null {
  const { text, at: pos } = cursor;
  const first = text.charAt(pos);
  const draft: Draft = { whole: "", known: -1, brace: -1, kind: "literal" };
  while (cursor.at < text.length) {
    const end = runEnd(text, cursor.at);
    draft.whole += text.slice(cursor.at, end);
    cursor.at = end;
    const char = text.charAt(end);
    if (char === "" || ENDS_WORD.has(char)) break;
    if (!readPiece(cursor, draft, char)) return null;
  }
  const end = cursor.at;
  if (first === "[" && end === pos + 1) return { kind: "literal", text: first, pos, end };
  if (!settleBraces(draft)) return null;
  if (first === "~") {
    // A tilde becomes a folder; `~[name]` calls a function in zsh.
    if (text.charAt(pos + 1) === "[") return null;
    if (draft.kind === "literal") draft.kind = "one";
  }
  const known = draft.known < 0 ? draft.whole : draft.whole.slice(0, draft.known);
  return { kind: draft.kind, text: known, pos, end };
}

/**
 * Read the word at the cursor up to the next unquoted blank or operator.
 * @returns null for anything outside the grammar: substitutions, operators on variables, unclosed quotes.
 */
export function scanWord(cursor: Cursor): ShellWord | null {
  const { text, at: pos } = cursor;
  const end = runEnd(text, pos);
  if (text.charAt(pos) === "~" || (end < text.length && ASCII[text.charCodeAt(end)] !== ENDS))
    return scanMixedWord(cursor);
  cursor.at = end;
  return { kind: "literal", text: text.slice(pos, end), pos, end };
}
