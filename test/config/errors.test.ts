// Every error flower throws is said in three languages, whole: read off the places where they are thrown.

import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { describe, expect, it } from "vitest";
import { parseAst } from "vitest/node";
import { en } from "../../src/config/locale/en.ts";
import { pt } from "../../src/config/locale/pt.ts";
import { zh } from "../../src/config/locale/zh.ts";

interface Node {
  readonly type: string;
  readonly [field: string]: unknown;
}

/** Said to whoever writes a program with flower or scripts its tests: the names in it are the program's. */
const PROGRAM =
  "bad_tool bad_script bad_answer worker_delegates worker_name worker_name_built_in worker_name_taken worker_incomplete";

/** What a code is thrown with. */
interface Thrown {
  readonly place: string;
  readonly code: string;
  readonly values: readonly string[];
}

function isNode(value: unknown): value is Node {
  return typeof value === "object" && value !== null && typeof (value as Node).type === "string";
}

function walk(value: unknown, see: (node: Node) => void): void {
  if (Array.isArray(value)) for (const each of value) walk(each, see);
  if (!isNode(value)) return;
  see(value);
  for (const [field, child] of Object.entries(value)) if (field !== "parent") walk(child, see);
}

function propertiesOf(node: Node): Map<string, Node> {
  const found = new Map<string, Node>();
  for (const property of node.properties as readonly Node[]) {
    const key = property.key as { readonly name?: string; readonly value?: string } | undefined;
    const name = key?.name ?? key?.value;
    if (name !== undefined && isNode(property.value)) found.set(name, property.value);
  }
  return found;
}

/** Every object with a literal `code` beside a `hint`: what an error is made of. */
function thrownIn(path: string): Thrown[] {
  const thrown: Thrown[] = [];
  walk(parseAst(readFileSync(path, "utf8"), { lang: "ts" }), (node) => {
    if (node.type !== "ObjectExpression") return;
    const fields = propertiesOf(node);
    const code = fields.get("code")?.value;
    if (typeof code !== "string" || !fields.has("hint")) return;
    const values = fields.get("values");
    // What became of a statement: the store's path and the reason are added where all of them are made.
    if (fields.has("says"))
      return void thrown.push({ place: relative("src", path), code, values: ["path", "reason"] });
    const names = values?.type === "ObjectExpression" ? [...propertiesOf(values).keys()] : [];
    thrown.push({ place: relative("src", path), code, values: names });
  });
  return thrown;
}

const thrown = readdirSync("src", { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && entry.name.endsWith(".ts"))
  .map((entry) => join(entry.parentPath, entry.name))
  .filter((path) => !path.startsWith(join("src", "testing")))
  .flatMap(thrownIn);

function namesIn(text: string): string[] {
  return [...text.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name);
}

describe("an error of flower's own", () => {
  it("is found where it is thrown", () => {
    expect(thrown.length).toBeGreaterThan(50);
    expect(thrown.map(({ code }) => code)).toContain("write_failed");
  });

  it("has a sentence and a next step in every language, or is a program's matter", () => {
    const codes = [...new Set(thrown.map(({ code }) => code))];
    const untold = codes.filter((code) => !(`error.${code}` in en) && !PROGRAM.split(" ").includes(code));
    // Said in the person's language where it is thrown.
    expect(untold.sort()).toEqual(["bad_config"]);
  });

  it.each([
    ["zh", zh],
    ["pt", pt],
  ] as const)("is given all that its sentence in %s is about", (_language, messages) => {
    const texts: Readonly<Record<string, string>> = messages;
    const missing = thrown.flatMap(({ place, code, values }) =>
      [...namesIn(texts[`error.${code}`] ?? ""), ...namesIn(texts[`hint.${code}`] ?? "")]
        .filter((name) => name !== "message" && name !== "hint" && !values.includes(name))
        .map((name) => `${place}: ${code} lacks ${name}`),
    );
    expect(missing).toEqual([]);
  });
});
