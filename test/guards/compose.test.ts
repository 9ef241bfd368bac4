import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { composePost, composePre } from "../../src/guards/compose.ts";
import type { Decision, PostGuard, PreGuard } from "../../src/guards/decision.ts";
import { call, outcome, reasonOf } from "./calls.ts";

function guard(name: string, decide: PreGuard["decide"], tools?: readonly string[]): PreGuard {
  return { name, tools, decide };
}
const says = (decision: unknown, name = "g") => guard(name, () => decision as Decision);

describe("composePre", () => {
  it.each([
    ["nothing", [], "pass"],
    ["pass, pass", ["pass", "pass"], "pass"],
    ["pass, allow", ["pass", "allow"], "allow"],
    ["allow, pass", ["allow", "pass"], "allow"],
    ["rewrite, allow", ["rewrite", "allow"], "rewrite"],
    ["allow, rewrite", ["allow", "rewrite"], "rewrite"],
    ["allow, rewrite, deny", ["allow", "rewrite", "deny"], "deny"],
    ["deny, allow", ["deny", "allow"], "deny"],
  ])("turns %s into %s", (_name, kinds, expected) => {
    const guards = kinds.map((kind) => says({ kind, reason: "no", input: { a: 1 } }));
    expect(composePre(guards)(call("Read", {})).kind).toBe(expected);
  });

  it("hands every rewrite on, so that none is lost", () => {
    const add = (key: string) =>
      guard(key, (seen) => ({ kind: "rewrite", input: { ...(seen.input as object), [key]: true } }));
    const decision = composePre([add("a"), says({ kind: "pass" }), add("b"), says({ kind: "allow" })])(
      call("Agent", { first: true }),
    );
    expect(decision).toEqual({ kind: "rewrite", input: { first: true, a: true, b: true } });
  });

  it("stops at the first denial and asks nobody else", () => {
    let asked = 0;
    const count = guard("count", () => {
      asked += 1;
      return { kind: "pass" };
    });
    const decision = composePre([count, says({ kind: "deny", reason: "first" }), count])(call("Read", {}));
    expect(decision).toEqual({ kind: "deny", reason: "first" });
    expect(asked).toBe(1);
  });

  it("asks a guard only about its tools, and takes Agent and Task for one", () => {
    const no = (tools: readonly string[]) =>
      composePre([guard("no", () => ({ kind: "deny", reason: "no" }), tools)]);
    expect(no(["Agent"])(call("Task", {})).kind).toBe("deny");
    expect(no(["Task"])(call("Agent", {})).kind).toBe("deny");
    expect(no(["Agent"])(call("Read", {})).kind).toBe("pass");
    expect(no(["Write"])(call("Agent", {})).kind).toBe("pass");
  });

  it.each([
    undefined,
    null,
    "allow",
    {},
    { kind: "permit" },
    { kind: "deny" },
    { kind: "deny", reason: 5 },
    { kind: "rewrite" },
    { kind: "rewrite", input: [] },
    Promise.resolve({ kind: "allow" }),
  ])("denies when a guard answers %j", (answer) => {
    const decision = composePre([says({ kind: "allow" }), says(answer, "odd")])(call("Bash", {}));
    expect(decision).toMatchObject({ kind: "deny", reason: expect.stringContaining("nternal error") });
    expect(decision).toMatchObject({ reason: expect.stringContaining('"odd"') });
  });

  it.each([Object.create(null), { toString: "" }, undefined])(
    "denies when a guard throws the odd %#",
    (thrown) => {
      const broken = guard("broken", () => {
        throw thrown;
      });
      expect(reasonOf(composePre([broken])(call("Bash", {})))).toContain("nternal error");
    },
  );

  it("never throws and never lets a throwing guard's call through, whatever is thrown", () => {
    fc.assert(
      fc.property(fc.anything(), fc.anything(), (thrown, input) => {
        const broken = guard("broken", () => {
          throw thrown;
        });
        return composePre([broken, says({ kind: "allow" })])(call("Bash", input)).kind === "deny";
      }),
    );
  });
});

describe("composePost", () => {
  const post = (name: string, review: PostGuard["review"], tools?: readonly string[]): PostGuard => ({
    name,
    tools,
    review,
  });
  const append = (text: string) =>
    post(text, (done) => ({ kind: "replace", response: `${done.response as string}${text}` }));

  it("lets each guard see what the one before made of the answer", () => {
    expect(composePost([append("b"), append("c")])(outcome("Read", {}, "a"))).toEqual({
      kind: "replace",
      response: "abc",
    });
    expect(composePost([])(outcome("Read", {}, "a"))).toEqual({ kind: "keep" });
  });

  it("keeps the work of the others when one fails, and reports it", () => {
    const faults: unknown[] = [];
    const broken = post("broken", () => {
      throw new TypeError("oops");
    });
    const odd = post("odd", () => undefined as never);
    const empty = post("empty", () => ({ kind: "replace", response: undefined }));
    const run = composePost([append("b"), broken, odd, empty, append("c")], {
      onFault: (name, error) => faults.push([name, (error as Error).message]),
    });
    expect(run(outcome("Read", {}, "a"))).toEqual({ kind: "replace", response: "abc" });
    expect(faults).toEqual([
      ["broken", "oops"],
      ["odd", "it gave no decision"],
      ["empty", "it gave no decision"],
    ]);
  });

  it("asks a guard only about its tools", () => {
    const run = composePost([{ ...append("b"), tools: ["Write"] }]);
    expect(run(outcome("Read", {}, "a"))).toEqual({ kind: "keep" });
  });
});
