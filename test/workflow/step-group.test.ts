import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { AgentSpec } from "../../src/agents/agent-spec.ts";
import { inEnglish } from "../../src/config/locale/words.ts";
import { FlowerError } from "../../src/core/errors.ts";
import type { Ctx } from "../../src/workflow/context.ts";
import { FinishedSteps } from "../../src/workflow/finished-steps.ts";
import { runGroup } from "../../src/workflow/run-group.ts";
import { Step } from "../../src/workflow/step.ts";
import { map, parallel } from "../../src/workflow/step-group.ts";
import { viewFor } from "../../src/workflow/step-view.ts";
import { Workflow } from "../../src/workflow/workflow.ts";

const spec = new AgentSpec({ name: "x", instructions: "" });
const step = (name: string, options = {}) => new Step(name, spec, "go", options);
const codeOf = (make: () => unknown): string => {
  try {
    make();
  } catch (error) {
    if (error instanceof FlowerError && error.hint !== "") return error.code;
    throw error;
  }
  return "nothing";
};

describe("steps side by side, as declared", () => {
  it.each([
    ["no steps", "no_steps", () => parallel([])],
    ["a name twice", "duplicate_step", () => parallel([step("a"), step("a")])],
    ["an option nobody knows", "unknown_option", () => parallel([step("a")], { limit: 2 } as never)],
    ["none at a time", "bad_option", () => parallel([step("a")], { concurrency: 0 })],
    ["an end that is none", "bad_option", () => parallel([step("a")], { onFail: "retry" as never })],
    ["a name of flower's own", "bad_option", () => parallel([step("a")], { name: "_goal" })],
    [
      "one session for two",
      "bad_resume_from",
      () => parallel([step("a", { resumeFrom: "p" }), step("b", { resumeFrom: "p" })]),
    ],
    ["no function for the items", "bad_option", () => map([1], step("a") as never)],
    ["no list", "bad_option", () => map("abc" as never, () => step("a"))],
    ["two items of one name", "duplicate_step", () => map([1, 2], () => step("a"))],
    ["a name of the workflow's", "duplicate_step", () => new Workflow([step("a"), parallel([step("a")])])],
    [
      "the same name as a group",
      "duplicate_step",
      () => new Workflow([parallel([step("a")], { name: "a" })]),
    ],
    [
      "a neighbour to go on from",
      "bad_resume_from",
      () => new Workflow([parallel([step("a"), step("b", { resumeFrom: "a" })])]),
    ],
  ])("is refused with %s", (_what, code, make) => {
    expect(codeOf(make)).toBe(code);
  });

  it("give their way to fail to steps that name none, and keep the others'", () => {
    const group = parallel([step("a"), step("b", { onFail: "stop" })], { onFail: "skip" });
    expect(group.steps?.map(({ onFail }) => onFail)).toEqual(["skip", "stop"]);
  });

  it("may go on from copies of one session, and be made from the context", () => {
    const copies = ["a", "b"].map((name) => step(name, { resumeFrom: "p", fork: true }));
    expect(new Workflow([step("p"), parallel(copies)]).steps).toHaveLength(2);
    const group = map<string>(
      (ctx) => ctx.files as string[],
      (file, index) => step(`${index} ${file}`),
    );
    expect(group.steps).toBeUndefined();
    expect(group.stepsFor({ files: ["x", "y"] }).map(({ name }) => name)).toEqual(["0 x", "1 y"]);
  });
});

describe("the context as one of several steps sees it", () => {
  it("is shared, but for rounds, verdict and failure", () => {
    const ctx: Ctx = { shared: 1, _goal_rounds: 7 };
    const heard: string[] = [];
    const [a, b] = ["a", "b"].map((name) => viewFor(ctx, () => heard.push(name)));
    if (a === undefined || b === undefined) throw new Error("no views");
    a.found = "x";
    a._goal_rounds = 1;
    a._failedAt = "a";
    expect(b.found).toBe("x");
    expect(b._goal_rounds).toBeUndefined();
    expect("_failedAt" in b).toBe(false);
    expect(ctx._failedAt).toBeUndefined();
    delete a._goal_rounds;
    expect(a._goal_rounds).toBeUndefined();
    a._onEvent?.(undefined as never);
    expect(heard).toEqual(["a"]);
    expect({ ...a }).toMatchObject({ shared: 1, found: "x" });
  });
});

