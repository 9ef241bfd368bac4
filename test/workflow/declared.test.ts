import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { AgentSpec } from "../../src/agents/agent-spec.ts";
import { OptionError, WorkflowError } from "../../src/core/errors.ts";
import { whitelistGuard } from "../../src/harness/guard-matchers.ts";
import { HumanChannel } from "../../src/people/human-channel.ts";
import { endpoint } from "../../src/runtime/reachability.ts";
import { clarifyStep } from "../../src/workflow/clarify-step.ts";
import type { Ctx } from "../../src/workflow/context.ts";
import { goalStep } from "../../src/workflow/goal-step.ts";
import { starterFlow } from "../../src/workflow/starter-flow.ts";
import { renderPrompt, Step, StepAbort } from "../../src/workflow/step.ts";
import { withGoal } from "../../src/workflow/with-goal.ts";
import { Workflow } from "../../src/workflow/workflow.ts";

const spec = new AgentSpec({ name: "x", instructions: "" });
const step = (name: string, options = {}) => new Step(name, spec, "go", options);

describe("a step as declared", () => {
  it.each([
    ["no name", () => step("")],
    ["a blank name", () => step("  ")],
    ["a spec that is none", () => new Step("a", {} as never, "go")],
    ["no prompt", () => new Step("a", spec, undefined as never)],
    ["retries below none", () => step("a", { retries: -1 })],
    ["half a retry", () => step("a", { retries: 0.5 })],
    ["an end that is none", () => step("a", { onFail: "retry" })],
    ["an option nobody knows", () => step("a", { resume: "b" })],
    ["a gate that is none", () => step("a", { gate: true })],
    ["a when that is none", () => step("a", { when: "later" })],
    ["an onReject that is a text", () => step("a", { onReject: "again" })],
    ["a reduce that is none", () => step("a", { reduce: {} })],
    ["a resumePrompt that is none", () => step("a", { resumePrompt: 5 })],
    ["a resumeFrom that is a step", () => step("a", { resumeFrom: step("b") })],
    ["a fork that is neither", () => step("a", { fork: "yes" })],
    ["a fork of no session", () => step("a", { fork: true })],
  ])("is refused with %s", (_what, make) => {
    expect(make).toThrow(OptionError);
    expect(make).toThrow(expect.objectContaining({ hint: expect.stringMatching(/\w/) }));
  });

  it.each([
    ..."_runtime _onEvent _sessions _results _lineage _woke _aborted _failedAt _brief _brief_missing".split(
      " ",
    ),
    ..."_goal _verdict _goal_rounds _signal _hint _passedBy".split(" "),
  ])("is refused the name %s, which is a key of flower's own", (name) => {
    expect(() => step(name)).toThrow(OptionError);
  });

  it("takes a prompt from the context", () => {
    const made = new Step<Ctx>("a", spec, (ctx) => `do ${ctx.what}`);
    expect(renderPrompt(made.prompt, { what: "it" })).toBe("do it");
  });

  it("is copied with changes and keeps the rest", () => {
    const gate = () => true;
    const made = step("a", { retries: 2, gate, onFail: "skip", resumeFrom: "b", fork: true });
    const copy = made.with({ retries: 5 });
    expect(copy.options).toEqual({ ...made.options, retries: 5 });
    expect(made.retries).toBe(2);
  });
});

