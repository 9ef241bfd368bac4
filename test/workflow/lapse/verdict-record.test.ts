import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Verdict, type VerdictState } from "../../../src/documents/verdict.ts";
import { describeFile } from "../../../src/workbench/describe.ts";
import {
  bookedFacts,
  parseRecord,
  type RuledState,
  renderRecord,
  stateOf,
  verdictIn,
} from "../../../src/workflow/lapse/verdict-record.ts";
import { record } from "./records.ts";

describe("the state of a round", () => {
  it.each<[VerdictState, string[], boolean, RuledState]>([
    ["achieved", [], true, "achieved"],
    ["achieved", ["1"], false, "not_yet"],
    ["achieved", ["1"], true, "accepted"],
    ["not_yet", ["1"], false, "not_yet"],
    ["not_yet", ["1"], true, "accepted"],
    ["unreachable", [], false, "unreachable"],
    ["unreachable", [], true, "accepted"],
    ["", [], false, "unclear"],
  ])("ruled %s with %j not passed, let pass: %s -> %s", (state, failed, passes, is) => {
    expect(stateOf(new Verdict({ state, failed }), passes)).toBe(is);
  });
});

describe("a verdict on disk", () => {
  it("reads back as what was written, whatever judges and paths say", () => {
    const any = fc.string({ unit: "binary", maxLength: 200 });
    fc.assert(
      fc.property(any, fc.array(any), fc.dictionary(any, any), any, (reason, failed, documents, evidence) => {
        const written = record({ reason, failed, documents: { ...documents }, evidence });
        expect(parseRecord(renderRecord(written))).toEqual(written);
      }),
    );
    const blind = record({
      tree: { kind: "blind", why: "more than 10000 files" },
      round: 0,
      state: "unclear",
      judged: "",
    });
    expect(parseRecord(renderRecord(blind))).toEqual(blind);
  });

  it("is read by people: what was ruled, why, and what it holds for; the index shows its first line", () => {
    const text = renderRecord(
      record({
        state: "accepted",
        judged: "unreachable",
        documents: { ".flower/notes/goal.md": "12ab" },
        evidence: ".flower/artifacts/evidence/r/round-1",
        failed: ["1. on a phone"],
      }),
    );
    expect(text).toContain("# work: accepted by the person, round 1 of 3");
    expect(text).toContain("### Conclusion\n\nunreachable");
    expect(text).toContain("- 1. on a phone");
    expect(text).toContain("- tree abc");
    expect(text).toContain("- .flower/notes/goal.md with SHA-256 12ab");
    expect(text).toContain("- evidence in .flower/artifacts/evidence/r/round-1");
    expect(describeFile("x.md", text)).toBe("work: accepted by the person, round 1 of 3");
    expect(renderRecord(record({ round: 0 }))).toContain("# work: achieved, before any work of its run");
    expect(verdictIn(record({ judged: "not_yet", failed: ["2"] })).failed).toEqual(["2"]);
  });

  it.each([
    ["nothing", ""],
    ["a note of somebody's", "# Verdict: achieved\n\nAll is well.\n"],
    ["front matter that is no JSON", "---\nstate: achieved\n---\n"],
    ["a list", "---\n[1]\n---\n"],
    ["half a record", `${renderRecord(record()).slice(0, 60)}\n---\n`],
    ["an unknown state", renderRecord(record()).replace('"state":"achieved"', '"state":"fine"')],
    ["a tree of another kind", renderRecord(record()).replace('"kind":"seen"', '"kind":"felt"')],
    ["a time in words", renderRecord(record()).replace('"at":1000', '"at":"noon"')],
  ])("is none where the file is %s", (_what, text) => {
    expect(parseRecord(text)).toBeUndefined();
  });

  it("never throws, whatever the file holds", () => {
    const any = fc.string({ unit: "binary" });
    fc.assert(fc.property(any, (text) => void parseRecord(`---\n${text}\n---\n`)));
    fc.assert(fc.property(fc.json(), (text) => void parseRecord(`---\n${text}\n---\n`)));
  });

  it("has in the books what tells its file from another's", () => {
    const facts = bookedFacts(record(), ".flower/notes/verdicts/x.md");
    expect(facts).toMatchObject({
      state: "achieved",
      round: 1,
      tree: "abc",
      path: ".flower/notes/verdicts/x.md",
    });
    expect(facts.sha256).not.toBe(bookedFacts(record({ state: "not_yet" }), "").sha256);
  });
});
