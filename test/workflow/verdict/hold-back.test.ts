import { describe, expect, it } from "vitest";
import { Verdict, type VerdictState } from "../../../src/documents/verdict.ts";
import { holdBack } from "../../../src/workflow/verdict/hold-back.ts";

const CONFLICT = "Conflict: flower/x does not merge";

describe("a verdict on work that is not whole", () => {
  it.each<VerdictState>(["achieved", "unreachable", "not_yet", ""])(
    "is never more than not yet, whatever the judge said (%s), and names what is missing",
    (state) => {
      const failed = state === "achieved" ? [] : ["2. b.txt"];
      const held = holdBack(new Verdict({ state, reason: "As seen.", failed }), [CONFLICT]);
      expect(held.state).toBe("not_yet");
      expect(held.failed).toEqual([...failed, CONFLICT]);
      expect(held.feedback()).toContain("As seen.");
      expect(held.feedback()).toContain(CONFLICT);
    },
  );

  it("stays as it is when nothing is missing", () => {
    const ruled = new Verdict({ state: "achieved", reason: "All there." });
    expect(holdBack(ruled, [])).toBe(ruled);
  });
});
