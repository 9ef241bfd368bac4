import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { AgentSpec } from "../../src/agents/agent-spec.ts";
import { always, lastUserText, text, turn } from "../../src/testing/index.ts";
import type { Ctx } from "../../src/workflow/context.ts";
import { Step, StepAbort, type StepOptions } from "../../src/workflow/step.ts";
import { Workflow } from "../../src/workflow/workflow.ts";
import { type Stage, stage } from "./stage.ts";

const spec = new AgentSpec({ name: "plain", instructions: "", allowedTools: ["Read"] });

function step(
  name: string,
  options: StepOptions = {},
  prompt: string | ((ctx: Ctx) => string) = `do ${name}`,
) {
  return new Step(name, spec, prompt, options);
}

/** Everybody answers with what was asked, so that results tell which words reached which session. */
async function echo(): Promise<Stage> {
  return stage({ main: [always((request) => text(`did: ${lastUserText(request)}`))] });
}

function labels(play: Stage): string[] {
  return play.manifest().map((row) => row.step);
}

describe("steps in order", () => {
  it("pass on what they made, reduced if they say so; a skipped one writes nothing", async () => {
    const play = await echo();
    const seen: string[] = [];
    const steps = [
      step("a", { reduce: (result) => result.text.toUpperCase() }),
      step("b", { when: async () => false }),
      step("c", {}, (ctx) => `go on from ${String(ctx.a)}`),
    ];
    const flow = new Workflow(steps, { context: { given: 1 } as Ctx });
    const ctx = await flow.run(play.runtime(), {
      onStep: (done, result) => void seen.push(`${done.name} ${result.ok}`),
    });
    expect(ctx).toMatchObject({ given: 1, a: "DID: DO A", c: "did: go on from DID: DO A" });
    expect(ctx).not.toHaveProperty("b");
    expect(seen).toEqual(["a true", "c true"]);
    expect(Object.keys(ctx._results ?? {})).toEqual(["a", "c"]);
    expect(ctx._failedAt).toBeUndefined();
    expect(flow.context).toBe(ctx);
    const steps2 = play.events.flatMap((event) => (event.kind === "step" ? [event.payload] : []));
    expect(steps2).toEqual([
      { index: 1, total: 3, resumed: false, woke: 0 },
      { index: 3, total: 3, resumed: false, woke: 0 },
    ]);
  });

  it("may give up before they begin, as a gate does", async () => {
    const play = await echo();
    const giveUp = () => {
      throw new StepAbort("no phone here", "plug one in");
    };
    const run = (options: StepOptions) => new Workflow([step("a", options), step("b")]).run(play.runtime());
    const stopped = await run({ when: giveUp });
    expect(stopped).toMatchObject({ _failedAt: "a", _aborted: "no phone here", _hint: "plug one in" });
    expect(play.api.requests).toEqual([]);
    const skipped = await run({ when: giveUp, onFail: "skip" });
    expect([skipped._failedAt, skipped.b]).toEqual([undefined, "did: do b"]);
  });

  it("go on in an earlier step's session, or in a copy of it; a session that was never made is refused", async () => {
    const play = await echo();
    const ctx = await new Workflow([
      step("a"),
      step("b", { resumeFrom: "a" }),
      step("c", { resumeFrom: "a", fork: true }),
    ]).run(play.runtime());
    const sessions = ctx._sessions ?? {};
    expect(sessions.b).toBe(sessions.a);
    expect(sessions.c).not.toBe(sessions.a);
    expect(JSON.stringify(play.api.requests[2]?.body)).toContain("do b");
    const broken = new Workflow([step("x", { when: () => false }), step("y", { resumeFrom: "x" })]);
    await expect(broken.run(play.runtime())).rejects.toMatchObject({ code: "no_session" });
  });
});

