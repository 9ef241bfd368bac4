// argv -> what is meant, or what is wrong with it. Pure: reads nothing, prints nothing, ends nothing.

import { CommanderError, Command as Parser } from "commander";
import { nearestName } from "../../core/options.ts";
import { checkTogether, checkValue, type Values } from "./check-values.ts";
import { checkWords } from "./check-words.ts";
import type { Command, CommandLine, UsageError, UsageProblem } from "./command-line.ts";
import type { CommandName } from "./commands.ts";
import { type Flag, findFlag, flagsOf } from "./flags.ts";
import { peekValue, type SplitLine, splitCommand } from "./split-command.ts";

/** A problem on its way to becoming a {@link UsageError}. */
interface Wrong {
  readonly problem: UsageProblem;
  readonly suggestion?: string | undefined;
}

/** A parser that puts every option it meets, and its value, into `typed`. */
function parserOf(flags: readonly Flag[], typed: Map<Flag, unknown>): Parser {
  const parser = new Parser("flower").exitOverride().helpOption(false).allowExcessArguments();
  parser.configureOutput({ writeErr: () => {}, writeOut: () => {} }).argument("[words...]");
  for (const flag of flags) {
    const { long, short, metavar } = flag;
    const names = short === undefined ? long : `${short}, ${long}`;
    parser.option(metavar === undefined ? names : `${names} <value>`);
    // Its own store of values keeps --x and --no-x in one place, so that giving both could not be seen.
    parser.on(`option:${long.slice(2)}`, (value: unknown) => void typed.set(flag, value));
  }
  return parser;
}

function unknownFlag(token: string, command: CommandName): Wrong {
  const spelling = token.replace(/=.*$/s, "");
  const elsewhere = findFlag(spelling);
  if (elsewhere !== undefined) {
    return {
      problem: { key: "usage.not_here", parameters: { flag: spelling, command: `flower ${command}` } },
    };
  }
  const spellings = flagsOf(command).map(({ long }) => long);
  return {
    problem: { key: "usage.unknown_flag", parameters: { flag: spelling } },
    suggestion: nearestName(spelling, spellings),
  };
}

function fromCommander(error: CommanderError, command: CommandName): Wrong {
  const token = /'([^']*)'/.exec(error.message)?.[1] ?? "";
  if (error.code === "commander.unknownOption") return unknownFlag(token, command);
  const flag = token.match(/--[\w-]+/)?.[0] ?? token;
  return { problem: { key: "usage.needs_value", parameters: { flag } } };
}

function readValues(typed: ReadonlyMap<Flag, unknown>): Values | Wrong {
  const values: Record<string, unknown> = {};
  for (const [flag, given] of typed) {
    // `--model --rounds 2` means that a value was forgotten, not a model called --rounds.
    if (flag.metavar !== undefined && findFlag(String(given).replace(/=.*$/s, "")) !== undefined) {
      return { problem: { key: "usage.needs_value", parameters: { flag: flag.long } } };
    }
    const checked = checkValue(flag, flag.metavar === undefined ? "" : String(given));
    if (checked.kind === "problem") return { problem: checked.problem };
    values[flag.key] = checked.value;
  }
  return values;
}

function isWrong(value: object): value is Wrong {
  return "problem" in value;
}

function toCommand(split: SplitLine, words: { request: string; target: string }, values: Values): Command {
  const { workspace = ".", runDir = "runs", lang, ...others } = values;
  const { verbose, workbench, trim, json, noColor, version: _v, help: _h, ...flags } = others;
  return {
    kind: "command",
    command: split.command,
    request: words.request,
    target: words.target,
    workspace: String(workspace),
    globals: {
      workspace: String(workspace),
      runDir: String(runDir),
      verbose: verbose === true,
      workbench: workbench === true,
      trim: trim === true,
      json: json === true,
      noColor: noColor === true,
      ...(lang === undefined ? {} : { lang: String(lang) }),
    },
    flags,
    fromFiles: {},
  };
}

function parseOptions(split: SplitLine): { words: readonly string[]; values: Values } | Wrong {
  const flags = flagsOf(split.command);
  const typed = new Map<Flag, unknown>();
  const parser = parserOf(flags, typed);
  try {
    parser.parse([...split.rest], { from: "user" });
  } catch (error) {
    if (error instanceof CommanderError) return fromCommander(error, split.command);
    throw error;
  }
  const values = readValues(typed);
  if (isWrong(values)) return values;
  return { words: parser.args, values };
}

/**
 * Read a command line. The default command is `go`; options may stand before or after the subcommand; after `--`
 * everything is the request. Never throws for what was typed.
 */
export function parseCommandLine(argv: readonly string[]): CommandLine {
  const split = splitCommand(argv);
  const lang = peekValue(argv, "--lang");
  const named = split.named ? split.command : undefined;
  const refuse = ({ problem, suggestion }: Wrong): UsageError => {
    return { kind: "usage_error", exitCode: 2, problem, command: named, suggestion, lang };
  };
  const options = parseOptions(split);
  if (isWrong(options)) return refuse(options);
  const { words, values } = options;
  if (values.version === true) return { kind: "version" };
  if (values.help === true) return { kind: "help", command: named, lang };
  const checked = checkWords(split, words);
  if (checked.kind === "wrong") return refuse(checked);
  const clash = checkTogether(values);
  if (clash !== undefined) return refuse({ problem: clash });
  return toCommand(split, checked, values);
}
