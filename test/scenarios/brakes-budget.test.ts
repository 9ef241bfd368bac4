import { describe, expect, it } from "vitest";
import { AgentSpec } from "../../src/agents/agent-spec.ts";
import { HumanChannel } from "../../src/people/human-channel.ts";
import { Resilience } from "../../src/runtime/resilience.ts";
import {
  always,
  dispatch,
  dropConnection,
  lastUserText,
  type Script,
  text,
  toolUse,
  turn,
} from "../../src/testing/index.ts";
import { starterFlow } from "../../src/workflow/starter-flow.ts";
import { Step } from "../../src/workflow/step.ts";
import { Workflow, type WorkflowOptions } from "../../src/workflow/workflow.ts";
import { smoothScript } from "./documents.ts";
import { type Stage, stage } from "./stage.ts";

/** 4,000 tokens of output cost $0.08. */
const CENTS_8 = { usage: { inputTokens: 0, outputTokens: 4_000 } };
const dear = (command = "echo $RANDOM") => turn(toolUse("Bash", { command }), CENTS_8);
const spec = new AgentSpec({ name: "plain", instructions: "", allowedTools: ["Bash"] });

/** A person who answers like this, in turn. */
function person(answers: readonly string[]) {
  const channel = new HumanChannel({ timeoutS: null });
  const asked: string[] = [];
  channel.listen((event) => {
    if (event.kind !== "ask" || event.payload.state !== "asked") return;
    const answer = answers[asked.length];
    asked.push(event.text);
    const id = String(event.payload.id);
    if (answer === undefined) channel.decline(id);
    else channel.answer(id, answer);
  });
  return { channel, asked };
}

function workflow(options: WorkflowOptions = {}, names = ["work"]): Workflow {
  return new Workflow(
    names.map((name) => new Step(name, spec, `do ${name}`)),
    options,
  );
}

const budgetNotices = (play: Stage) =>
  play.events.filter((e) => e.kind === "task" && e.payload.notice === "budget");
const booked = (play: Stage) => play.manifest().reduce((sum, row) => sum + row.cost_usd, 0);