describe("a gate that says no", () => {
  it("starts the step over, each attempt named, asked exactly once an attempt", async () => {
    const play = await echo();
    let asked = 0;
    const gate = async () => {
      asked += 1;
      return asked === 3;
    };
    const ctx = await new Workflow([step("a", { retries: 3, gate })]).run(play.runtime());
    expect(labels(play)).toEqual(["a", "a#retry1", "a#retry2"]);
    expect(asked).toBe(3);
    expect(new Set(play.manifest().map((row) => row.session_id)).size).toBe(3);
    expect(ctx.a).toBe("did: do a");
    expect(play.lineage().steps).toEqual({ a: play.manifest()[2]?.session_id });
  });

  it("sends the rejected session back with words; no words start over", async () => {
    const play = await echo();
    const words = ["not like this", ""];
    const rejected: string[] = [];
    const made = step("a", {
      retries: 2,
      gate: () => false,
      onReject: async (result) => {
        rejected.push(result.text);
        return words.shift() ?? "";
      },
    });
    const ctx = await new Workflow([made]).run(play.runtime());
    expect(labels(play)).toEqual(["a", "a#round2", "a#round3"]);
    const [first, second, third] = play.manifest().map((row) => row.session_id);
    expect(second).toBe(first);
    expect(third).not.toBe(first);
    expect(rejected).toEqual(["did: do a", "did: not like this"]);
    expect(ctx._failedAt).toBe("a");
    expect(made.options.onReject).toBeDefined();
  });

  it("gives up at once when it says that trying again is no use", async () => {
    const play = await echo();
    const gate = () => {
      throw new StepAbort("no phone here", "plug one in");
    };
    const flow = new Workflow([step("a", { retries: 5, gate }), step("b")]);
    const ctx = await flow.run(play.runtime());
    expect(ctx).toMatchObject({ _aborted: "no phone here", _hint: "plug one in", _failedAt: "a" });
    expect(labels(play)).toEqual(["a"]);
  });

  it.each([
    ["stop", { a: undefined, _failedAt: "a", b: undefined }],
    ["skip", { a: undefined, _failedAt: undefined, b: "did: do b" }],
    ["continue", { a: "did: do a", _failedAt: undefined, b: "did: do b" }],
  ] as const)("ends the step as it asks for: %s", async (onFail, left) => {
    const play = await echo();
    const ctx = await new Workflow([step("a", { gate: () => false, onFail }), step("b")]).run(play.runtime());
    expect({ a: ctx.a, _failedAt: ctx._failedAt, b: ctx.b }).toEqual(left);
  });

  it("is not even asked about a run that failed, and the reason reaches whoever listens", async () => {
    const play = await stage({ main: [always(turn(text("again"), { usage: { inputTokens: 10_000_000 } }))] });
    const poor = new AgentSpec({ name: "poor", instructions: "", maxBudgetUsd: 0.01 });
    let asked = 0;
    const gate = () => {
      asked += 1;
      return true;
    };
    const told: (string | null)[] = [];
    const flow = new Workflow([new Step("a", poor, "go", { gate, retries: 3 })]);
    const ctx = await flow.run(play.runtime(), { onStep: (_step, result) => void told.push(result.error) });
    expect([asked, ctx._failedAt]).toEqual([0, "a"]);
    expect(told).toEqual([expect.stringMatching(/budget/)]);
  });
});

describe("the next process", () => {
  it("goes on where each step was, with the words for going on, and starts what the store does not know", async () => {
    const play = await echo();
    const make = () =>
      new Workflow([step("a", { resumePrompt: (ctx) => `on, ${String(ctx.who)}` }), step("b")], {
        context: { who: "you" } as Ctx,
      });
    const first = await make().run(play.runtime());
    const second = await make().run(play.runtime());
    expect(second._woke).toBe(1);
    expect(second._sessions).toEqual(first._sessions);
    expect([second.a, second.b]).toEqual(["did: on, you", "did: do b"]);

    // The store is lost, the lineage is not: nothing to go on with, so both start anew.
    const elsewhere = play.runtime({ runDir: "runs2" });
    writeFileSync(join(elsewhere.runDir, "lineage.json"), JSON.stringify(play.lineage()));
    const third = await make().run(elsewhere);
    expect([third._woke, third.a]).toEqual([2, "did: do a"]);
    expect(third._sessions?.a).not.toBe(first._sessions?.a);
    expect(elsewhere.results.every((result) => result.ok)).toBe(true);
    const told = play.events.filter((event) => event.kind === "task" && event.payload.notice === "store");
    expect(told.map((event) => event.text)).toEqual([
      expect.stringMatching(`"a" starts anew.*${first._sessions?.a}`),
      expect.stringMatching(`"b" starts anew.*${first._sessions?.b}`),
    ]);
  });
});
