// What the documents say is held against what there is: code blocks, links, options, names on disk.

import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { COMMAND_NAMES, COMMANDS } from "../../src/cli/args/commands.ts";
import { FLAGS } from "../../src/cli/args/flags.ts";
import { createTranslator } from "../../src/config/locale/translator.ts";
import { RUN_DIR_NAMES } from "../../src/workbench/git-ignore.ts";

const ROOT = resolve(import.meta.dirname, "..", "..");
const read = (name: string) => readFileSync(join(ROOT, name), "utf8");

const DOCUMENTS = [
  "README.md",
  "AGENTS.md",
  "CHANGELOG.md",
  ...readdirSync(join(ROOT, "docs"), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".md") && !name.startsWith("node_modules"))
    .map((name) => `docs/${name}`),
];

/** Documents whose first TypeScript block is an example, word for word: examples are type-checked and run. */
const QUOTED = [
  { document: "README.md", example: "two-step-workflow.ts" },
  { document: "docs/cli.md", example: "workflow-file.ts" },
  { document: "docs/testing.md", example: "test-your-workflow.ts" },
];

describe.each(DOCUMENTS)("%s", (document) => {
  it("links only to files that are there", () => {
    const links = [...read(document).matchAll(/\]\((?!https?:|#)([^)#]+)/g)].map((match) => match[1] ?? "");
    const broken = links.filter((link) => !existsSync(join(ROOT, dirname(document), link)));
    expect(broken).toEqual([]);
  });

  it("names only npm scripts that exist", () => {
    const { scripts } = JSON.parse(read("package.json")) as { scripts: Record<string, string> };
    const named = [...read(document).matchAll(/npm run ([a-z:]+)/g)].map((match) => match[1] ?? "");
    expect(named.filter((name) => scripts[name] === undefined)).toEqual([]);
  });
});

describe("examples", () => {
  it.each(QUOTED)("$document quotes $example as it stands", ({ document, example }) => {
    const block = /```ts\n([\s\S]*?)```/.exec(read(document))?.[1];
    expect(block).toBe(read(`examples/${example}`));
  });

  it("are all run, and listed in docs/examples.md", () => {
    const scripts = read("examples/scripts.mjs");
    const examples = readdirSync(join(ROOT, "examples")).filter((name) => name.endsWith(".ts"));
    expect(examples.filter((name) => !scripts.includes(`name: "${name}"`))).toEqual([]);
    expect(examples.filter((name) => !read("docs/examples.md").includes(`](../examples/${name})`))).toEqual(
      [],
    );
  });
});

describe("docs/cli.md", () => {
  const text = read("docs/cli.md");

  it("has every command and every option", () => {
    const spellings = FLAGS.flatMap(({ long, short }) => (short === undefined ? [long] : [long, short]));
    expect(spellings.filter((spelling) => !new RegExp(`\`${spelling}[\` ]`).test(text))).toEqual([]);
    expect(COMMAND_NAMES.filter((name) => !text.includes(name))).toEqual([]);
  });

  it("has the tables that `npm run docs:cli` writes from the definitions", async () => {
    const { cliReference, PART } = await import(join(ROOT, "scripts/cli-reference.mjs"));
    const { replaceMarked } = await import(join(ROOT, "scripts/marked-part.mjs"));
    const say = createTranslator("en");
    expect(replaceMarked(text, PART, cliReference({ commands: COMMANDS, flags: FLAGS, say }))).toBe(text);
  });

  it.each(["docs/cli.md", "README.md", "docs/security.md", "docs/concepts.md", "docs/configuration.md"])(
    "%s names no option that does not exist",
    (document) => {
      const known = new Set<string>(FLAGS.map(({ long }) => long));
      const named = [...read(document).matchAll(/`(?:flower [^`]*)?(--[a-z-]+)/g)].map(
        (match) => match[1] ?? "",
      );
      expect(named.filter((name) => !known.has(name))).toEqual([]);
    },
  );
});

describe("docs/configuration.md", () => {
  const text = read("docs/configuration.md");
  const rowOf = (name: string) =>
    text.split("\n").find((line) => line.startsWith("| `") && line.includes(`\`${name}\``));
  const CELL = {
    anyone: /\| yes \| yes(?: \||,)/,
    lower: /\| yes \| only lower/,
    person: /\| yes \| no: an error/,
  };

  it.each(
    FLAGS.flatMap(({ long, config }) =>
      config === undefined ? [] : [[long.slice(2), config.kind] as const],
    ),
  )("says who may set %s in a file: %s", (name, kind) => expect(rowOf(name)).toMatch(CELL[kind]));
});

describe("docs/terminal.md", () => {
  it("shows screens as they are", () => {
    const screens = readdirSync(join(ROOT, "test/screens")).map((name) => read(`test/screens/${name}`));
    const shown = [...read("docs/terminal.md").matchAll(/```text\n([\s\S]*?)```/g)].map(
      (match) => match[1] ?? "",
    );
    expect(shown.length).toBeGreaterThan(5);
    expect(shown.filter((block) => !screens.some((screen) => screen.includes(block)))).toEqual([]);
  });
});

describe("AGENTS.md", () => {
  it("has a row for every room", () => {
    const rooms = readdirSync(join(ROOT, "src"), { withFileTypes: true }).filter((entry) =>
      entry.isDirectory(),
    );
    const text = read("AGENTS.md");
    expect(rooms.map(({ name }) => name).filter((name) => !text.includes(`| \`${name}\` |`))).toEqual([]);
  });
});

describe("docs/books.md", () => {
  it("has every name that is kept out of git status, but for those nothing writes yet", () => {
    const notYet = ["/archive/"];
    const text = read("docs/books.md");
    const names = RUN_DIR_NAMES.filter((name) => !notYet.includes(name));
    const missing = names.filter((name) => !text.includes(name.replaceAll(/^\/|\*.*$/g, "")));
    expect(missing).toEqual([]);
  });
});
