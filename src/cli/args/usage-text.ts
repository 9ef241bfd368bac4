// Help and usage in words: from the table of options and the catalogue.

import type { MessageKey } from "../../config/locale/catalogue.ts";
import type { Translator } from "../../config/locale/translator.ts";
import { displayWidth, oneLine } from "../../core/text.ts";
import type { UsageError } from "./command-line.ts";
import { COMMAND_NAMES, type CommandName, type Flag, flagsOf, GLOBAL_KEYS } from "./flags.ts";

const SYNTAX: Readonly<Record<CommandName, string>> = {
  go: "flower [go] [options] [words…]",
  run: "flower run FILE:NAME [options] [words…]",
  once: "flower once [options] words…",
  setup: "flower setup",
  demo: "flower demo",
  status: "flower status [--json]",
  answer: "flower answer ID words…",
  say: "flower say words…",
};

/** A translator for keys and parameters that are only known at run time. */
type LooseTranslator = (key: MessageKey, parameters?: Readonly<Record<string, string>>) => string;

function sayKey(t: Translator, key: `help.flag.${string}` | `help.command.${string}`): string {
  // Each row of the tables has its message: a test walks them all.
  return (t as LooseTranslator)(key as MessageKey);
}

function row(left: string, right: string, width: number): string {
  return `  ${left}${" ".repeat(Math.max(2, width - displayWidth(left)))}${right}`;
}

function spelling({ short, long, metavar }: Flag): string {
  const names = short === undefined ? `    ${long}` : `${short}, ${long}`;
  return metavar === undefined ? names : `${names} ${metavar}`;
}

function flagRows(t: Translator, flags: readonly Flag[]): string[] {
  return flags.map((flag) => row(spelling(flag), sayKey(t, `help.flag.${flag.key}`), 28));
}

function commandRows(t: Translator): string[] {
  return COMMAND_NAMES.map((name) => row(name, sayKey(t, `help.command.${name}`), 28));
}

/** The usage line of a command. */
export function usageLine(t: Translator, command: CommandName | undefined): string {
  return t("usage.line", { usage: SYNTAX[command ?? "go"] });
}

/** The help of one command, or of all. */
export function helpText(t: Translator, command: CommandName | undefined): string {
  const flags = flagsOf(command ?? "go");
  const own = flags.filter(({ key }) => !GLOBAL_KEYS.includes(key));
  const shared = flags.filter(({ key }) => GLOBAL_KEYS.includes(key));
  const about = command === undefined ? t("help.about") : sayKey(t, `help.command.${command}`);
  const sections = [
    [usageLine(t, command), "", about],
    command === undefined ? [t("help.commands"), ...commandRows(t)] : [],
    own.length === 0 ? [] : [t("help.options", { command: command ?? "go" }), ...flagRows(t, own)],
    [t("help.globals"), ...flagRows(t, shared)],
    command === undefined ? [t("help.more"), t("help.exit")] : [],
  ];
  return sections
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join("\n"))
    .join("\n\n");
}

/** A usage error as lines: what is wrong, what was probably meant, the usage line. */
export function usageErrorLines(t: Translator, error: UsageError): string[] {
  const { key, parameters, phrase } = error.problem;
  const words: Record<string, string> = Object.fromEntries(
    Object.entries(parameters).map(([name, value]) => [name, oneLine(value, 120)]),
  );
  const fill = t as LooseTranslator;
  if (phrase !== undefined) words[phrase.name] = fill(phrase.key, words);
  const meant =
    error.suggestion === undefined ? [] : [t("usage.did_you_mean", { command: error.suggestion })];
  const quote = key === "usage.unknown_flag" && error.suggestion === undefined ? [t("usage.quote")] : [];
  return [`flower: ${fill(key, words)}`, ...meant, ...quote, usageLine(t, error.command), t("usage.more")];
}
