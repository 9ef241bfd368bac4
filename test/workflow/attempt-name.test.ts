import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  judgeName,
  readAttempt,
  retryName,
  roundName,
  rulingName,
  stepOfAttempt,
} from "../../src/workflow/attempt-name.ts";

describe("the name of an attempt", () => {
  it.each([
    ["work", "work", "first", 0],
    ["work#retry1", "work", "retry", 1],
    ["work#round12", "work", "round", 12],
    ["work:verdict#0", "work", "verdict", 0],
    ["work:verdict#3.again", "work", "verdict", 3],
    ["work:verdict#3.second", "work", "verdict", 3],
    ["work:verdict#3.second.again", "work", "verdict", 3],
    ["build:api", "build:api", "first", 0],
    ["build:api#round2", "build:api", "round", 2],
    ["build:api:verdict#1", "build:api", "verdict", 1],
    ["issue#a", "issue#a", "first", 0],
    ["issue#7#retry2", "issue#7", "retry", 2],
    ["work:verdict", "work:verdict", "first", 0],
    ["work#round", "work#round", "first", 0],
    ["#round2", "#round2", "first", 0],
    ["referee#2.again", "referee", "other", 2],
    [":verdict#1", ":verdict", "other", 1],
    ["", "", "first", 0],
  ])("%j is of %j: %s %i", (name, step, kind, number) => {
    expect(readAttempt(name)).toEqual({ step, kind, number });
  });

  it("is read back as it was made, whatever the step is called", () => {
    const anything = fc.string({ minLength: 1 });
    const count = fc.integer({ min: 0, max: 999 });
    const suffix = fc.constantFrom("", ".again", ".second", ".second.again");
    fc.assert(
      fc.property(anything, count, suffix, (step, number, more) => {
        expect(readAttempt(retryName(step, number))).toEqual({ step, kind: "retry", number });
        expect(readAttempt(roundName(step, number))).toEqual({ step, kind: "round", number });
        const ruling = rulingName(judgeName(step), number, more);
        expect(readAttempt(ruling)).toEqual({ step, kind: "verdict", number });
        expect(stepOfAttempt(ruling)).toBe(step);
      }),
    );
  });

  it("stays whole where it may be a step's own", () => {
    expect(["issue#7", "referee#1.again", "a:b"].map(stepOfAttempt)).toEqual([
      "issue#7",
      "referee#1.again",
      "a:b",
    ]);
  });
});
