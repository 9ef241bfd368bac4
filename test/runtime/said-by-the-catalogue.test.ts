// What flower itself tells a person is a sentence of the catalogue, whatever room it comes from.

import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { describe, expect, it } from "vitest";

/** The rooms that know no language. */
const BELOW = [
  "harness",
  "runtime",
  "evidence",
  "workflow",
  "broker",
  "workbench",
  "sessions",
  "people",
  "guards",
];

/** Who makes an event of these kinds without a sentence of the catalogue, and what it says then. */
const OTHERS: Readonly<Record<string, string>> = {
  "harness/normalize.ts": "the harness's own words, or a sentence beside them",
  "runtime/event-log.ts": "no text at all",
  "runtime/notice.ts": "the sentence itself",
  "runtime/runtime.ts": "the report of a store, its sentence beside it",
  "runtime/conduct-step.ts": "no text: numbers",
  "runtime/hand-over.ts": "no text, or a path",
  "runtime/step-waits.ts": "a failure, its facts beside it",
  "runtime/worktrees/isolated-session.ts": "a report as data, which the screen says itself",
  "workflow/goal-step.ts": "checks and commands as data, which the screen says itself",
  "workflow/run-group.ts": "the name of a step",
  "workflow/run-place.ts": "the name of a step",
  "workflow/verdict/judge-round.ts": "the judge's words",
  "workflow/verdict/round-evidence.ts": "a command, or a sentence beside its text",
};

const files = BELOW.flatMap((room) =>
  readdirSync(join("src", room), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name)),
).map((path) => ({ path: relative("src", path), code: readFileSync(path, "utf8") }));

function makers(pattern: RegExp): string[] {
  return files
    .filter(({ code }) => pattern.test(code))
    .map(({ path }) => path)
    .sort();
}

describe("a sentence for a person", () => {
  it("comes from the catalogue wherever an event tells one", () => {
    const found = makers(/createEvent\(\s*(?:"(?:task|error|system|reset|retry|handoff)"|[a-z])/);
    expect(found).toEqual(Object.keys(OTHERS).sort());
  });

  it("comes from the catalogue wherever a step or a run ends", () => {
    // Whoever writes a workflow has words of their own; flower has none but the catalogue's.
    expect(makers(/new StepAbort\(/)).toEqual(["workflow/step.ts"]);
    expect(makers(/\berror: ["'`]/)).toEqual([]);
    expect(makers(/\b(?:stuck|blocked)\(["'`]/)).toEqual([]);
    expect(makers(/\bdraft\.(?:error|hint) = ["'`]/)).toEqual([]);
    expect(makers(/\._(?:aborted|hint) = ["'`]/)).toEqual([]);
  });

  it("is not put together from two with a sign between them, which languages write in their own way", () => {
    const cli = readdirSync("src/cli", { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name));
    const joined = cli.filter((path) => /\bt\([^;\n]*\)\}[:,;] ?\$\{t\(/.test(readFileSync(path, "utf8")));
    expect(joined).toEqual([]);
  });
});
