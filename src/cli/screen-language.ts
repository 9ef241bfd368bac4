// The language of the screen: `--lang` first, then the environment.

import { chooseLanguage, parseLanguage } from "../config/locale/choose-language.ts";
import { createTranslator, type Translator } from "../config/locale/translator.ts";
import type { CommandLine } from "./args/command-line.ts";

/** The translator for what this command line will say. */
export function screenTranslator(line: CommandLine, env: Readonly<Record<string, string>>): Translator {
  const given = line.kind === "command" ? line.globals.lang : line.kind === "version" ? undefined : line.lang;
  const asked = given === undefined ? undefined : parseLanguage(given);
  return createTranslator(asked ?? chooseLanguage(env));
}
