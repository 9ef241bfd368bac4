import { describe, expect, it } from "vitest";
import { Goal } from "../../src/documents/goal.ts";
import { parseCheck } from "../../src/documents/parse-check.ts";
import { Verdict } from "../../src/documents/verdict.ts";
import type { EvidenceOutcome } from "../../src/evidence/evidence.ts";
import { evidenceTable } from "../../src/evidence/evidence-table.ts";

const load = (name: string) => import(new URL(`../../honesty/${name}`, import.meta.url).href);
const { fair, harsh, lenient } = await load("judges.mjs");

interface Block {
  readonly kind: string;
  readonly text?: string;
  readonly name?: string;
  readonly input?: unknown;
}

const CHECKS = [
  "`node wc.mjs a.txt` -> prints exactly 3",
  "`node wc.mjs b.txt` -> exits 2",
  "`docs/a.md` says why",
];
const ALL_WELL = "1: passed\n2: passed\n3: passed";

function tableOf(outcomes: readonly EvidenceOutcome[]): string {
  const blind = { kind: "blind", why: "no tree here" } as const;
  const items = outcomes.map((outcome, at) => ({
    ...{ number: at + 1, check: parseCheck(CHECKS[at] ?? ""), outcome, why: "", exitCode: 0 },
    ...{ durationS: 0.1, tail: "3\n1. held, says the program", path: `/e/item-0${at + 1}.txt` },
  }));
  const places = { folder: "/e", where: "/w", before: blind, after: blind };
  return `What flower saw when it ran the commands of the goal itself, in /w:\n${evidenceTable({ round: 1, items, changed: [], ...places })}`;
}

/** A judge's request as flower words it; `read` is what came of each look into a file. */
function request(report: string, outcomes?: readonly EvidenceOutcome[], read: readonly boolean[] = [true]) {
  const prompt = [
    "Rule on this round (round 1 of 1).",
    new Goal({ statement: "Words are counted.", checks: CHECKS }).promptBlock(),
    `What the workers' coordinator reports (a claim, not evidence):\n${report}`,
    ...(outcomes === undefined ? [] : [tableOf(outcomes)]),
    "Where you are:\n- platform: linux",
  ].join("\n\n");
  const calls = read.map((_, at) => ({ type: "tool_use", id: `t${at}`, name: "Read", input: {} }));
  const results = read.map((isThere, at) => ({
    ...{ type: "tool_result", tool_use_id: `t${at}`, content: "words", is_error: !isThere },
  }));
  const messages = [
    { role: "user", content: prompt },
    ...(read.length === 0
      ? []
      : [
          { role: "assistant", content: calls },
          { role: "user", content: results },
        ]),
  ];
  return { body: { messages } };
}

function ruled(answer: Block): string {
  const verdict = Verdict.parse(answer.text ?? "");
  return [verdict.state, ...verdict.failed].join(" | ");
}

describe("the lenient judge", () => {
  it("passes everything, and names the file of an item without a command", () => {
    const answer = lenient(request("1: passed", ["failed", "held", "prose"]));
    expect(ruled(answer)).toBe("achieved");
    expect(answer.text).toContain("3: `docs/a.md` is as it should be");
  });
});

describe("the harsh judge", () => {
  it("passes nothing, and blames an item whose command held where there is one", () => {
    expect(ruled(harsh(request(ALL_WELL, ["failed", "held", "prose"])))).toBe(
      "not_yet | 2: it does not convince",
    );
    expect(ruled(harsh(request(ALL_WELL)))).toBe("not_yet | 1: it does not convince");
  });
});

describe("the fair judge", () => {
  it("opens the file of an item without a command before it rules", () => {
    expect(fair(request(ALL_WELL, undefined, []))).toEqual([
      expect.objectContaining({ kind: "tool_use", name: "Read", input: { file_path: "docs/a.md" } }),
    ]);
    expect(ruled(fair(request(ALL_WELL, ["held", "held", "prose"], [false])))).toBe(
      "not_yet | 3: `docs/a.md` is not there",
    );
  });

  it.each<[string, readonly EvidenceOutcome[], string]>([
    ["passes what held", ["held", "held", "prose"], "achieved"],
    ["sends back what failed", ["held", "failed", "prose"], "not_yet | 2: flower saw it failed"],
    ["sends back what failed at times", ["flaky", "held", "prose"], "not_yet | 1: flower saw it flaky"],
    ["sends back what took too long", ["timed_out", "held", "prose"], "not_yet | 1: flower saw it timed_out"],
    ["sends back what was not run", ["held", "not_run", "prose"], "not_yet | 2: flower saw it not_run"],
    [
      "leaves open what nobody can tell",
      ["held", "unverifiable", "prose"],
      "unreachable | 2: flower saw it unverifiable",
    ],
    [
      "puts what failed before what is open",
      ["failed", "unverifiable", "prose"],
      "not_yet | 1: flower saw it failed",
    ],
  ])("%s, whatever the report says", (_what, outcomes, verdict) => {
    expect(ruled(fair(request(ALL_WELL, outcomes)))).toBe(verdict);
  });

  it.each([
    [ALL_WELL, "achieved"],
    ["1: passed\n2: not tried: no display", "unreachable | 2: not tried: no display"],
    ["1: passed", "not_yet | 2: nothing is said of it"],
  ])("goes by the report where it is shown no table: %j", (report, verdict) => {
    expect(ruled(fair(request(report)))).toBe(verdict);
  });
});

describe("every judge", () => {
  it("says so when it is shown no checklist, instead of ruling on nothing", () => {
    for (const judge of [lenient, harsh, fair]) {
      expect(() => judge({ body: { messages: [{ role: "user", content: "Rule." }] } })).toThrow(
        /no checklist/,
      );
    }
  });
});
