import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Check } from "../../../src/documents/check.ts";
import { Verdict, type VerdictState } from "../../../src/documents/verdict.ts";
import type { EvidenceItem, EvidenceOutcome } from "../../../src/evidence/evidence.ts";
import { type Binding, bindVerdict, upholds } from "../../../src/workflow/verdict/bind-verdict.ts";

const OUTCOMES: readonly EvidenceOutcome[] = [
  "prose",
  "held",
  "ran",
  "failed",
  "flaky",
  "timed_out",
  "not_run",
  "unverifiable",
];
const STATES: readonly VerdictState[] = ["achieved", "not_yet", "unreachable", ""];

function itemOf(outcome: EvidenceOutcome, number: number, check: Partial<Check> = {}): EvidenceItem {
  const text = `check ${"abcdefgh"[number - 1]} of the list`;
  const command = outcome === "prose" ? {} : { command: "node x.mjs" };
  return {
    number,
    check: { text, ...command, ...check },
    outcome,
    why: "",
    exitCode: outcome === "held" ? 0 : undefined,
    durationS: 0,
    tail: "",
    path: undefined,
  };
}

function itemsOf(outcomes: readonly EvidenceOutcome[]): EvidenceItem[] {
  return outcomes.map((outcome, index) => itemOf(outcome, index + 1));
}

interface Case {
  readonly state: VerdictState;
  readonly failed?: readonly string[];
  readonly outcomes: readonly EvidenceOutcome[];
  readonly proven?: readonly number[];
  readonly settled?: readonly number[];
  readonly askedAgain?: boolean;
  readonly items?: readonly EvidenceItem[];
}

function bind(each: Case): Binding {
  return bindVerdict({
    verdict: new Verdict({ state: each.state, failed: each.failed ?? [] }),
    items: each.items ?? itemsOf(each.outcomes),
    proven: new Set(each.proven ?? []),
    settled: new Set(each.settled ?? []),
    askedAgain: each.askedAgain ?? false,
  });
}

function notYet(more: Partial<Extract<Binding, { kind: "not_yet" }>>): Binding {
  return { kind: "not_yet", broken: [], unproven: [], named: [], ...more };
}

describe("a judge that says achieved", () => {
  it.each<[readonly EvidenceOutcome[], Partial<Case>, Binding]>([
    [[], {}, { kind: "achieved" }],
    [["held"], {}, { kind: "achieved" }],
    [["held", "held"], {}, { kind: "achieved" }],
    // The exit code says nothing of what the words ask for.
    [["ran"], { proven: [1] }, { kind: "achieved" }],
    [["held", "ran"], {}, { kind: "unproven", items: [2] }],
    [["held", "ran"], { askedAgain: true }, notYet({ unproven: [2] })],
    [["ran", "failed"], { proven: [1] }, notYet({ broken: [2] })],
    [["ran", "unverifiable"], { proven: [1] }, { kind: "unreachable", items: [2] }],
    [["failed"], {}, notYet({ broken: [1] })],
    [["held", "flaky"], {}, notYet({ broken: [2] })],
    [["timed_out", "held"], {}, notYet({ broken: [1] })],
    [["held", "failed", "not_run"], {}, notYet({ broken: [2, 3] })],
    // A person's word about an item that could not be verified is none about one that failed.
    [["failed"], { settled: [1] }, notYet({ broken: [1] })],
    [["prose"], { proven: [1] }, { kind: "achieved" }],
    [["prose"], { proven: [1], askedAgain: true }, { kind: "achieved" }],
    [["prose"], {}, { kind: "unproven", items: [1] }],
    [["prose"], { askedAgain: true }, notYet({ unproven: [1] })],
    [["prose", "held", "prose"], { proven: [3] }, { kind: "unproven", items: [1] }],
    // What failed is sent back at once: nobody is asked for paths first.
    [["prose", "failed"], {}, notYet({ broken: [2] })],
    [["unverifiable"], {}, { kind: "unreachable", items: [1] }],
    [["unverifiable"], { proven: [1] }, { kind: "unreachable", items: [1] }],
    [["held", "unverifiable", "unverifiable"], {}, { kind: "unreachable", items: [2, 3] }],
    [["failed", "unverifiable"], {}, notYet({ broken: [1] })],
    // Not done comes before cannot be verified.
    [["prose", "unverifiable"], {}, { kind: "unproven", items: [1] }],
    [["prose", "unverifiable"], { askedAgain: true }, notYet({ unproven: [1] })],
    [["prose", "unverifiable"], { proven: [1] }, { kind: "unreachable", items: [2] }],
    // About these the person has said how they can be judged: like any item without a command.
    [["unverifiable"], { settled: [1] }, { kind: "unproven", items: [1] }],
    [["unverifiable"], { settled: [1], proven: [1] }, { kind: "achieved" }],
    [["unverifiable", "unverifiable"], { settled: [1], proven: [1] }, { kind: "unreachable", items: [2] }],
  ])("%j with %j counts as %j", (outcomes, more, binding) => {
    expect(bind({ state: "achieved", outcomes, ...more })).toEqual(binding);
  });

  it("has not ruled so about an item the goal itself marks, command or not", () => {
    const text = "it looks right [cannot verify here: no display]";
    const prose = itemOf("prose", 1, { text });
    expect(bind({ state: "achieved", outcomes: [], items: [prose], proven: [1] })).toEqual({
      kind: "unreachable",
      items: [1],
    });
    const held = itemOf("held", 1, { text });
    expect(bind({ state: "achieved", outcomes: [], items: [held] }).kind).toBe("unreachable");
  });

  it("is taken at what it names when it names checks that did not pass", () => {
    expect(bind({ state: "achieved", failed: ["2: no"], outcomes: ["held", "prose"] })).toEqual(
      notYet({ named: [2] }),
    );
    expect(bind({ state: "achieved", failed: ["1: no"], outcomes: ["held"] }).kind).toBe("contested");
  });
});