describe("the budget of a run", () => {
  it("stops it where the money is used up when nobody is there; a later run with more goes on in the same session", async () => {
    const script: Script = { main: [dear(), dear(), dear(), text("finished")] };
    const play = await stage(script);
    const ctx = await workflow().run(play.runtime(), { budgetUsd: 0.2 });
    expect(ctx._failedAt).toBe("work");
    expect(ctx._aborted).toContain("$0.20");
    expect(ctx._hint).toContain("larger budgetUsd");
    expect(play.api.requests).toHaveLength(3);
    expect(budgetNotices(play)).toHaveLength(1);
    const session = ctx._sessions?.work;
    expect(play.lineage().steps.work).toBe(session);

    // What the run before cost is not counted again: $0.20 are enough for one more turn.
    const again = await workflow().run(play.runtime(), { budgetUsd: 0.2 });
    expect(again._failedAt).toBeUndefined();
    expect(again.work).toBe("finished");
    expect(again._sessions?.work).toBe(session);
    expect(booked(play)).toBeCloseTo(0.24 + play.manifest().at(-1)!.cost_usd, 6);
    play.api.verify();
  });

  it("is asked about, and raised: the same session goes on with that much more", async () => {
    const play = await stage({ main: [dear(), dear(), dear(), dear(), text("finished")] });
    const { channel, asked } = person(["1", "0.5"]);
    const ctx = await workflow({ channel, budgetUsd: 0.1 }).run(play.runtime());
    expect(ctx._failedAt).toBeUndefined();
    expect(ctx.work).toBe("finished");
    expect(asked).toHaveLength(2);
    expect(asked[0]).toContain("$0.10");
    expect(new Set(play.api.requests.map((request) => request.sessionId)).size).toBe(1);
    expect(lastUserText(play.api.requests[2]!)).toContain("You were interrupted");
    play.api.verify();
  });

  it("bounds steps, workers and retries together, and the step's own budget stays its own", async () => {
    const play = await stage({ main: [dear(), text("one"), turn(text("two"), CENTS_8), always(dear())] });
    const { channel, asked } = person(["2"]);
    const ctx = await workflow({ channel }, ["one", "two", "three"]).run(play.runtime(), { budgetUsd: 0.2 });
    expect(ctx._failedAt).toBe("three");
    expect(asked).toHaveLength(1);
    expect(play.api.requests).toHaveLength(4);

    const own = await stage({ main: [always(dear())] });
    const { channel: nobody } = person([]);
    const low = new Workflow([new Step("work", spec.with({ maxBudgetUsd: 0.1 }), "x")], { channel: nobody });
    const failed = await low.run(own.runtime(), { budgetUsd: 5 });
    expect(failed._aborted).toBeUndefined();
    expect(failed._results?.work?.error).toContain("budget of this step");

    const crew = await stage(
      smoothScript({ coordinator: [dispatch("coder", "work")], workers: { coder: [always(dear())] } }),
    );
    const { ctx: worked } = await crew.flow("count words", { budgetUsd: 0.3 });
    expect(worked._failedAt).toBe("work");
    expect(worked._aborted).toContain("$0.30");
    expect(booked(crew)).toBeLessThan(0.3 + 3 * 0.08);
  });

  it("may be overdrawn for the round that runs, and no other begins", async () => {
    const play = await stage({ main: [dear(), dear(), text("one"), text("two")] });
    const { channel } = person(["3"]);
    const ctx = await workflow({ channel, budgetUsd: 0.1 }, ["one", "two"]).run(play.runtime());
    expect(ctx.one).toBe("one");
    expect(ctx._failedAt).toBe("two");
    expect(ctx._aborted).toContain("$0.10");
    expect(play.api.requests).toHaveLength(3);
  });

  it("counts a process that was lost on the way, and no wait is longer than the deadline", async () => {
    const play = await stage({ main: [dear(), always(dropConnection())] });
    const resilience = new Resilience({
      baseDelay: 600,
      maxDelay: 600,
      probeInterval: 0.1,
      maxOfflineWait: 3600,
    });
    const started = Date.now();
    const ctx = await workflow().run(play.runtime({ resilience }), { deadlineS: 8 });
    expect(ctx._failedAt).toBe("work");
    expect(ctx._aborted).toContain("deadline");
    expect(Date.now() - started).toBeLessThan(60_000);
  });

  it("ends a long command at the deadline, and goes on after it was moved", async () => {
    const play = await stage({ main: [toolUse("Bash", { command: "sleep 100" }), text("went on")] });
    const { channel, asked } = person(["1 h"]);
    const started = Date.now();
    const ctx = await workflow({ channel }).run(play.runtime(), { deadlineS: 4 });
    expect(ctx.work).toBe("went on");
    expect(asked).toHaveLength(1);
    expect(Date.now() - started).toBeLessThan(60_000);
    play.api.verify();
  });

  it("in tokens ends the turn where they are used up, cache reads included", async () => {
    const usage = { usage: { inputTokens: 100, cacheReadTokens: 900, outputTokens: 10 } };
    const play = await stage({ main: [always(turn(toolUse("Bash", { command: "echo $RANDOM" }), usage))] });
    const ctx = await workflow().run(play.runtime(), { budgetTokens: 3_000 });
    expect(ctx._failedAt).toBe("work");
    expect(ctx._aborted).toContain("3000 tokens");
    expect(play.api.requests.length).toBeGreaterThanOrEqual(3);
    expect(play.api.requests.length).toBeLessThanOrEqual(4);
    expect(budgetNotices(play)).toHaveLength(1);
  });

  it("refuses limits that are none, and a workflow passes its own on to a run", async () => {
    expect(() => workflow({ budgetUsd: 0 })).toThrow(/budgetUsd/);
    const play = await stage({ main: [] });
    expect(() => starterFlow("x", { workspace: play.workspace, budgetUsd: -1 })).toThrow(/budgetUsd/);
    expect(
      starterFlow("x", { workspace: play.workspace, budgetUsd: 7 }).withoutContinuity().budget.budgetUsd,
    ).toBe(7);
  });
});
