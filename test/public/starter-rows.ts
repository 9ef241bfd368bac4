// The three-step flow and what a folder holds before it: their options and defaults.
import { existsSync, mkdirSync } from "node:fs";
import { join, relative } from "node:path";
import {
  COORDINATOR_RULES,
  Lineage,
  type StarterFlowOptions,
  Step,
  starterFlow,
  type WakeStateOptions,
  type Workflow,
  wakeState,
} from "../../src/index.ts";
import { ON_DISK_ENGLISH, said } from "./agent.ts";
import { place } from "./place.ts";
import { nothing, type Row, row } from "./row.ts";

const WORKER_PROMPT = "You implement. Verify after every change; do not save it up for the end.";

/** The workspace is the folder the process stands in, so it has to stand in one of its own. */
async function standingIn<T>(folder: string, act: () => T | Promise<T>): Promise<T> {
  const before = process.cwd();
  process.chdir(folder);
  try {
    return await act();
  } finally {
    process.chdir(before);
  }
}

function stepsOf(flow: Workflow): readonly [Step, Step, Step] {
  const [clarify, goal, work] = flow.steps;
  if (!(clarify instanceof Step && goal instanceof Step && work instanceof Step)) {
    throw new TypeError("three steps");
  }
  return [clarify, goal, work];
}

/** A folder in which a run left a session in `runs`: what is found there shows where it was looked for. */
function wokenFolder(name: string): string {
  const folder = place(name);
  mkdirSync(join(folder, "runs"), { recursive: true });
  new Lineage({ runDir: join(folder, "runs"), workspace: folder }).remember("work", "s-1");
  return folder;
}

function seeStarter(flow: Workflow) {
  const steps = stepsOf(flow);
  const [, goal, work] = steps;
  const { coder } = work.spec.agents ?? {};
  const notes = flow.workbench?.notes ?? "";
  const { channel: asked, workbench } = flow;
  asked?.send("hello");
  const state = wakeState(workbench?.workspace);
  const one = <T>(pick: (step: Step) => T) => {
    const [first, ...others] = new Set(steps.map(pick));
    return others.length === 0 ? first : "different";
  };
  return {
    workspace: workbench?.workspace === process.cwd() ? "." : workbench?.workspace,
    runDir: Object.keys(state.steps).length > 0 ? "runs" : "another",
    fresh: existsSync(join(notes, "archive")),
    isolate: coder?.isolate,
    clarifyOnly: flow.steps.length === 1,
    goal: goal.name === "goal",
    rounds: work.retries + 1,
    judgeCanRun: goal.spec.allowedTools.includes("Bash"),
    evidence: said(goal.prompt).includes("flower itself runs the commands"),
    sandbox: false,
    maxAsks: asked?.remaining === -1 ? undefined : asked?.remaining,
    timeoutS: asked?.timeoutS,
    instructions: work.spec.instructions.slice(COORDINATOR_RULES.length),
    workerPrompt: coder?.prompt.slice(0, WORKER_PROMPT.length),
    model: one((step) => step.spec.model),
    models: coder?.model === "inherit" ? undefined : coder?.model,
    effort: one((step) => step.spec.effort),
    budgetUsd: flow.budget.budgetUsd,
    briefName: relative(notes, state.brief),
    goalName: relative(notes, state.goal),
    logName: existsSync(join(notes, "qa.md")) ? "qa.md" : "another",
  };
}

/** Every row of this file. */
export const STARTER_ROWS: readonly Row[] = [
  row("StarterFlowOptions", {
    make: (options: StarterFlowOptions) =>
      standingIn(wokenFolder("starter"), () => seeStarter(starterFlow("count words", options))),
    given: {},
    see: (seen) => seen,
    defaults: {
      ...nothing("maxAsks", "model", "models", "effort", "budgetUsd"),
      workspace: ".",
      runDir: "runs",
      fresh: false,
      isolate: false,
      clarifyOnly: false,
      goal: true,
      rounds: 3,
      judgeCanRun: false,
      evidence: true,
      sandbox: false,
      timeoutS: 1_800,
      instructions: "",
      workerPrompt: WORKER_PROMPT,
      briefName: "brief.md",
      goalName: "goal.md",
      logName: "qa.md",
    },
    original: {
      workspace: ".",
      runDir: "runs",
      fresh: false,
      isolate: false,
      clarifyOnly: false,
      goal: true,
      rounds: 3,
      judgeCanRun: false,
      maxAsks: undefined,
      timeoutS: 1_800,
      instructions: "",
      workerPrompt: "你负责实现。每改一处就跑一次验证,别攒到最后。",
      briefName: "需求.md",
      goalName: "目标.md",
      logName: "问答记录.md",
    },
    differs: {
      workerPrompt: "what a model is told is in English",
      briefName: ON_DISK_ENGLISH,
      goalName: ON_DISK_ENGLISH,
      logName: ON_DISK_ENGLISH,
    },
  }),
  row("WakeStateOptions", {
    make: (options: WakeStateOptions) => wakeState(wokenFolder("woken"), options),
    given: {},
    see: (state) => {
      const notes = join(place("woken"), ".flower", "notes");
      return {
        runDir: state.waking ? "runs" : "another",
        isolate: relative(notes, state.brief).startsWith(".."),
        briefName: relative(notes, state.brief),
        goalName: relative(notes, state.goal),
      };
    },
    defaults: { runDir: "runs", isolate: false, briefName: "brief.md", goalName: "goal.md" },
    original: { runDir: "runs", isolate: false, briefName: "需求.md", goalName: "目标.md" },
    differs: { briefName: ON_DISK_ENGLISH, goalName: ON_DISK_ENGLISH },
  }),
];
