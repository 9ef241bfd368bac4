import { describe, expect, it } from "vitest";
import type { ToolCall } from "../../src/guards/decision.ts";
import { createRepeatGuard, type Runaway } from "../../src/guards/repeat-guard.ts";

interface Say {
  readonly tool?: string;
  readonly input?: unknown;
  readonly agent?: string;
  readonly answer?: unknown;
}

/** An agent's life: each call is decided, and answered when it may run. */
function watch() {
  const runaways: Runaway[] = [];
  const guard = createRepeatGuard((runaway) => runaways.push(runaway));
  let n = 0;
  const toCall = ({ tool = "Bash", input = { command: "make" }, agent }: Say): ToolCall => {
    n += 1;
    const agentType = agent === undefined ? undefined : "coder";
    return { tool, input, agentId: agent, agentType, cwd: "/w", toolUseId: `t${n}` };
  };
  const call = (say: Say = {}) => {
    const made = toCall(say);
    const decision = guard.pre.decide(made);
    if (decision.kind === "deny") guard.noteDenied(made, decision.reason);
    else guard.post.review({ ...made, response: say.answer ?? { stdout: "no rule", stderr: "" } });
    return decision;
  };
  const times = (count: number, say: Say = {}) => Array.from({ length: count }, () => call(say).kind);
  return { guard, runaways, call, times, toCall };
}

describe("an agent that makes the same call with the same result", () => {
  it("may do so five times in a row; the sixth is refused and says how often it was done", () => {
    const { call, times } = watch();
    expect(times(5)).toEqual(Array(5).fill("pass"));
    expect(call()).toMatchObject({
      kind: "deny",
      reason: expect.stringContaining("You have done this 5 times"),
    });
  });

  it("is reported as a runaway after three refusals, once", () => {
    const { times, runaways } = watch();
    times(7);
    expect(runaways).toHaveLength(0);
    times(4);
    expect(runaways).toEqual([
      { agentType: undefined, tool: "Bash", input: { command: "make" }, repeats: 5, refusals: 3 },
    ]);
  });

  it("is watched apart from every other agent", () => {
    const { times, runaways } = watch();
    for (let round = 0; round < 4; round += 1) {
      expect([...times(1), ...times(1, { agent: "a1" }), ...times(1, { agent: "a2" })]).not.toContain("deny");
    }
    times(5, { agent: "a1" });
    expect(runaways.map((runaway) => runaway.agentType)).toEqual(["coder"]);
    expect(times(1)).toEqual(["pass"]);
  });

  it("starts anew after any other call, and the order of an input's keys is no difference", () => {
    const { times, call } = watch();
    for (let round = 0; round < 4; round += 1) {
      expect(times(4, { input: { a: 1, b: { c: 2, d: 3 } } })).not.toContain("deny");
      expect(call({ input: { command: "ls" } }).kind).toBe("pass");
    }
    expect(times(3, { input: { a: 1, b: { c: 2, d: 3 } } })).not.toContain("deny");
    expect(times(3, { input: { b: { d: 3, c: 2 }, a: 1 } })).toEqual(["pass", "pass", "deny"]);
  });

  it("may wait for something: a result that changes is no repetition", () => {
    const { call, runaways } = watch();
    for (let i = 0; i < 40; i += 1)
      expect(call({ answer: { stdout: `${Math.floor(i / 4)}0 %` } }).kind).toBe("pass");
    expect(runaways).toHaveLength(0);
  });

  it("is not excused by figures that differ each time", () => {
    const { times, call } = watch();
    let count = 0;
    const another = () => {
      count += 1;
      return count;
    };
    const next = () => call({ tool: "WebFetch", answer: { code: 404, durationMs: another() } }).kind;
    expect(Array.from({ length: 6 }, next).at(-1)).toBe("deny");
    const report = () =>
      call({
        tool: "Agent",
        input: { prompt: "p" },
        answer: { agentId: `a${another()}`, content: [{ type: "text", text: "failed" }] },
      }).kind;
    expect(Array.from({ length: 6 }, report).at(-1)).toBe("deny");
    expect(times(1)).toEqual(["pass"]);
  });

  it("counts calls that fail and calls that another guard refuses", () => {
    for (const kind of ["failed", "denied"] as const) {
      const { guard, toCall } = watch();
      const decisions = Array.from({ length: 6 }, () => {
        const made = toCall({});
        const decision = guard.pre.decide(made);
        if (decision.kind === "deny") return decision.kind;
        if (kind === "failed") guard.noteFailed(made, "Exit code 2");
        else guard.noteDenied(made, "You may not.");
        return decision.kind;
      });
      expect(decisions).toEqual([...Array(5).fill("pass"), "deny"]);
    }
  });

  it("is known by what it asked for, whatever a guard made of the call", () => {
    const { guard, toCall } = watch();
    const kinds = Array.from({ length: 6 }, (_, i) => {
      const made = toCall({});
      const { kind } = guard.pre.decide(made);
      guard.post.review({ ...made, input: { command: `rewritten ${i}` }, response: "same" });
      return kind;
    });
    expect(kinds.at(-1)).toBe("deny");
  });
});
