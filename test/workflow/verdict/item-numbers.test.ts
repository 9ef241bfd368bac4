import { describe, expect, it } from "vitest";
import { failedNumbers } from "../../../src/workflow/verdict/item-numbers.ts";

describe("failed checks", () => {
  const checks = ["`node wc.mjs a.txt` prints 3", "The tests pass.", "README says how"];
  it.each([
    [["2. the tests fail with 3 errors"], [2]],
    [
      ["Check 2: now 5 errors", "#1 prints nothing"],
      [1, 2],
    ],
    [["The tests pass."], [2]],
    [["the TESTS pass: no, 4 fail"], [2]],
    [
      ["`node wc.mjs a.txt` prints 3 (it prints 4)", "README says how"],
      [1, 3],
    ],
    [["something else"], [0]],
    [["9. no such check"], [0]],
    [[], []],
  ])("%j are those numbered %j", (failed, numbers) => {
    expect(failedNumbers(failed, checks)).toEqual(numbers);
  });
});
