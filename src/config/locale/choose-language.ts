// Which language the screen speaks.

import { type Environment, givenValue } from "../variables.ts";
import type { Language } from "./catalogue.ts";

/** The language of a tag or locale name (`zh`, `pt-BR`, `zh_CN.UTF-8`), or undefined for one flower does not speak. */
export function parseLanguage(name: string): Language | undefined {
  const tag = name
    .trim()
    .toLowerCase()
    .split(/[-_.@]/, 1)[0];
  return tag === "en" || tag === "zh" || tag === "pt" ? tag : undefined;
}

/**
 * `FLOWER_LANG` if flower speaks it, else the first of `LC_ALL`, `LC_MESSAGES`, `LANG` that is set, else English.
 * As everywhere, a locale that is set hides the ones behind it: `LC_ALL=C` means English whatever `LANG` says.
 */
export function chooseLanguage(env: Environment): Language {
  const own = parseLanguage(givenValue(env, "FLOWER_LANG") ?? "");
  if (own !== undefined) return own;
  const locale =
    givenValue(env, "LC_ALL") ?? givenValue(env, "LC_MESSAGES") ?? givenValue(env, "LANG") ?? "en";
  return parseLanguage(locale) ?? "en";
}
