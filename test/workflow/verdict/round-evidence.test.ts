import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { AgentSpec } from "../../../src/agents/agent-spec.ts";
import { createTranslator } from "../../../src/config/locale/translator.ts";
import { failureOf } from "../../../src/config/locale/words.ts";
import { Goal } from "../../../src/documents/goal.ts";
import type { Event } from "../../../src/events/event.ts";
import { workTreeOf } from "../../../src/evidence/work-tree.ts";
import { HumanChannel } from "../../../src/people/human-channel.ts";
import { NO_BRAKE, type RunBrake } from "../../../src/runtime/run-brake.ts";
import type { Runtime } from "../../../src/runtime/runtime.ts";
import { Workbench } from "../../../src/workbench/workbench.ts";
import { Step, StepAbort } from "../../../src/workflow/step.ts";
import type { GoalGuard } from "../../../src/workflow/verdict/goal-guard.ts";
import { evidenceOf, type UnseenRound } from "../../../src/workflow/verdict/round-evidence.ts";

const made: string[] = [];
afterEach(() => {
  for (const path of made.splice(0)) rmSync(path, { recursive: true, force: true });
});

interface Props {
  readonly checks: readonly string[];
  readonly brake?: RunBrake;
  readonly signal?: AbortSignal;
  readonly hasWorkbench?: boolean;
  readonly evidence?: boolean;
}

/** A runtime as far as evidence looks at it: where it is, its id, its brake. */
function runtimeIn(workspace: string, props: Props): Runtime {
  const runDir = join(workspace, "runs");
  mkdirSync(runDir, { recursive: true });
  const workbench = new Workbench({ workspace });
  if (props.hasWorkbench !== false) workbench.ensure();
  return {
    workspace,
    runDir,
    runId: "20260101-000000-abcdef",
    credentials: { kind: "api_key", value: "sk-ant-canary-0123456789" },
    brake: props.brake ?? NO_BRAKE,
    workbench: props.hasWorkbench === false ? undefined : workbench,
  } as Runtime;
}

function roundOf(props: Props, of: { runtime?: Runtime; step?: string } = {}) {
  const workspace = realpathSync(mkdtempSync(join(tmpdir(), "flower-round-")));
  made.push(workspace);
  const events: Event[] = [];
  const step = new Step(of.step ?? "work", new AgentSpec({ name: "x", instructions: "" }), "go");
  const guard: GoalGuard = {
    step,
    channel: new HumanChannel({ timeoutS: 0 }),
    spec: step.spec,
    goalPath: join(workspace, "goal.md"),
    canRun: false,
    evidence: props.evidence ?? true,
    sandbox: false,
    rounds: 3,
    name: `${step.name}:verdict`,
    say: createTranslator("en"),
    judged: new WeakMap(),
    settled: new WeakMap(),
    unanswered: new WeakSet(),
  };
  const runtime = of.runtime ?? runtimeIn(workspace, props);
  const round = {
    ctx: { _onEvent: (event: Event) => events.push(event), ...(props.signal && { _signal: props.signal }) },
    guard,
    runtime,
    number: 2,
    report: "",
    goal: new Goal({ statement: "It works.", checks: props.checks }),
    place: {
      ...{ folder: runtime.workspace, note: "" },
      work: workTreeOf({
        ...{ workspace: runtime.workspace, runDir: runtime.runDir, workbench: runtime.workbench?.root },
      }),
    },
  } as unknown as UnseenRound;
  return { round, events, workspace: runtime.workspace, runtime };
}

const payloads = (events: readonly Event[]) =>
  events.map(({ payload }) => payload as Record<string, unknown>);

