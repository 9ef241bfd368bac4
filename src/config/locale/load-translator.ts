// One language alone, for what must answer at once.

import type { Language, Messages } from "./catalogue.ts";
import { type Translator, translatorOf } from "./say-message.ts";

const CATALOGUES: Readonly<Record<Language, () => Promise<Messages>>> = {
  en: async () => (await import("./en.ts")).en,
  zh: async () => (await import("./zh.ts")).zh,
  pt: async () => (await import("./pt.ts")).pt,
};

/** The translator of one language; the others are not loaded. */
export async function loadTranslator(language: Language): Promise<Translator> {
  return translatorOf(language, await CATALOGUES[language]());
}
