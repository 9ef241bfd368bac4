import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { sha256 } from "../../../src/core/ids.ts";
import {
  changedLines,
  compareFrozen,
  moveFor,
  type PaperChange,
  type PaperMove,
} from "../../../src/workflow/frozen/paper-change.ts";

describe("a file against what was frozen", () => {
  it.each<[string, PaperChange, { frozen: string; found: string | undefined; recorded: string | undefined }]>(
    [
      ["same", "same", { frozen: "a", found: "a", recorded: sha256("a") }],
      ["gone", "removed", { frozen: "a", found: undefined, recorded: sha256("a") }],
      ["another text", "changed", { frozen: "a", found: "b", recorded: sha256("a") }],
      ["another text, nothing recorded", "changed", { frozen: "a", found: "b", recorded: undefined }],
      ["what another flower froze", "by_flower", { frozen: "a", found: "b", recorded: sha256("b") }],
      ["one more newline", "changed", { frozen: "a\n", found: "a\n\n", recorded: sha256("a\n") }],
      ["emptied", "changed", { frozen: "a", found: "", recorded: sha256("a") }],
    ],
  )("%s", (_what, change, input) => {
    expect(compareFrozen(input)).toBe(change);
  });
});

describe("what follows", () => {
  const complete = [true, false];
  it.each<[PaperChange, boolean, boolean, PaperMove]>([
    ...complete.flatMap((is): [PaperChange, boolean, boolean, PaperMove][] => [
      ["same", true, is, "none"],
      ["same", false, is, "none"],
      ["by_flower", true, is, "none"],
      ["by_flower", false, is, "none"],
      ["removed", true, is, "restore"],
      ["removed", false, is, "restore"],
    ]),
    ["changed", true, true, "ask"],
    ["changed", false, true, "accept"],
    ["changed", true, false, "restore"],
    ["changed", false, false, "restore"],
  ])("of %s while an agent works (%s), complete (%s): %s", (change, isWorking, isComplete, move) => {
    expect(moveFor(change, { isWorking, isComplete })).toBe(move);
  });
});

describe("the lines a person is shown", () => {
  it("are those only one of both texts has", () => {
    const before = "## Goal\n\nA counter.\n\n1. prints 3\n2. the tests pass\n";
    expect(changedLines(before, before.replace("2. the tests pass\n", ""))).toBe("- 2. the tests pass");
    expect(changedLines(before, before.replace("prints 3", "runs"))).toBe("- 1. prints 3\n+ 1. runs");
    expect(changedLines(before, before)).toBe("");
  });

  it("are few and short, whatever the texts", () => {
    const any = fc.string({ unit: "binary", maxLength: 3000 });
    fc.assert(
      fc.property(any, any, (before, after) => {
        const lines = changedLines(before, after).split("\n");
        expect(lines.length).toBeLessThanOrEqual(9);
        for (const line of lines) expect([...line].length).toBeLessThanOrEqual(163);
      }),
    );
  });
});
