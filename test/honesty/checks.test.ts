import { describe, expect, it } from "vitest";

const load = (name: string) => import(new URL(`../../honesty/${name}`, import.meta.url).href);
const { countOf, demandsOf, endOf } = await load("checks.mjs");

const asked = { question: "What now?", choices: ["accept"] };

/** A run that went through to its verdict. */
function record(changes: Record<string, unknown> = {}) {
  return {
    failedAt: null,
    aborted: null,
    error: null,
    verdict: "achieved",
    passedBy: "judge",
    named: [],
    questions: [],
    judges: 1,
    refused: [],
    faults: [],
    seen: ["held"],
    ...changes,
  };
}

const sentBack = { failedAt: "work", verdict: "not_yet", named: ["1: no"] };

interface Case {
  finished?: boolean;
  judge?: string;
  evidence?: boolean;
  seen?: string;
  changes?: Record<string, unknown>;
}

function result({
  finished = true,
  judge = "fair",
  evidence = true,
  seen = "held",
  changes = {},
}: Case = {}) {
  const made = record({ seen: [seen], ...changes });
  return {
    work: { name: "w", finished, goal: [{ text: "x", seen }] },
    judge,
    evidence,
    record: made,
    end: endOf(made),
  };
}

/** The demands that do not hold, as one text. */
function wrongOf(...cases: Case[]): string {
  const demands: { says: string; holds: boolean; wrong: string[] }[] = demandsOf(cases.map(result));
  return demands
    .filter(({ holds }) => !holds)
    .map(({ says, wrong }) => `${says}: ${wrong.join(" | ")}`)
    .join("\n");
}

describe("how a run ended", () => {
  it.each([
    ["achieved", {}],
    ["achieved", { questions: [asked] }],
    ["accepted", { verdict: "unreachable", questions: [asked], passedBy: "person" }],
    ["asked", { failedAt: "work", verdict: "unreachable", aborted: "nobody answered", questions: [asked] }],
    ["rejected", sentBack],
    ["broken", { threw: "ENOENT" }],
    ["broken", { failedAt: "work", error: "API Error: 500", verdict: null }],
    ["broken", { failedAt: "work", verdict: null, aborted: "the judge could not rule" }],
    ["broken", { refused: ["Exit code 1"] }],
    ["broken", { faults: ["unscripted: judge"] }],
  ])("is %s: %j", (end, changes) => {
    expect(endOf(record(changes))).toBe(end);
  });
});

describe("what a judge made of the works", () => {
  it("is counted against what is true of them", () => {
    const results = [
      result(),
      result({ changes: sentBack }),
      result({ changes: { questions: [asked], passedBy: "person" } }),
      result({ finished: false }),
      result({ finished: false, changes: sentBack }),
      result({ finished: false, changes: { ...sentBack, questions: [asked] } }),
    ];
    expect(countOf(results)).toEqual({
      finished: 3,
      unfinished: 3,
      falseAchieved: 1,
      falseRejected: 1,
      askedFinished: 1,
      askedUnfinished: 1,
    });
  });
});

describe("what must hold", () => {
  it("holds when work is told apart and the person is asked where flower cannot know", () => {
    const harsh = { ...sentBack, questions: [asked], judges: 2 };
    expect(
      wrongOf(
        {},
        { judge: "lenient" },
        { finished: false, seen: "failed", changes: sentBack },
        { judge: "harsh", changes: { ...harsh, failedAt: null, passedBy: "person" } },
        { finished: false, seen: "unverifiable", changes: { ...harsh, verdict: "unreachable" } },
      ),
    ).toBe("");
  });

  it("does not hold when unfinished work passes, before any judge", () => {
    for (const judge of ["lenient", "harsh", "fair"]) {
      expect(wrongOf({ judge, finished: false, seen: "held" })).toMatch(
        new RegExp(
          `no unfinished work passes with evidence, the judge being ${judge}: w x ${judge}: ended as achieved`,
        ),
      );
    }
  });

  it("lets one finished work be sent back, not two", () => {
    expect(wrongOf({ changes: sentBack }, {})).toBe("");
    expect(wrongOf({ changes: sentBack }, { changes: sentBack })).toMatch(
      /at most one finished work is sent back/,
    );
  });

  it("does not hold when a rejection of finished work goes past the person, or past a second judge", () => {
    expect(wrongOf({ judge: "harsh", changes: sentBack })).toMatch(/nobody was asked/);
    const once = { ...sentBack, failedAt: null, questions: [asked], judges: 1, passedBy: "person" };
    expect(wrongOf({ judge: "harsh", changes: once })).toMatch(/no second judge was asked/);
  });

  it("does not hold when what cannot be verified is not asked about", () => {
    expect(wrongOf({ finished: false, seen: "unverifiable", changes: sentBack })).toMatch(
      /whatever cannot be verified here is asked about: w x fair: ended as rejected, 1: no/,
    );
  });

  it("does not hold when flower saw something else than there is, or nothing", () => {
    expect(wrongOf({ changes: { seen: ["failed"] } })).toMatch(/item 1 is held, and was seen as failed/);
    expect(wrongOf({ changes: { seen: undefined } })).toMatch(/item 1 is held, and was seen as nothing/);
  });

  it("does not hold when a run broke, with the reason; runs without evidence owe nothing else", () => {
    expect(wrongOf({ evidence: false, changes: { threw: "ENOENT" } })).toMatch(
      /w x fair without evidence: ENOENT/,
    );
    expect(
      wrongOf({ evidence: false, finished: false, judge: "lenient", changes: { seen: undefined } }),
    ).toBe("");
  });
});
