// Two independent readings of a command line that must agree: the strict scanner's and a full bash parser's.
// A fault in either then refuses the line instead of hiding a command in it.

import { type Command, parse, type Redirection, type Statement, type Word, type WordPart } from "unbash";
import { type Accepts, scanLine } from "./scan-line.ts";
import type { ShellCommand, ShellRedirect, ShellWord } from "./shell-word.ts";

const LITERAL_PARTS: ReadonlySet<string> = new Set([
  "Literal",
  "SingleQuoted",
  "AnsiCQuoted",
  "DoubleQuoted",
]);
const OPEN_PARTS: ReadonlySet<string> = new Set([
  ...LITERAL_PARTS,
  "Glob",
  "BraceExpansion",
  "SimpleExpansion",
  "ParameterExpansion",
]);

// Text that has one meaning: plain characters alone, or with a last part in quotes that holds nothing special.
const NOT_PLAIN = /[^\w./:=@%+,-]/;
const QUOTED_LAST = /^([\w./:=@%+,-]*)(?:'([^']*)'|"([^"\\$`]*)")$/;

/** What a word means when its text alone tells; undefined leaves it to the parser, which reads it anew to tell. */
function plainValue(text: string): string | undefined {
  if (!NOT_PLAIN.test(text)) return text;
  const found = QUOTED_LAST.exec(text);
  return found === null ? undefined : `${found[1]}${found[2] ?? found[3]}`;
}

function partAgrees(part: WordPart, allowed: ReadonlySet<string>): boolean {
  if (!allowed.has(part.type)) return false;
  if (part.type === "DoubleQuoted") return part.parts.every((inner) => partAgrees(inner, allowed));
  if (part.type === "ParameterExpansion") {
    return part.prefix === undefined && part.index === undefined && part.operation === undefined;
  }
  return true;
}

function wordAgrees(scanned: ShellWord, parsed: Word): boolean {
  if (scanned.pos !== parsed.pos || scanned.end !== parsed.end) return false;
  const literal = scanned.kind === "literal";
  if (literal) {
    const value = plainValue(parsed.text);
    if (value !== undefined) return value === scanned.text;
    if (parsed.value !== scanned.text) return false;
  }
  const allowed = literal ? LITERAL_PARTS : OPEN_PARTS;
  return parsed.parts?.every((part) => partAgrees(part, allowed)) ?? true;
}

function redirectAgrees(scanned: ShellRedirect, parsed: Redirection): boolean {
  if (parsed.type !== "Redirect" || parsed.operator !== scanned.operator) return false;
  if (parsed.descriptor !== undefined && parsed.descriptor.type !== "FileDescriptor") return false;
  if (parsed.descriptor?.value !== scanned.descriptor) return false;
  return parsed.target !== undefined && wordAgrees(scanned.target, parsed.target);
}

/** The scanned commands and, of the one at hand, how many words and redirections are compared. */
interface Rest {
  readonly commands: readonly ShellCommand[];
  command: number;
  words: number;
  redirects: number;
}

function itemAgrees(rest: Rest, command: ShellCommand, item: Command["suffix"][number]): boolean {
  if (item.type === "Word") {
    const word = command.words[rest.words++];
    return word !== undefined && wordAgrees(word, item);
  }
  if (item.type !== "Redirect") return false;
  const redirect = command.redirects[rest.redirects++];
  return redirect !== undefined && redirectAgrees(redirect, item);
}

function commandAgrees(rest: Rest, parsed: Command): boolean {
  const command = rest.commands[rest.command++];
  if (command === undefined || parsed.name === undefined) return false;
  rest.words = 0;
  rest.redirects = 0;
  if (!itemAgrees(rest, command, parsed.name)) return false;
  for (const item of parsed.prefix) if (!itemAgrees(rest, command, item)) return false;
  for (const item of parsed.suffix) if (!itemAgrees(rest, command, item)) return false;
  return rest.words === command.words.length && rest.redirects === command.redirects.length;
}

/** Whether a node is the next scanned commands; false when it holds anything but lists and pipelines of simple ones. */
function nodeAgrees(rest: Rest, node: Statement["command"]): boolean {
  if (node.type === "Command") return commandAgrees(rest, node);
  if (node.type !== "AndOr" && (node.type !== "Pipeline" || node.prefixes.length > 0)) return false;
  for (const inner of node.commands) if (!nodeAgrees(rest, inner)) return false;
  return true;
}

function parserAgrees(text: string, commands: readonly ShellCommand[]): boolean {
  const script = parse(text);
  if ((script.errors?.length ?? 0) > 0) return false;
  const rest: Rest = { commands, command: 0, words: 0, redirects: 0 };
  for (const { background, command } of script.commands) {
    if (background || !nodeAgrees(rest, command)) return false;
  }
  return rest.command === commands.length;
}

/**
 * The simple commands of a line when all are accepted and both readings find the same ones.
 * @param accepts - Asked before the second reading, which costs the most and can only refuse.
 * @returns null when the line is malformed, holds more than simple commands, or the readings differ.
 */
export function parseLine(text: string, accepts?: Accepts): readonly ShellCommand[] | null {
  const scanned = scanLine(text, accepts);
  return scanned !== null && parserAgrees(text, scanned) ? scanned : null;
}
