import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { Brief } from "../../src/documents/brief.ts";
import { Goal } from "../../src/documents/goal.ts";
import { degradedHandoff, Handoff } from "../../src/documents/handoff.ts";
import { Verdict } from "../../src/documents/verdict.ts";
import { inLanguage, LANGUAGES } from "./headings.ts";

interface Case {
  readonly id: string;
  readonly scenario: string;
  readonly input: unknown;
  readonly expected: Readonly<Record<string, unknown>>;
}

function cases(name: string): ReadonlyMap<string, Case> {
  const text = readFileSync(new URL(`../fixtures/documents/${name}.json`, import.meta.url), "utf8");
  return new Map((JSON.parse(text) as Case[]).map((one) => [one.id, one]));
}

const handoffs = cases("handoff-parse");
const verdicts = cases("verdict-parse");
const folder = mkdtempSync(join(tmpdir(), "flower-documents-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function input(from: ReadonlyMap<string, Case>, id: string): string {
  const one = from.get(id);
  if (typeof one?.input !== "string") throw new TypeError(`no text in ${id}`);
  return one.input;
}

const FIELDS = ["doing", "decided", "deadends", "next", "scene"] as const;
const PLAIN = ["01", "02", "03", "04", "05", "07", "11", "12"].map((n) => `D-hand-${n}`);

describe.each(LANGUAGES)("handoff cases with headings in %s", (language) => {
  it.each(PLAIN)("%s parses as expected", (id) => {
    const { expected } = handoffs.get(id) as Case;
    const handoff = Handoff.parse(inLanguage(input(handoffs, id), language));
    for (const field of FIELDS) {
      if (expected[field] !== undefined) expect(handoff[field]).toBe(expected[field]);
      const part = expected[`${field}Contains`];
      if (part !== undefined) expect(handoff[field]).toContain(part);
    }
    if (expected.complete !== undefined) expect(handoff.complete()).toBe(expected.complete);
    expect(handoff.missing()).toEqual([]);
  });

  it("D-hand-06: what follows an unclosed fence is gone and the document says so", () => {
    const handoff = Handoff.parse(inLanguage(input(handoffs, "D-hand-06"), language));
    expect(handoff.doing).toBe("Running:");
    expect(handoff.complete()).toBe(false);
    expect(handoff.missing()).toEqual(["Next"]);
  });

  it("D-hand-08: a heading word that begins a sentence is text", () => {
    const { expected } = handoffs.get("D-hand-08") as Case;
    const brief = Brief.parse(inLanguage(input(handoffs, "D-hand-08"), language));
    expect(brief.goal).toBe(expected.goal);
    expect(brief.accept).toBe(inLanguage(String(expected.accept), language));
    expect(brief.complete()).toBe(true);
  });

  it("D-hand-14: wrapped lines and sub-items stay with their check", () => {
    const goal = Goal.parse(inLanguage(input(handoffs, "D-hand-14"), language));
    expect(goal.checks).toHaveLength(3);
    expect(goal.checks[0]).toBe("Run `make`; it exits 0 and prints nothing");
    expect(goal.checks[1]).toContain("on the build machine");
    expect(goal.unverifiable).toEqual([goal.checks[2]]);
  });
});

describe("handoff cases on disk", () => {
  it("D-hand-09: a placeholder does not survive loading as text", () => {
    const path = join(folder, "09", "handoff.md");
    new Handoff({ doing: "A", next: "" }).write(path);
    const loaded = Handoff.load(path);
    expect(loaded?.next).toBe("");
    expect(loaded?.complete()).toBe(false);
  });

  it("D-hand-10: an empty checklist loads as empty", () => {
    const path = join(folder, "10.md");
    new Goal({ statement: "S", checks: [] }).write(path);
    const loaded = Goal.load(path);
    expect(loaded?.statement).toBe("S");
    expect(loaded?.checks).toEqual([]);
    expect(loaded?.complete()).toBe(false);
  });

  it("D-hand-13: an error text is no handoff, and none of it reaches the successor", () => {
    const text = input(handoffs, "D-hand-13");
    const parsed = Handoff.parse(text);
    expect(parsed).toEqual(new Handoff());
    expect(parsed.complete()).toBe(false);
    const handoff = degradedHandoff("work", "Port the parser.", { why: text });
    expect(handoff.degraded).toBe(true);
    expect(handoff.complete()).toBe(true);
    expect(handoff.promptBlock()).not.toContain("Overloaded");
    expect(handoff.toMarkdown()).toContain("Overloaded");
  });
});

describe.each(LANGUAGES)("verdict cases in %s", (language) => {
  it.each([...verdicts.keys()])("%s rules as expected", (id) => {
    const { expected } = verdicts.get(id) as Case;
    const verdict = Verdict.parse(inLanguage(input(verdicts, id), language));
    const state = expected.state === "none" ? "" : expected.state;
    expect(verdict.state).toBe(state);
    expect(verdict.achieved).toBe(state === "achieved");
    expect(verdict.ok).toBe(state !== "");
    if (expected.failed !== undefined) expect(verdict.failed).toEqual(expected.failed);
  });
});
