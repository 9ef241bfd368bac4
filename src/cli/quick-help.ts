// `flower --help` and nothing else: said without loading what reading a whole command line takes.

import { chooseLanguage } from "../config/locale/choose-language.ts";
import { loadTranslator } from "../config/locale/load-translator.ts";
import { readProcessEnv } from "../config/process-env.ts";
import { overviewText } from "./args/help-text.ts";
import { usableWidth } from "./screen/layout.ts";

/** The overview of all commands, in the language of the environment. */
export async function quickHelp(columns: number | undefined): Promise<string> {
  const t = await loadTranslator(chooseLanguage(readProcessEnv()));
  return overviewText(t, usableWidth(columns));
}