describe("a group of steps", () => {
  const run = async (steps: readonly Step[], finished?: FinishedSteps) => {
    const ctx: Ctx = {};
    const runs: string[] = [];
    const runtime = {
      emit: () => {},
      hasSession: async () => false,
      run: async (_spec: AgentSpec, prompt: string) => {
        runs.push(prompt);
        return { ok: true, text: `did ${prompt}`, sessionId: "s" };
      },
    };
    const parts = { runtime, budget: {}, total: 1, signal: undefined, onStep: undefined } as never;
    const group = parallel(steps, { name: "all" });
    const goesOn = await runGroup({ group, index: 0, ctx, parts, finished, taken: new Set() });
    return { ctx, runs, goesOn };
  };
  const memory = () => {
    const runDir = mkdtempSync(join(tmpdir(), "flower-group-"));
    return new FinishedSteps({ runDir, workspace: "/w", onFault: () => {} });
  };

  it("asks a step whether it is wanted before anything else, and says its prompt once", async () => {
    let said = 0;
    const counted = new Step("counted", spec, () => `part ${++said}`);
    const unwanted = new Step(
      "unwanted",
      spec,
      () => {
        throw new TypeError("there is nothing to say yet");
      },
      { when: () => false },
    );
    for (const finished of [undefined, memory()]) {
      said = 0;
      const { ctx, runs, goesOn } = await run([unwanted, counted], finished);
      expect(goesOn).toBe(true);
      expect(runs).toEqual(["part 1"]);
      expect(ctx.all).toEqual([undefined, "did part 1"]);
      expect(finished?.of("counted", "part 1")?.text ?? "did part 1").toBe("did part 1");
    }
  });

  it("takes what a step has finished earlier only where the step is wanted", async () => {
    const finished = memory();
    for (const name of ["a", "b"]) finished.note(name, "go", { text: `${name} earlier`, sessionId: "s" });
    const { ctx, runs } = await run([step("a"), step("b", { when: () => false }), step("c")], finished);
    expect(ctx).toMatchObject({ a: "a earlier", c: "did go" });
    expect(ctx).not.toHaveProperty("b");
    expect(ctx._sessions).toMatchObject({ a: "s" });
    expect(runs).toEqual(["go"]);
  });
});

describe("what is finished", () => {
  const open = (runDir: string, workspace = "/w") =>
    new FinishedSteps({ runDir, workspace, onFault: () => {} });

  it("is known to a later process for the same prompt in the same workspace, until it is cleared", () => {
    const runDir = mkdtempSync(join(tmpdir(), "flower-finished-"));
    open(runDir).note("a", "do it", { text: "done", sessionId: "s" });
    open(runDir).note("constructor", "p", { text: "", sessionId: null });
    expect(open(runDir).of("a", "do it")).toMatchObject({ text: "done", sessionId: "s" });
    expect(open(runDir).of("constructor", "p")).toMatchObject({ text: "", sessionId: null });
    expect(open(runDir).of("a", "do something else")).toBeUndefined();
    expect(open(runDir, "/elsewhere").of("a", "do it")).toBeUndefined();
    open(runDir).clear();
    expect(open(runDir).of("a", "do it")).toBeUndefined();
  });

  it.each(["", "{", "[]", '{"workspace":"/w","steps":{"a":{"text":1}}}', '{"workspace":"/w","steps":7}'])(
    "is nothing when the file says %j",
    (text) => {
      const runDir = mkdtempSync(join(tmpdir(), "flower-finished-"));
      writeFileSync(join(runDir, "finished.json"), text);
      expect(open(runDir).of("a", "go")).toBeUndefined();
    },
  );

  it("that cannot be written is said once and stops nothing", () => {
    const told: string[] = [];
    const file = join(mkdtempSync(join(tmpdir(), "flower-finished-")), "file");
    writeFileSync(file, "");
    const finished = new FinishedSteps({
      runDir: file,
      workspace: "/w",
      onFault: (words) => told.push(inEnglish(words)),
    });
    finished.note("a", "p", { text: "", sessionId: null });
    finished.note("b", "p", { text: "", sessionId: null });
    expect(told).toHaveLength(1);
    expect(finished.of("a", "p")).toBeDefined();
  });
});
