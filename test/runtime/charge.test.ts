import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { chargeFor } from "../../src/runtime/charge.ts";

describe("what one result costs", () => {
  it.each([
    ["a first result, all of it", 0.1, 0, 0.1, 0.1],
    ["a later result of the same session, the difference", 0.25, 0.1, 0.15, 0.15],
    ["the same total again, nothing", 0.25, 0.25, 0, 0],
    ["a turn that a kill kept from the books, with the next one", 0.4, 0.1, 0.1, 0.3],
    ["a total that was not restored, only what is new", 0.05, 0.4, 0.05, 0.05],
    ["a total that is smaller by rounding, nothing", 0.3, 0.3 + 4e-17, 0, 0],
    ["a total that is smaller by a lost cent, what is new", 0.29, 0.3, 0.02, 0.02],
    ["a negative increment, nothing", 0.1, 0.4, -1, 0],
  ])("charges for %s", (_what, total, booked, increment, owed) => {
    expect(chargeFor(total, booked, increment)).toBeCloseTo(owed, 9);
  });

  it("adds up to the last total over any rising totals, and is never negative", () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 10_000 }), { minLength: 1 }), (cents) => {
        let total = 0;
        let booked = 0;
        let sum = 0;
        for (const cent of cents) {
          total += cent / 10_000;
          const owed = chargeFor(total, booked, cent / 10_000);
          expect(owed).toBeGreaterThanOrEqual(0);
          sum += owed;
          booked = Math.max(booked, total);
        }
        expect(sum).toBeCloseTo(total, 6);
      }),
    );
  });
});
