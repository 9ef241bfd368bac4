// Splits a command line into simple commands, refusing every construct a glance does not need.
// Runs before the real parser: linear, and whatever it lets through is plain enough to compare.

import { type Cursor, scanWord } from "./scan-word.ts";
import { isDevicePath, type ShellCommand, type ShellRedirect, type ShellWord } from "./shell-word.ts";

interface Draft {
  words: ShellWord[];
  redirects: ShellRedirect[];
}

function skipBlanks(cursor: Cursor): void {
  for (;;) {
    const char = cursor.text.charAt(cursor.at);
    if (char === " " || char === "\t") cursor.at += 1;
    else if (char === "\\" && cursor.text.charAt(cursor.at + 1) === "\n") cursor.at += 2;
    else return;
  }
}

function readTarget(cursor: Cursor): ShellWord | null {
  skipBlanks(cursor);
  if (cursor.text.charAt(cursor.at) === "#") return null;
  const word = scanWord(cursor);
  return word === null || word.end === word.pos ? null : word;
}

function isNull(word: ShellWord): boolean {
  return word.kind === "literal" && word.text === "/dev/null";
}

function isPlainFile(word: ShellWord): boolean {
  if (word.kind === "one") return word.text.startsWith("~");
  return word.kind === "literal" && !isDevicePath(word.text);
}

/** The operator at the cursor when it is one of the few that can be harmless, with the test of its target. */
function readOperator(cursor: Cursor): ShellRedirect["operator"] | null {
  const rest = cursor.text.slice(cursor.at, cursor.at + 3);
  const found = /^(?:&>(?![>|])|>&|>(?![>|(])|<(?![<>&(]))/.exec(rest)?.[0];
  if (found === undefined) return null;
  cursor.at += found.length;
  return found as ShellRedirect["operator"];
}

function isHarmless(operator: ShellRedirect["operator"], target: ShellWord, text: string): boolean {
  if (operator === ">&") return /^[012]$/.test(text.slice(target.pos, target.end));
  return operator === "<" ? isPlainFile(target) : isNull(target);
}

function readRedirect(cursor: Cursor, descriptor: number | undefined): ShellRedirect | null {
  const operator = readOperator(cursor);
  if (operator === null) return null;
  if (operator === "&>" && descriptor !== undefined) return null;
  if (operator === "<" && descriptor !== undefined && descriptor !== 0) return null;
  const target = readTarget(cursor);
  if (target === null || !isHarmless(operator, target, cursor.text)) return null;
  return { operator, descriptor, target };
}

/** Length of the separator at the cursor, 0 when there is none, -1 when it is one to refuse. */
function separatorLength(text: string, at: number): number {
  const two = text.slice(at, at + 2);
  if (two === "&&" || two === "||" || two === "|&") return 2;
  if (two === ";;" || two === ";&") return -1;
  const char = text.charAt(at);
  if (char === ";" || char === "|" || char === "\n") return 1;
  return char === "&" && two !== "&>" ? -1 : 0;
}

function skipComment(cursor: Cursor): void {
  const newline = cursor.text.indexOf("\n", cursor.at);
  cursor.at = newline < 0 ? cursor.text.length : newline;
}

/** Reads a word or redirection into the draft; false when it must be refused. */
function readItem(cursor: Cursor, draft: Draft): boolean {
  const start = cursor.at;
  if (!/[<>&]/.test(cursor.text.charAt(start))) {
    const word = scanWord(cursor);
    if (word === null) return false;
    const raw = cursor.text.slice(start, cursor.at);
    if (!/^[0-9]$/.test(raw) || !/[<>]/.test(cursor.text.charAt(cursor.at))) {
      draft.words.push(word);
      return true;
    }
  }
  const descriptor = cursor.at > start ? Number(cursor.text.slice(start, cursor.at)) : undefined;
  const redirect = readRedirect(cursor, descriptor);
  if (redirect === null) return false;
  draft.redirects.push(redirect);
  return true;
}

/**
 * Split a line into simple commands.
 * @returns null when anything in it is outside the grammar; empty when it holds no command.
 */
export function scanLine(text: string): readonly ShellCommand[] | null {
  const cursor: Cursor = { text, at: 0 };
  const commands: ShellCommand[] = [];
  let draft: Draft = { words: [], redirects: [] };
  const close = (): boolean => {
    const { words, redirects } = draft;
    if (words.length > 0) commands.push(draft);
    draft = { words: [], redirects: [] };
    return words.length > 0 || redirects.length === 0;
  };
  for (;;) {
    skipBlanks(cursor);
    if (cursor.at >= text.length) return close() ? commands : null;
    const separator = separatorLength(text, cursor.at);
    if (separator < 0) return null;
    if (separator > 0) {
      cursor.at += separator;
      if (!close()) return null;
    } else if (text.charAt(cursor.at) === "#") skipComment(cursor);
    else if (!readItem(cursor, draft)) return null;
  }
}
