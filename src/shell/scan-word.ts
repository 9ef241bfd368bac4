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

const RANK: Record<WordKind, number> = { literal: 0, one: 1, several: 2, any: 3 };
const ENDS_WORD = new Set([" ", "\t", "\n", ";", "|", "&", "<", ">"]);
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
  while (cursor.at < cursor.text.length) {
    const char = cursor.text.charAt(cursor.at);
    if (char === '"') {
      cursor.at += 1;
      return true;
    }
    if (char === "`") return false;
    if (char === "$") {
      if (!readDollar(cursor, draft, true)) return false;
    } else if (char === "\\") {
      const next = cursor.text.charAt(cursor.at + 1);
      if (next !== "\n") draft.whole += '$`"\\'.includes(next) ? next : `\\${next}`;
      cursor.at += 2;
    } else {
      draft.whole += char;
      cursor.at += 1;
    }
  }
  return false;
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

/**
 * Read the word at the cursor up to the next unquoted blank or operator.
 * @returns null for anything outside the grammar: substitutions, operators on variables, unclosed quotes.
 */
export function scanWord(cursor: Cursor): ShellWord | null {
  const pos = cursor.at;
  const draft: Draft = { whole: "", known: -1, brace: -1, kind: "literal" };
  while (cursor.at < cursor.text.length) {
    const char = cursor.text.charAt(cursor.at);
    if (ENDS_WORD.has(char)) break;
    if (!readPiece(cursor, draft, char)) return null;
  }
  const raw = cursor.text.slice(pos, cursor.at);
  if (raw === "[") return { kind: "literal", text: raw, pos, end: cursor.at };
  if (!settleBraces(draft)) return null;
  // A tilde becomes a folder; `~[name]` calls a function in zsh.
  if (raw.startsWith("~[")) return null;
  if (raw.startsWith("~") && draft.kind === "literal") draft.kind = "one";
  const text = draft.known < 0 ? draft.whole : draft.whole.slice(0, draft.known);
  return { kind: draft.kind, text, pos, end: cursor.at };
}
