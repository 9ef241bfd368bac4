// Two independent readings of a command line that must agree: the strict scanner's and a full bash parser's.
// A fault in either then refuses the line instead of hiding a command in it.

import { type Command, parse, type Redirection, type Statement, type Word, type WordPart } from "unbash";
import { scanLine } from "./scan-line.ts";
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
  if (literal && parsed.value !== scanned.text) return false;
  return (parsed.parts ?? []).every((part) => partAgrees(part, literal ? LITERAL_PARTS : OPEN_PARTS));
}

function redirectAgrees(scanned: ShellRedirect, parsed: Redirection): boolean {
  if (parsed.type !== "Redirect" || parsed.operator !== scanned.operator) return false;
  if (parsed.descriptor !== undefined && parsed.descriptor.type !== "FileDescriptor") return false;
  if (parsed.descriptor?.value !== scanned.descriptor) return false;
  return parsed.target !== undefined && wordAgrees(scanned.target, parsed.target);
}

function commandAgrees(scanned: ShellCommand, parsed: Command): boolean {
  if (parsed.name === undefined) return false;
  const words: Word[] = [parsed.name];
  const redirects: Redirection[] = [];
  for (const item of [...parsed.prefix, ...parsed.suffix]) {
    if (item.type === "Word") words.push(item);
    else if (item.type === "Redirect") redirects.push(item);
    else return false;
  }
  return (
    words.length === scanned.words.length &&
    redirects.length === scanned.redirects.length &&
    scanned.words.every((word, i) => wordAgrees(word, words[i] as Word)) &&
    scanned.redirects.every((redirect, i) => redirectAgrees(redirect, redirects[i] as Redirection))
  );
}

/** The simple commands of a statement in order, or null when it holds anything but lists of them. */
function commandsOf(statement: Statement): readonly Command[] | null {
  if (statement.background) return null;
  const found: Command[] = [];
  const parts = statement.command.type === "AndOr" ? statement.command.commands : [statement.command];
  for (const part of parts) {
    if (part.type === "Command") found.push(part);
    else if (part.type !== "Pipeline" || part.prefixes.length > 0) return null;
    else {
      for (const command of part.commands) {
        if (command.type !== "Command") return null;
        found.push(command);
      }
    }
  }
  return found;
}

function parseCommands(text: string): readonly Command[] | null {
  const script = parse(text);
  if ((script.errors?.length ?? 0) > 0) return null;
  const commands: Command[] = [];
  for (const statement of script.commands) {
    const found = commandsOf(statement);
    if (found === null) return null;
    commands.push(...found);
  }
  return commands;
}

/**
 * The simple commands of a line when both readings find the same ones.
 * @returns null when the line is malformed, holds more than simple commands, or the readings differ.
 */
export function parseLine(text: string): readonly ShellCommand[] | null {
  const scanned = scanLine(text);
  if (scanned === null) return null;
  const parsed = parseCommands(text);
  if (parsed === null || parsed.length !== scanned.length) return null;
  return scanned.every((command, i) => commandAgrees(command, parsed[i] as Command)) ? scanned : null;
}
