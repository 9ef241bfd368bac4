import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import {
  defaultWindow,
  isolated,
  OptionError,
  oracle,
  Resilience,
  wantsIsolation,
  worker,
} from "../../src/index.ts";
import { AGENT_ROWS } from "./agent-rows.ts";
import { FLOW_ROWS } from "./flow-rows.ts";
import type { Row } from "./row.ts";
import { STARTER_ROWS } from "./starter-rows.ts";
import { STORE_ROWS } from "./store-rows.ts";
import { TESTING_ROWS } from "./testing-rows.ts";

const SRC = join(import.meta.dirname, "..", "..", "src");
const ROWS: readonly Row[] = [...AGENT_ROWS, ...FLOW_ROWS, ...STARTER_ROWS, ...STORE_ROWS, ...TESTING_ROWS];
const keysOf = ({ given, defaults }: Row) => [...Object.keys(given), ...Object.keys(defaults)];

/** What a call throws, at once or later. */
async function refusal(call: () => unknown): Promise<unknown> {
  try {
    await call();
  } catch (error) {
    return error;
  }
  return undefined;
}

/** An error is made of the first and must not throw another one; the second is part of three steps that have rows. */
const NO_ROW = ["FlowerErrorInit", "RoleOptions"];

function optionTypes(): readonly string[] {
  const doors = ["index.ts", join("testing", "index.ts")].map((door) =>
    readFileSync(join(SRC, door), "utf8"),
  );
  return doors.flatMap((text) => text.match(/\b[A-Z]\w+(?:Options|Fields|Init)\b/g) ?? []);
}

describe("the table of options", () => {
  it("has a row for every options type of the public list", () => {
    const rows = new Set(ROWS.map(({ type }) => type.split(" ")[0]));
    const types = optionTypes();
    expect(types.length).toBeGreaterThan(40);
    expect(types.filter((type) => !rows.has(type) && !NO_ROW.includes(type))).toEqual([]);
  });
});

describe.each(ROWS.map((row) => [row.type, row] as const))("%s", (_type, row) => {
  it("has these defaults", async () => {
    expect(await row.seen(row.given)).toEqual(row.defaults);
  });

  it("takes an option that is undefined for one that is left out", async () => {
    const options = Object.fromEntries(Object.keys(row.defaults).map((key) => [key, undefined]));
    expect(await row.seen({ ...options, ...row.given })).toEqual(row.defaults);
  });

  it("has the original's defaults, or says why not", () => {
    for (const [key, was] of Object.entries(row.original)) {
      if (key in row.differs) expect(row.defaults[key], key).not.toEqual(was);
      else expect(row.defaults[key], key).toEqual(was);
    }
    expect(Object.keys(row.differs).filter((key) => !(key in row.original))).toEqual([]);
  });

  it("refuses a key that is nearly one of its own, and names that one", async () => {
    for (const key of keysOf(row)) {
      const snake = key.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
      for (const wrong of [`${key}x`, snake].filter((name) => name !== key)) {
        const error = await refusal(() => row.make({ ...row.given, [wrong]: undefined }));
        expect(error, wrong).toBeInstanceOf(OptionError);
        expect(error).toMatchObject({
          code: "unknown_option",
          message: expect.stringContaining(`"${wrong}"`),
          hint: `did you mean "${key}"?`,
        });
      }
    }
  });

  it("refuses a key that is like none of its own, and lists them", async () => {
    const error = await refusal(() => row.make({ ...row.given, somethingElseAltogether: 1 }));
    expect(error).toMatchObject({ code: "unknown_option" });
    for (const key of keysOf(row)) expect((error as OptionError).hint).toContain(key);
  });

  it.each([null, "text", ["list"], 3])("refuses %j in place of an object", async (value) => {
    const error = await refusal(() => row.make(value as never));
    expect(error).toBeInstanceOf(OptionError);
    expect(error).toMatchObject({ code: "bad_options", hint: expect.stringMatching(/\w/) });
  });
});

describe("what is left out beside options", () => {
  const coder = worker("codes", "You code.");

  it.each([
    ["isolated marks", wantsIsolation(isolated(coder)), true],
    ["no worker wants no isolation", wantsIsolation(undefined), false],
    ["an oracle's name", oracle().name, "oracle"],
    ["the window of a model nobody named", defaultWindow({}), 1_000_000],
    ["the window of a small model", defaultWindow({ ANTHROPIC_MODEL: "claude-haiku-4" }), 200_000],
    [
      "the window of a small model with a large one",
      defaultWindow({ ANTHROPIC_MODEL: "haiku[1m]" }),
      1_000_000,
    ],
    ["the first wait, without chance", new Resilience().delayFor(1, undefined, () => 0.5), 4],
  ])("%s", (_what, seen, expected) => {
    expect(seen).toBe(expected);
  });
});