describe("a judge that says not yet", () => {
  it.each<[readonly EvidenceOutcome[], readonly string[], Binding]>([
    [["held"], ["1: wrong"], { kind: "contested", items: [1] }],
    [["held", "held"], ["2: wrong", "1: wrong"], { kind: "contested", items: [1, 2] }],
    [["held", "prose"], ["1: wrong"], { kind: "contested", items: [1] }],
    [["held", "prose"], ["1: wrong", "2: wrong"], notYet({ named: [1, 2] })],
    [["held", "prose"], ["2: wrong"], notYet({ named: [2] })],
    [["ran"], ["1: rude"], notYet({ named: [1] })],
    [["held", "ran"], ["1: wrong", "2: rude"], notYet({ named: [1, 2] })],
    [["held", "ran"], ["1: wrong"], { kind: "contested", items: [1] }],
    [["held"], [], notYet({})],
    [["held"], ["it is ugly"], notYet({ named: [0] })],
    [["held"], ["1: wrong", "it is ugly"], notYet({ named: [0, 1] })],
    [["held", "unverifiable"], ["2: who knows"], notYet({ named: [2] })],
    [["held", "failed"], ["2: wrong"], notYet({ named: [2] })],
    // A command that failed is named although the judge passed it over.
    [["held", "failed"], ["1: wrong"], notYet({ named: [1], broken: [2] })],
    [["held", "failed", "not_run"], [], notYet({ broken: [2, 3] })],
    [[], ["1: wrong"], notYet({ named: [0] })],
  ])("of %j, naming %j, counts as %j", (outcomes, failed, binding) => {
    expect(bind({ state: "not_yet", failed, outcomes })).toEqual(binding);
  });
});

describe("a judge that says it cannot be verified here", () => {
  it.each<[readonly EvidenceOutcome[], readonly string[], Binding]>([
    [["unverifiable"], [], { kind: "unreachable", items: [] }],
    [["held"], [], { kind: "unreachable", items: [] }],
    [["held", "prose"], ["2: no phone"], { kind: "unreachable", items: [] }],
    // It has seen that this failed, and says why that proves nothing.
    [["failed"], ["1: there is no network here"], { kind: "unreachable", items: [] }],
    [["failed", "unverifiable"], ["2: no phone"], notYet({ broken: [1], named: [2] })],
    [["not_run"], [], notYet({ broken: [1] })],
  ])("of %j, naming %j, counts as %j", (outcomes, failed, binding) => {
    expect(bind({ state: "unreachable", failed, outcomes })).toEqual(binding);
  });
});

describe("a ruling that cannot be read", () => {
  it.each(OUTCOMES)("stays unclear, whatever came of the command: %s", (outcome) => {
    expect(bind({ state: "", outcomes: [outcome] })).toEqual({ kind: "unclear" });
  });
});

describe("a second judge", () => {
  it.each<[Binding, boolean]>([
    [{ kind: "contested", items: [1] }, true],
    [{ kind: "unclear" }, true],
    [notYet({}), true],
    [notYet({ named: [0] }), true],
    [notYet({ named: [0, 2] }), false],
    [notYet({ named: [2] }), false],
    [notYet({ unproven: [2] }), false],
    [notYet({ broken: [2] }), false],
    [{ kind: "achieved" }, false],
    [{ kind: "unreachable", items: [] }, false],
    [{ kind: "unproven", items: [1] }, false],
  ])("that comes to %j upholds the first: %s", (binding, does) => {
    expect(upholds(binding)).toBe(does);
  });
});

describe("whatever is ruled on whatever was seen", () => {
  const anyCase = fc.record({
    state: fc.constantFrom(...STATES),
    outcomes: fc.array(fc.constantFrom(...OUTCOMES), { maxLength: 5 }),
    failed: fc.array(fc.constantFrom("1: no", "2: no", "3", "nothing in particular", "9: no"), {
      maxLength: 3,
    }),
    proven: fc.uniqueArray(fc.integer({ min: 1, max: 5 })),
    settled: fc.uniqueArray(fc.integer({ min: 1, max: 5 })),
    askedAgain: fc.boolean(),
  });

  it("passes only what the judge passed, with every command held and every other item proven", () => {
    fc.assert(
      fc.property(anyCase, (each) => {
        const isRight =
          each.state === "achieved" &&
          each.failed.length === 0 &&
          each.outcomes.every((outcome, index) => {
            const number = index + 1;
            if (outcome === "prose" || outcome === "ran") return each.proven.includes(number);
            if (outcome === "unverifiable")
              return each.settled.includes(number) && each.proven.includes(number);
            return outcome === "held";
          });
        expect(bind(each).kind === "achieved").toBe(isRight);
      }),
    );
  });

  it("asks a judge for paths once only", () => {
    fc.assert(
      fc.property(anyCase, (each) => {
        expect(bind({ ...each, askedAgain: true }).kind).not.toBe("unproven");
      }),
    );
  });

  it("never puts a failed command before a person as something that cannot be verified, unless the judge names it", () => {
    fc.assert(
      fc.property(anyCase, (each) => {
        const bound = bind(each);
        fc.pre(bound.kind === "unreachable");
        const broken = itemsOf(each.outcomes).filter((item) =>
          ["failed", "flaky", "timed_out", "not_run"].includes(item.outcome),
        );
        for (const item of broken) expect(each.failed.join()).toContain(String(item.number));
      }),
    );
  });
});
