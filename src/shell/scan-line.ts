// Splits a command line into simple commands, refusing every construct a glance does not need.
// Runs before the real parser: linear, and whatever it lets through is plain enough to compare.

import { type Cursor, scanWord } from "./scan-word.ts";
import { isDevicePath, type ShellCommand, type ShellRedirect, type ShellWord } from "./shell-word.ts";

/** Asked about each command as soon as it is read, so that nothing behind a refused one is read at all. */
export type Accepts = (command: ShellCommand) => boolean;

interface Draft {
  readonly words: ShellWord[];
  readonly redirects: ShellRedirect[];
}

const OPERATOR = /(?:&>(?![>|])|>&|>(?![>|(])|<(?![<>&(]))/y;

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
  OPERATOR.lastIndex = cursor.at;
  const found = OPERATOR.exec(cursor.text)?.[0];
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
  const char = text.charAt(at);
  if (char === "\n") return 1;
  if (char !== "&" && char !== "|" && char !== ";") return 0;
  const next = text.charAt(at + 1);
  if (char === "|") return next === "|" || next === "&" ? 2 : 1;
  if (char === ";") return next === ";" || next === "&" ? -1 : 1;
  if (next === "&") return 2;
  return next === ">" ? 0 : -1;
}

function skipComment(cursor: Cursor): void {
  const newline = cursor.text.indexOf("\n", cursor.at);
  cursor.at = newline < 0 ? cursor.text.length : newline;
}

/** Whether what was read from `start` is no word but the number of a descriptor. */
function isDescriptor({ text, at }: Cursor, start: number): boolean {
  if (at !== start + 1) return false;
  const next = text.charAt(at);
  return (next === "<" || next === ">") && /[0-9]/.test(text.charAt(start));
}

/** Reads a word or redirection into the draft; false when it must be refused. */
function readItem(cursor: Cursor, draft: Draft): boolean {
  const start = cursor.at;
  const char = cursor.text.charAt(start);
  let descriptor: number | undefined;
  if (char !== "<" && char !== ">" && char !== "&") {
    const word = scanWord(cursor);
    if (word === null) return false;
    if (!isDescriptor(cursor, start)) {
      draft.words.push(word);
      return true;
    }
    descriptor = Number(char);
  }
  const redirect = readRedirect(cursor, descriptor);
  if (redirect === null) return false;
  draft.redirects.push(redirect);
  return true;
}

/** Reads up to and over the next separator; null when there is anything to refuse. */
function readCommand(cursor: Cursor): Draft | null {
  const draft: Draft = { words: [], redirects: [] };
  for (;;) {
    skipBlanks(cursor);
    if (cursor.at >= cursor.text.length) return draft;
    const separator = separatorLength(cursor.text, cursor.at);
    if (separator < 0) return null;
    if (separator > 0) {
      cursor.at += separator;
      return draft;
    }
    if (cursor.text.charAt(cursor.at) === "#") skipComment(cursor);
    else if (!readItem(cursor, draft)) return null;
  }
}

/**
 * Split a line into simple commands.
 * @param accepts - @defaultValue every command
 * @returns null when anything in it is outside the grammar or not accepted; empty when it holds no command.
 */
export function scanLine(text: string, accepts?: Accepts): readonly ShellCommand[] | null {
  const cursor: Cursor = { text, at: 0 };
  const commands: ShellCommand[] = [];
  do {
    const command = readCommand(cursor);
    if (command === null) return null;
    if (command.words.length > 0) {
      if (accepts !== undefined && !accepts(command)) return null;
      commands.push(command);
    } else if (command.redirects.length > 0) return null;
  } while (cursor.at < text.length);
  return commands;
}
