import { describe, expect, it } from "vitest";
import { createTranslator } from "../../../src/config/locale/translator.ts";
import { Verdict } from "../../../src/documents/verdict.ts";
import type { EvidenceItem } from "../../../src/evidence/evidence.ts";
import { boundVerdict } from "../../../src/workflow/verdict/bound-words.ts";

const ITEMS = [
  {
    number: 1,
    check: { text: "`node a.mjs` -> prints 3", command: "node a.mjs" },
    outcome: "failed",
    why: "it printed 2",
  },
  { number: 2, check: { text: "it is documented" }, outcome: "prose", why: "" },
] as unknown as readonly EvidenceItem[];
const say = createTranslator("en");
const achieved = new Verdict({ state: "achieved", reason: "I believe it." });

describe("a verdict that the evidence makes another one", () => {
  it("says which command did not hold, and keeps what the judge said", () => {
    const binding = { kind: "not_yet", broken: [1], unproven: [], named: [] } as const;
    const bound = boundVerdict(binding, { verdict: achieved, items: ITEMS, say });
    expect(bound.state).toBe("not_yet");
    expect(bound.reason).toMatch(
      /flower ran the commands.*: 1\n\nthe judge said: achieved\nI believe it\.$/s,
    );
    expect(bound.failed).toEqual(["1: `node a.mjs` -> prints 3 – it printed 2"]);
    expect(Verdict.parse(bound.toMarkdown())).toMatchObject({ state: "not_yet", failed: bound.failed });
  });

  it("adds to what the judge named itself", () => {
    const verdict = new Verdict({ state: "not_yet", reason: "Undocumented.", failed: ["2: no README"] });
    const binding = { kind: "not_yet", broken: [1], unproven: [], named: [2] } as const;
    const bound = boundVerdict(binding, { verdict, items: ITEMS, say });
    expect(bound.failed).toEqual(["2: no README", "1: `node a.mjs` -> prints 3 – it printed 2"]);
  });

  it("says which item was passed on nothing", () => {
    const binding = { kind: "not_yet", broken: [], unproven: [2], named: [] } as const;
    const bound = boundVerdict(binding, { verdict: achieved, items: ITEMS, say });
    expect(bound.state).toBe("not_yet");
    expect(bound.failed).toEqual(["2: it is documented – no path was named that exists here"]);
  });

  it("asks about what nobody can tell, and about that alone", () => {
    const bound = boundVerdict({ kind: "unreachable", items: [1] }, { verdict: achieved, items: ITEMS, say });
    expect(bound.unreachable).toBe(true);
    expect(bound.failed).toEqual(["1: `node a.mjs` -> prints 3 – it printed 2"]);
  });

  it("is the judge's own where they agree", () => {
    const words = { verdict: achieved, items: ITEMS, say };
    expect(boundVerdict({ kind: "achieved" }, words)).toBe(achieved);
    expect(boundVerdict({ kind: "unreachable", items: [] }, words)).toBe(achieved);
    expect(boundVerdict({ kind: "contested", items: [1] }, words)).toBe(achieved);
    const none = { kind: "not_yet", broken: [], unproven: [], named: [0] } as const;
    expect(boundVerdict(none, words)).toBe(achieved);
    expect(boundVerdict({ kind: "unclear" }, words)).toMatchObject({ state: "", ok: false });
  });
});