describe("a step with a goal", () => {
  const channel = new HumanChannel();

  it("has one attempt a round and keeps every other field", () => {
    const made = step("work", { onFail: "continue", resumeFrom: "plan", fork: true, resumePrompt: "on" });
    const guarded = withGoal(made, channel, { goalPath: "/g.md", rounds: 4 });
    expect(guarded.retries).toBe(3);
    expect(guarded.onFail).toBe("continue");
    expect(guarded.options).toMatchObject({ resumeFrom: "plan", fork: true, resumePrompt: "on" });
    expect(made.options.gate).toBeUndefined();
  });

  it.each([0, -1, 1.5, Number.NaN])("cannot have %s rounds", (rounds) => {
    expect(() => withGoal(step("work"), channel, { goalPath: "/g.md", rounds })).toThrow(OptionError);
  });

  it.each([
    ["evidence that is no switch", { evidence: "off" }],
    ["a sandbox that is no switch", { sandbox: 1 }],
    ["a sandbox for commands that nobody runs", { evidence: false, sandbox: true }],
    ["an option nobody knows", { evidense: false }],
  ])("is refused %s", (_what, options) => {
    const make = () => withGoal(step("work"), channel, { goalPath: "/g.md", ...options } as never);
    expect(make).toThrow(OptionError);
  });

  it("is refused without a place for its documents, before anything is paid for", () => {
    expect(() => withGoal(step("work"), channel, {} as never)).toThrow(/goalPath/);
    expect(() => goalStep(channel, {} as never)).toThrow(/goalPath/);
    expect(() => clarifyStep(channel, { prompt: "x" } as never)).toThrow(/briefPath/);
  });

  it("gives up without a Runtime to judge with", async () => {
    const { gate } = withGoal(step("work"), channel, { goalPath: "/nowhere/g.md" }).options;
    await expect(gate?.({} as never, {})).rejects.toThrow(StepAbort);
  });
});

describe("a starter in a sandbox", () => {
  it("is refused before anything is paid for where there is none", () => {
    const workspace = mkdtempSync(join(tmpdir(), "flower-sandbox-"));
    const path = process.env.PATH;
    process.env.PATH = workspace;
    try {
      const make = (options: object) => () => starterFlow("x", { workspace, ...options });
      expect(make({ sandbox: true })).toThrow(expect.objectContaining({ code: "sandbox_unavailable" }));
      expect(readdirSync(workspace)).toEqual([]);
      expect(make({ sandbox: true, evidence: false })).toThrow(OptionError);
    } finally {
      process.env.PATH = path;
      rmSync(workspace, { recursive: true, force: true });
    }
  });
});

describe("a workflow as declared", () => {
  it.each([
    ["no steps", () => new Workflow([]), "no_steps"],
    ["two steps of one name", () => new Workflow([step("a"), step("b"), step("a")]), "duplicate_step"],
    [
      "a step that resumes from itself",
      () => new Workflow([step("a", { resumeFrom: "a" })]),
      "bad_resume_from",
    ],
    [
      "a step that resumes from a later one",
      () => new Workflow([step("a", { resumeFrom: "b" }), step("b")]),
      "bad_resume_from",
    ],
    [
      "a step that resumes from nobody",
      () => new Workflow([step("a"), step("b", { resumeFrom: "c" })]),
      "bad_resume_from",
    ],
  ])("is refused with %s, before anything runs", (_what, make, code) => {
    expect(make).toThrow(WorkflowError);
    expect(make).toThrow(expect.objectContaining({ code, hint: expect.stringMatching(/\w/) }));
  });

  it("is refused a place that is no step, and a run's options of a wrong kind", async () => {
    expect(() => new Workflow([1 as never])).toThrow(OptionError);
    expect(() => new Workflow([{ name: "a" } as never])).toThrow(OptionError);
    const made = new Workflow([step("a")]);
    await expect(made.run({} as never, { signal: 5 as never })).rejects.toThrow(OptionError);
    await expect(made.run({} as never, { onStep: "x" as never })).rejects.toThrow(OptionError);
    expect(() => starterFlow(5 as never)).toThrow(OptionError);
    expect(() => starterFlow(undefined as never)).toThrow(OptionError);
    expect(() => whitelistGuard("Read" as never)).toThrow(OptionError);
    expect(() => endpoint("no address")).toThrow(OptionError);
    // It may hold a secret.
    expect(() => endpoint("https://me:pass@host:99999")).not.toThrow(/pass/);
    expect(() => endpoint("https://me:pass@host:99999")).toThrow(OptionError);
  });

  it("is refused an option nobody knows", () => {
    expect(() => new Workflow([step("a")], { contxt: {} } as never)).toThrow(OptionError);
  });

  it("may have steps called like what every object has", () => {
    expect(new Workflow([step("constructor"), step("toString")]).steps).toHaveLength(2);
  });
});
