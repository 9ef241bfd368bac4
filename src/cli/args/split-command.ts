// Finds the subcommand among the words, skipping options with their values. Pure.

import { type CommandName, isCommandName } from "./commands.ts";
import { FLAGS, findFlag } from "./flags.ts";

/** The command line taken apart. */
export interface SplitLine {
  readonly command: CommandName;
  /** True when the command's name was typed, not assumed. */
  readonly named: boolean;
  /** Everything but the command's name, in order. */
  readonly rest: readonly string[];
  /** Words up to `--`, the command's name left out. */
  readonly words: readonly string[];
}

function takesValue(spelling: string): boolean {
  return findFlag(spelling)?.metavar !== undefined;
}

/** Number of arguments an option token takes with it: 1 when its value is the next one. */
function follows(token: string): 0 | 1 {
  if (token.startsWith("--")) return !token.includes("=") && takesValue(token) ? 1 : 0;
  // A cluster such as -vw: the first letter that takes a value takes the rest of the token, or the next one.
  const letters = [...token.slice(1)];
  const at = letters.findIndex((letter) => takesValue(`-${letter}`));
  return at !== -1 && at === letters.length - 1 ? 1 : 0;
}

/** Indexes of the words before `--`. */
function wordIndexes(argv: readonly string[]): number[] {
  const found: number[] = [];
  for (let i = 0; i < argv.length; i += 1) {
    const token = argv[i] ?? "";
    if (token === "--") break;
    if (token.startsWith("-") && token !== "-") i += follows(token);
    else found.push(i);
  }
  return found;
}

/** Take a command line apart; without a subcommand it is `go`. */
export function splitCommand(argv: readonly string[]): SplitLine {
  const indexes = wordIndexes(argv);
  const first = indexes[0];
  const word = first === undefined ? undefined : argv[first];
  const words = indexes.map((i) => argv[i] ?? "");
  if (!isCommandName(word)) return { command: "go", named: false, rest: argv, words };
  const rest = argv.filter((_, i) => i !== first);
  return { command: word, named: true, rest, words: words.slice(1) };
}

/** The value of an option that must be known even when the rest of the line is wrong. */
export function peekValue(argv: readonly string[], long: string): string | undefined {
  const flag = FLAGS.find((each) => each.long === long);
  for (const [i, token] of argv.entries()) {
    if (token === "--") return undefined;
    if (token.startsWith(`${long}=`)) return token.slice(long.length + 1);
    if (flag !== undefined && (token === flag.long || token === flag.short)) return argv[i + 1];
  }
  return undefined;
}
