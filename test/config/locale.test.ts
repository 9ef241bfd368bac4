import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fillMessage, type MessageKey, type Messages } from "../../src/config/locale/catalogue.ts";
import { chooseLanguage, parseLanguage } from "../../src/config/locale/choose-language.ts";
import { en } from "../../src/config/locale/en.ts";
import { pt } from "../../src/config/locale/pt.ts";
import { createTranslator, translateError } from "../../src/config/locale/translator.ts";
import { zh } from "../../src/config/locale/zh.ts";

function placeholders(text: string): readonly string[] {
  return [...text.matchAll(/\{(\w+)\}/g)].map((match) => match[1] ?? "").sort();
}

const TRANSLATIONS: readonly (readonly [string, Messages])[] = [
  ["zh", zh],
  ["pt", pt],
];

describe.each(TRANSLATIONS)("%s", (_language, messages) => {
  it("has exactly the keys of English", () => {
    expect(Object.keys(messages).sort()).toEqual(Object.keys(en).sort());
  });

  it.each(Object.keys(en) as MessageKey[])("%s has the parameters of English", (key) => {
    // What is said in English where it is thrown: its translation has what was given there.
    if (en[key] === "{message}" || en[key] === "{hint}") return;
    expect(placeholders(messages[key])).toEqual(placeholders(en[key]));
  });

  it("leaves nothing empty and no brace unpaired", () => {
    for (const text of Object.values(messages)) {
      expect(text.trim()).not.toBe("");
      expect(text.replace(/\{\w+\}/g, "")).not.toMatch(/[{}]/);
    }
  });
});

describe("English", () => {
  it("names every parameter in plain braces", () => {
    for (const text of Object.values(en)) expect(text.replace(/\{[a-zA-Z]+\}/g, "")).not.toMatch(/[{}]/);
  });

  it("names commands alike in every language", () => {
    for (const [key, text] of Object.entries(en)) {
      const commands = text.match(/`flower [\w-]+`/g) ?? [];
      for (const [, messages] of TRANSLATIONS) {
        for (const command of commands) expect(messages[key as MessageKey]).toContain(command);
      }
    }
  });
});

describe("chooseLanguage", () => {
  it.each([
    [{}, "en"],
    [{ FLOWER_LANG: "zh" }, "zh"],
    [{ FLOWER_LANG: "pt-BR", LC_ALL: "zh_CN.UTF-8" }, "pt"],
    [{ FLOWER_LANG: "ZH_Hans" }, "zh"],
    [{ FLOWER_LANG: "fr", LANG: "zh_CN.UTF-8" }, "zh"],
    [{ FLOWER_LANG: "", LC_ALL: "", LC_MESSAGES: "pt_PT", LANG: "zh_CN" }, "pt"],
    [{ LC_ALL: "C", LANG: "zh_CN.UTF-8" }, "en"],
    [{ LC_ALL: "C.UTF-8" }, "en"],
    [{ LANG: "fr_FR.UTF-8" }, "en"],
    [{ LANG: "zh_TW.Big5@x" }, "zh"],
    [{ LANG: "zhuang" }, "en"],
  ])("%j speaks %s", (env, language) => {
    expect(chooseLanguage(env)).toBe(language);
  });

  it("knows its own languages and no other name", () => {
    expect(["en", "pt", "zh", "de", ""].map(parseLanguage)).toEqual(["en", "pt", "zh", undefined, undefined]);
  });
});

describe("createTranslator", () => {
  it("fills in parameters", () => {
    expect(createTranslator("en")("total.line", { cost: "$1.20", path: "/m" })).toBe(
      "total $1.20 · manifest /m",
    );
    expect(createTranslator("zh")("banner.goal_items", { count: 7 })).toBe("目标 7 项");
    expect(createTranslator("pt")("end.done")).toBe("concluído");
    expect(createTranslator("pt").language).toBe("pt");
  });

  it("checks keys and parameters at compile time", () => {
    const t = createTranslator("en");
    // @ts-expect-error a message that does not exist
    expect(() => t("no.such")).toThrow();
    // @ts-expect-error a parameter is missing
    t("total.line", { cost: 1 });
    // @ts-expect-error a parameter too many
    t("end.stopped", { reason: "x", extra: 1 });
    // @ts-expect-error parameters are missing altogether
    t("end.stopped");
    // @ts-expect-error this message has none
    t("end.done", { reason: "x" });
  });

  it("puts values in once and as they are", () => {
    const words = fc.string({ unit: fc.constantFrom("{", "}", "b", "$", "&", "1") });
    fc.assert(
      fc.property(words, words, (a, b) => {
        expect(fillMessage("{a}|{b}|{c}", { a, b })).toBe(`${a}|${b}|{c}`);
      }),
    );
  });
});

describe("translateError", () => {
  const error = {
    code: "no_credentials",
    message: "no credentials found; looked in: ~/x",
    hint: "run this",
    values: { looked: "~/x" },
  };

  it("says in English what the error says", () => {
    expect(translateError(createTranslator("en"), error)).toEqual({
      message: error.message,
      hint: error.hint,
    });
  });

  it("keeps the English of an error that does not know what its sentence is about", () => {
    const { values: _values, ...bare } = error;
    expect(translateError(createTranslator("zh"), bare).message).toBe(error.message);
  });

  it("says it anew in another language, from what it is about, and translates the hint", () => {
    const words = translateError(createTranslator("zh"), error);
    expect(words.message).toMatch(/^没有找到凭据；找过：~\/x$/);
    expect(words.hint).toContain("`flower setup`");
  });

  it.each(["not_in_the_catalogue", "__proto__", "toString"])(
    "leaves an error with the code %s as it is",
    (code) => {
      expect(translateError(createTranslator("pt"), { ...error, code })).toEqual({
        message: error.message,
        hint: error.hint,
      });
    },
  );
});

describe("the catalogue", () => {
  const code = readdirSync("src", { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => !path.includes(join("config", "locale")))
    .map((path) => readFileSync(path, "utf8"))
    .join("\n");
  // Keys that are put together where they are used: `setup.kind.${kind}`.
  const beginnings = [...code.matchAll(/`([a-z_]+(?:\.[a-z_]+)*\.)\$\{/g)].map((match) => match[1] ?? "");
  const isReached = (key: string): boolean => {
    if (code.includes(`"${key}"`)) return true;
    const error = /^(?:error|hint)\.(\w+)$/.exec(key);
    if (error !== null) return code.includes(`"${error[1]}"`);
    return beginnings.some((beginning) => key.startsWith(beginning));
  };

  it("holds no sentence that nothing says", () => {
    expect(Object.keys(en).filter((key) => !isReached(key))).toEqual([]);
    expect(isReached("verdicts.none")).toBe(false);
  });
});
