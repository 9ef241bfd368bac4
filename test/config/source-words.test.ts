import { mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { resolveCredentials } from "../../src/config/credentials.ts";
import { createTranslator, translateError } from "../../src/config/locale/translator.ts";
import { saySource } from "../../src/config/source-words.ts";
import { gatherSources } from "../../src/config/sources.ts";
import { CredentialsError } from "../../src/core/errors.ts";
import { places } from "./cases.ts";

function notFound(): CredentialsError {
  const where = places();
  mkdirSync(join(where.home, ".config", "flower", ".env"), { recursive: true });
  try {
    resolveCredentials(gatherSources(where));
  } catch (error) {
    if (error instanceof CredentialsError) return error;
  }
  throw new Error(`something was found below ${dirname(where.home)}`);
}

describe("where flower looked for credentials", () => {
  it.each([
    ["en", "process environment", "(does not exist)", "~/.config/flower/.env (a folder)"],
    ["zh", "进程环境变量", "（不存在）", "~/.config/flower/.env（是文件夹）"],
    ["pt", "variáveis de ambiente", "(não existe)", "~/.config/flower/.env (é uma pasta)"],
  ] as const)("is said in %s, and nothing of it in another language", (language, ...parts) => {
    const { message } = translateError(createTranslator(language), notFound());
    for (const part of parts) expect(message).toContain(part);
    if (language !== "en") expect(message).not.toMatch(/process environment|does not exist|a folder/);
  });

  it("is the English in the error itself, which programs and logs get", () => {
    expect(notFound().message).toMatch(
      /^no credentials found; looked in: Runtime\.env, process environment, /,
    );
  });

  it("leaves paths and names of others as they are", () => {
    expect(saySource(createTranslator("pt"), "~/.claude/settings.json")).toBe("~/.claude/settings.json");
    expect(saySource(createTranslator("zh"), "toString")).toBe("toString");
  });
});
