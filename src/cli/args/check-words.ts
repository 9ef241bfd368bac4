// The words of a command line: which of them a subcommand takes, and what was probably meant when it takes none.

import { nearestName } from "../../core/options.ts";
import type { UsageProblem } from "./command-line.ts";
import { COMMAND_NAMES, type CommandName, commandOf, isCommandName } from "./commands.ts";
import type { SplitLine } from "./split-command.ts";

/** The words in their places, or what is wrong with them. */
export type CheckedWords =
  | { readonly kind: "words"; readonly request: string; readonly target: string }
  | { readonly kind: "wrong"; readonly problem: UsageProblem; readonly suggestion: string | undefined };

/** A workflow is named by a path, a script's ending or `package:name`; anything else after `run` is prose. */
const TARGET = /[:/\\]|\.[cm]?[jt]s$/;
/** As shown with a question; its second half may be left out. */
const QUESTION_ID = /^q\d{1,9}(?:-[0-9a-z]{4})?$/i;

/** Words as they would be typed. */
function shellWords(words: readonly string[]): string {
  return words
    .map((word) => (/^[\p{L}\p{N}_@%+=:,./-]+$/u.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`))
    .join(" ");
}

function took(request: readonly string[], target = ""): CheckedWords {
  return { kind: "words", request: request.join(" ").trim(), target };
}

function wrong(problem: UsageProblem, suggestion?: string): CheckedWords {
  return { kind: "wrong", problem, suggestion };
}

function prose(command: string, words: readonly string[]): CheckedWords {
  return wrong(
    { key: "usage.cannot_take", parameters: { command, words: words.join(" ") } },
    `flower go ${shellWords([command, ...words])}`,
  );
}

function missing(command: string, what: string): CheckedWords {
  return wrong({ key: "usage.missing", parameters: { command: `flower ${command}`, what } });
}

/** One word close to a command's name, where none was named, is more likely a slip than a request. */
function checkRequest(split: SplitLine, words: readonly string[]): CheckedWords {
  const [only] = split.words;
  if (split.named || words.length !== 1 || split.words.length !== 1 || only === undefined) return took(words);
  const near = /^[a-z]{4,}$/i.test(only) ? nearestName(only, COMMAND_NAMES) : undefined;
  if (near === undefined) return took(words);
  const parameters = { word: only, command: `flower go ${only}` };
  return wrong({ key: "usage.slip", parameters }, `flower ${near}`);
}

/** `help` and a word that is nearly a command's name; anything longer is prose. */
function checkHelp(words: readonly string[]): CheckedWords {
  const [first, ...others] = words;
  if (first === undefined) return took([]);
  if (others.length > 0) return prose("help", words);
  if (isCommandName(first)) return took([], first);
  const near = nearestName(first, COMMAND_NAMES);
  if (near === undefined) return prose("help", words);
  return wrong({ key: "usage.unknown_command", parameters: { command: first } }, `flower help ${near}`);
}

function checkChoice(command: CommandName, of: readonly string[], words: readonly string[]): CheckedWords {
  const [first, ...others] = words;
  if (first === undefined) return missing(command, of.join("|"));
  if (of.includes(first) && others.length === 0) return took([], first);
  const near = others.length === 0 ? nearestName(first, of) : undefined;
  if (near === undefined) return prose(command, words);
  const parameters = { command, words: first };
  return wrong({ key: "usage.cannot_take", parameters }, `flower ${command} ${near}`);
}

function checkAction(
  command: CommandName,
  rule: { readonly of: readonly string[]; readonly named: readonly string[] },
  words: readonly string[],
): CheckedWords {
  const [first = rule.of[0] ?? "", ...others] = words;
  const takesName = rule.named.includes(first);
  if (rule.of.includes(first) && others.length <= (takesName ? 1 : 0)) return took(others, first);
  const near = rule.of.includes(first) || others.length > 1 ? undefined : nearestName(first, rule.of);
  if (near === undefined) return prose(command, words);
  const parameters = { command, words: words.join(" ") };
  return wrong({ key: "usage.cannot_take", parameters }, `flower ${shellWords([command, near, ...others])}`);
}

/** Put the words of a command line in their places. */
export function checkWords(split: SplitLine, words: readonly string[]): CheckedWords {
  const { command } = split;
  const [first, ...others] = words;
  const rule = commandOf(command).words;
  switch (rule.kind) {
    case "request":
      return checkRequest(split, words);
    case "workflow":
      if (first === undefined) return missing(command, "FILE:NAME");
      return TARGET.test(first) ? took(others, first) : prose(command, words);
    case "answer":
      if (first === undefined) return missing(command, "ID words…");
      if (!QUESTION_ID.test(first)) return prose(command, words);
      return others.length === 0 ? missing(command, "words…") : took(others, first);
    case "message":
      return words.join(" ").trim() === "" ? missing(command, "words…") : took(words);
    case "command":
      return checkHelp(words);
    case "choice":
      return checkChoice(command, rule.of, words);
    case "action":
      return checkAction(command, rule, words);
    case "none":
      return first === undefined ? took([]) : prose(command, words);
  }
}
