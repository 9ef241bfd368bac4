// Usage lines, and usage errors in words.

import type { MessageKey } from "../../config/locale/catalogue.ts";
import type { Translator } from "../../config/locale/translator.ts";
import { oneLine } from "../../core/text.ts";
import type { UsageError, UsageProblem } from "./command-line.ts";
import { type CommandName, commandOf } from "./commands.ts";

/** A translator for keys and parameters that are only known at run time. */
export type LooseTranslator = (key: MessageKey, parameters?: Readonly<Record<string, string>>) => string;

/** The usage line of a command; of the default one when none is named. */
export function usageLine(t: Translator, command: CommandName | undefined): string {
  return t("usage.line", { usage: `flower ${commandOf(command ?? "go").syntax}` });
}

/** Where more is said about a command. */
export function usageMore(t: Translator, command: CommandName | undefined): string {
  return command === undefined || command === "help" ? t("usage.more") : t("usage.more_of", { command });
}

/** What is wrong with options, as a sentence. */
export function problemWords(t: Translator, { key, parameters, phrase }: UsageProblem): string {
  const words: Record<string, string> = Object.fromEntries(
    Object.entries(parameters).map(([name, value]) => [name, oneLine(value, 120)]),
  );
  const fill = t as LooseTranslator;
  if (phrase !== undefined) words[phrase.name] = fill(phrase.key, words);
  return fill(key, words);
}

/** A usage error as lines: what is wrong, what was probably meant, the usage line. */
export function usageErrorLines(t: Translator, error: UsageError): string[] {
  const { key } = error.problem;
  const meant =
    error.suggestion === undefined ? [] : [t("usage.did_you_mean", { command: error.suggestion })];
  const quote = key === "usage.unknown_flag" && error.suggestion === undefined ? [t("usage.quote")] : [];
  return [
    `flower: ${problemWords(t, error.problem)}`,
    ...meant,
    ...quote,
    usageLine(t, error.command),
    usageMore(t, error.command),
  ];
}