describe("the commands of a round", () => {
  it("run where the round is judged, are told as they run, and are filed with the workbench", async () => {
    const { round, events, workspace } = roundOf({
      checks: ["`cat a.txt` -> prints `three`", "`cat b.txt` -> prints `one`", "it is documented"],
    });
    writeFileSync(join(workspace, "a.txt"), "one two three\n");
    const evidence = await evidenceOf(round);
    expect(evidence?.items.map(({ outcome }) => outcome)).toEqual(["held", "failed", "prose"]);
    const folder = join(workspace, ".flower", "artifacts", "evidence", "20260101-000000-abcdef", "round-2");
    expect(evidence?.folder).toBe(folder);
    expect(readdirSync(folder).length).toBeGreaterThan(0);
    const told = payloads(events);
    expect(told[0]).toMatchObject({ notice: "evidence", phase: "begin", commands: 2, round: 2, rounds: 3 });
    expect(told[1]).toMatchObject({ phase: "start", number: 1, total: 3, command: "cat a.txt" });
    const done = told.filter(({ phase }) => phase === "done");
    expect(done).toMatchObject([
      { number: 1, outcome: "held", exit: 0 },
      { number: 2, outcome: "failed", exit: 1, why: expect.stringMatching(/\w/) },
    ]);
    expect(existsSync(String(done[1]?.path))).toBe(true);
  });

  it("are filed under the run's folder without a workbench, and apart for a second step of the same run", async () => {
    const first = roundOf({ checks: ["`true` -> exits 0"], hasWorkbench: false });
    const home = join(first.workspace, "runs", "evidence", "20260101-000000-abcdef");
    expect((await evidenceOf(first.round))?.folder).toBe(join(home, "round-2"));
    const second = roundOf({ checks: ["`true` -> exits 0"] }, { runtime: first.runtime, step: "other" });
    expect((await evidenceOf(second.round))?.folder).toBe(join(home, "other", "round-2"));
    expect((await evidenceOf(first.round))?.folder).toBe(join(home, "round-2"));
  });

  it("are told to have changed tracked files", async () => {
    const { round, events, workspace } = roundOf({ checks: ["`echo 2 > a.txt` -> exits 0"] });
    writeFileSync(join(workspace, "a.txt"), "1\n");
    const { spawnSync } = await import("node:child_process");
    const env = { PATH: process.env.PATH, HOME: workspace, GIT_CONFIG_NOSYSTEM: "1" };
    spawnSync("git", ["init", "-q"], { cwd: workspace, env });
    spawnSync("git", ["add", "a.txt"], { cwd: workspace, env });
    await evidenceOf(round);
    expect(payloads(events).at(-1)).toMatchObject({ phase: "changed", changed: ["a.txt"] });
  });

  it("have a credential they found masked in what models are told of them", async () => {
    const { round, workspace } = roundOf({ checks: ["`cat .env; false` -> exits 0"] });
    writeFileSync(join(workspace, ".env"), "KEY=sk-ant-canary-0123456789\n");
    const item = (await evidenceOf(round))?.items[0];
    expect(item?.tail).toBe("KEY=[credential masked]");
  });

  it("do not run where evidence is off", async () => {
    const { round, events, workspace } = roundOf({ checks: ["`touch ran` -> exits 0"], evidence: false });
    expect(await evidenceOf(round)).toBeUndefined();
    expect(existsSync(join(workspace, "ran"))).toBe(false);
    expect(events).toEqual([]);
  });

  it("end when the run is stopped", async () => {
    const stop = new AbortController();
    const { round } = roundOf({ checks: ["`sleep 300` -> exits 0"], signal: stop.signal });
    const onEvent = round.ctx._onEvent;
    round.ctx._onEvent = (event) => {
      onEvent?.(event);
      if ((event.payload as Record<string, unknown>).phase === "start") stop.abort(new Error("stopped"));
    };
    await expect(evidenceOf(round)).rejects.toThrow("stopped");
  });
});

describe("the deadline of a run", () => {
  /** A deadline that is over once a command has started, and a person who says what then. */
  function braked(goesOn: boolean) {
    const deadline = new AbortController();
    let asked = 0;
    const brake: RunBrake = {
      ...NO_BRAKE,
      deadline: () => (asked === 0 ? deadline.signal : NO_BRAKE.deadline()),
      pause: async () => {
        asked += 1;
        return goesOn ? undefined : failureOf("deadline_reached", { option: "--deadline" });
      },
    };
    const { round, events } = roundOf({
      checks: ["`test -e second || { touch second; sleep 300; }` -> exits 0"],
      brake,
    });
    const onEvent = round.ctx._onEvent;
    round.ctx._onEvent = (event) => {
      onEvent?.(event);
      if ((event.payload as Record<string, unknown>).phase === "start") deadline.abort();
    };
    return { round, events, asked: () => asked };
  }

  it("ends the commands and the step when nobody moves it", async () => {
    const { round, asked } = braked(false);
    await expect(evidenceOf(round)).rejects.toMatchObject({
      message: "stopped at the deadline; run again to continue",
      code: "deadline_reached",
      values: { option: "--deadline" },
    });
    await expect(evidenceOf(braked(false).round)).rejects.toBeInstanceOf(StepAbort);
    expect(asked()).toBe(1);
  });

  it("begins the commands anew when the person moves it", async () => {
    const { round, asked } = braked(true);
    writeFileSync(join(round.place.folder, "second"), "");
    expect((await evidenceOf(round))?.items[0]?.outcome).toBe("held");
    expect(asked()).toBe(1);
  });
});
