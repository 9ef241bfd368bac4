// Whether a sed script only prints: read command by command, since one letter (`w`, `e`) writes or runs.

import type { ParsedArguments } from "./verb-rule.ts";

interface Reader {
  readonly text: string;
  at: number;
  /** The command letters met so far. */
  letters: string;
}

const DELIMITERS = new Set("/|#,:@!%_~+=;&\"'<>^-");
// Not here, so refused: w W r R (files), e (runs), a i c (text whose end differs between versions), labels (loops).
const PLAIN_COMMANDS = new Set("=dDgGhHnNpPxzF");

const BLANKS = " \t";
const LINE_ADDRESS = /\d+(?:~\d+)?|\$/y;
const RELATIVE_ADDRESS = /[+~]\d+/y;
const ADDRESS_OPENER = /\/|\\./y;
const COMMENT = /#[^\n]*/y;
const COMMAND_END = /[ \t]*(?=[;\n}#]|$)/y;

/** Moves behind what a sticky pattern matches here; false when nothing does. */
function take(reader: Reader, pattern: RegExp): boolean {
  pattern.lastIndex = reader.at;
  if (!pattern.test(reader.text)) return false;
  reader.at = pattern.lastIndex;
  return true;
}

function takeChar(reader: Reader, char: string): boolean {
  if (reader.text.charAt(reader.at) !== char) return false;
  reader.at += 1;
  return true;
}

/** Moves behind any number of these characters. */
function skipAny(reader: Reader, chars: string): void {
  while (reader.at < reader.text.length && chars.includes(reader.text.charAt(reader.at))) reader.at += 1;
}

/** Moves behind a bracket expression; false when versions of sed differ on where it ends. */
function skipBracket(reader: Reader, delimiter: string): boolean {
  const { text } = reader;
  const start = reader.at;
  let at = start + 1;
  if (text.charAt(at) === "^") at += 1;
  if (text.charAt(at) === "]") at += 1;
  while (text.charAt(at) !== "]") {
    const char = text.charAt(at);
    if (char === "" || char === "\n" || char === delimiter) return false;
    if (char === "[" && /[:.=]/.test(text.charAt(at + 1))) {
      const close = text.indexOf(`${text.charAt(at + 1)}]`, at + 2);
      if (close < 0 || text.slice(at, close).includes(delimiter)) return false;
      at = close + 2;
    } else at += 1;
  }
  reader.at = at + 1;
  return delimiter !== "]" && text.charAt(at - 1) !== "\\";
}

/** Moves behind the next unescaped delimiter. */
function skipPast(reader: Reader, delimiter: string, isPattern: boolean): boolean {
  while (reader.at < reader.text.length) {
    const char = reader.text.charAt(reader.at);
    if (char === "\n") return false;
    if (char === delimiter) {
      reader.at += 1;
      return true;
    }
    if (isPattern && char === "[") {
      if (!skipBracket(reader, delimiter)) return false;
    } else if (char === "\\") {
      if (reader.text.charAt(reader.at + 1) === "\n") return false;
      reader.at += 2;
    } else reader.at += 1;
  }
  return false;
}

/** Reads one address; true also when there is none. */
function readAddress(reader: Reader): boolean {
  if (take(reader, LINE_ADDRESS)) return true;
  if (!take(reader, ADDRESS_OPENER)) return true;
  const delimiter = reader.text.charAt(reader.at - 1);
  if (!DELIMITERS.has(delimiter) || !skipPast(reader, delimiter, true)) return false;
  skipAny(reader, "IM");
  return true;
}

function readAddresses(reader: Reader): boolean {
  if (!readAddress(reader)) return false;
  skipAny(reader, BLANKS);
  if (takeChar(reader, ",")) {
    skipAny(reader, BLANKS);
    if (!take(reader, RELATIVE_ADDRESS) && !readAddress(reader)) return false;
    skipAny(reader, BLANKS);
  }
  if (takeChar(reader, "!")) skipAny(reader, "! \t");
  return true;
}

function readSubstitution(reader: Reader): boolean {
  const delimiter = reader.text.charAt(reader.at);
  reader.at += 1;
  if (!DELIMITERS.has(delimiter)) return false;
  if (!skipPast(reader, delimiter, true) || !skipPast(reader, delimiter, false)) return false;
  // `w` writes and `e` runs: whatever is not one of these is left standing and refused as an end.
  skipAny(reader, "gpiIm0123456789M");
  return true;
}

function readTransliteration(reader: Reader): boolean {
  const delimiter = reader.text.charAt(reader.at);
  reader.at += 1;
  return (
    DELIMITERS.has(delimiter) && skipPast(reader, delimiter, false) && skipPast(reader, delimiter, false)
  );
}

/** Reads one command letter with what belongs to it. */
function readCommand(reader: Reader): boolean {
  const letter = reader.text.charAt(reader.at);
  reader.at += 1;
  reader.letters += letter;
  if (letter === "s") return readSubstitution(reader);
  if (letter === "y") return readTransliteration(reader);
  if (letter === "q" || letter === "Q" || letter === "l") {
    skipAny(reader, BLANKS);
    skipAny(reader, "0123456789");
    return true;
  }
  // Without a label these end the cycle; with one they may loop.
  if (letter === "b" || letter === "t" || letter === "T") return true;
  return PLAIN_COMMANDS.has(letter);
}

function readsToEnd(reader: Reader): boolean {
  let open = 0;
  for (;;) {
    skipAny(reader, " \t\n;");
    if (reader.at >= reader.text.length) return open === 0;
    if (take(reader, COMMENT)) continue;
    if (takeChar(reader, "}")) {
      open -= 1;
    } else {
      if (!readAddresses(reader)) return false;
      if (takeChar(reader, "{")) {
        open += 1;
        continue;
      }
      if (!readCommand(reader)) return false;
    }
    if (open < 0 || !take(reader, COMMAND_END)) return false;
  }
}

/** Whether a sed script has only commands that print, and ends when its input does. */
function sedScriptOnlyPrints(script: string): boolean {
  const reader: Reader = { text: script, at: 0, letters: "" };
  if (!readsToEnd(reader)) return false;
  // `D` starts over without reading: beside a command that can bring newlines in, for ever (`G;D`).
  return !reader.letters.includes("D") || !/[sygGx]/.test(reader.letters);
}

/** Whether these arguments of `sed`, whose options were already judged, only print. */
export function sedOnlyPrints({ options, operands }: ParsedArguments): boolean {
  const given = options.filter(({ name }) => name === "e" || name === "expression").map(({ value }) => value);
  if (given.length > 0) {
    const whole = [...given, given.join("\n")];
    return whole.every((script) => script !== undefined && sedScriptOnlyPrints(script));
  }
  const [script] = operands;
  return script?.kind === "literal" && sedScriptOnlyPrints(script.text);
}
