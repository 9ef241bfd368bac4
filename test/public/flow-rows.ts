// Runtime, workflows and the ready-made steps: their options and defaults.
import { existsSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { PruningSessionStore } from "../../src/harness/rewriting-stores.ts";
import {
  type BudgetOptions,
  CLARIFIER_RULES,
  CLARIFY_RESUME,
  type ClarifyStepOptions,
  clarifyStep,
  type GoalStepOptions,
  type GroupOptions,
  goalStep,
  HumanChannel,
  JUDGE_RULES,
  Lineage,
  type LineageOptions,
  map,
  parallel,
  type RunOptions,
  Runtime,
  type RuntimeOptions,
  Step,
  type StepGroup,
  type StepOptions,
  type WithGoalOptions,
  Workflow,
  type WorkflowOptions,
  type WorkflowRunOptions,
} from "../../src/index.ts";
import { resolveRuntimeOptions } from "../../src/runtime/runtime-options.ts";
import { DUMMY_KEY } from "../../src/testing/index.ts";
import { createGuard } from "../../src/workflow/with-goal.ts";
import { ON_DISK_ENGLISH, oneAgent, said } from "./agent.ts";
import { place } from "./place.ts";
import { filled, nothing, type Row, row } from "./row.ts";

const channel = new HumanChannel({ timeoutS: 0 });
const env = { ANTHROPIC_API_KEY: DUMMY_KEY };
const BRIEF =
  "## Goal\nCount.\n\n## Acceptance criteria\nIt counts.\n\n## Boundaries\nNone.\n\n## Unknowns and assumptions\nNone.\n";
const GOAL = "## Goal\nIt counts.\n\n## Checklist\n1. it prints 3\n";
const NO_ROLE = nothing("spec", "model", "effort", "maxTurns", "maxBudgetUsd");
const NO_BUDGET = nothing("budgetUsd", "budgetTokens", "deadlineS");

function roleOf({ spec }: Pick<Step, "spec">, made: string, rules: string) {
  const { model, effort, maxTurns, maxBudgetUsd } = spec;
  return {
    spec: spec.name === made ? undefined : spec,
    instructions: spec.instructions.slice(rules.length),
    model,
    effort,
    maxTurns,
    maxBudgetUsd,
  };
}

function inNotes(name: string, text: string): string {
  const path = join(place("papers"), name);
  writeFileSync(path, text);
  return path;
}

const RUN: readonly Row[] = [
  row<RuntimeOptions, { options: RuntimeOptions; runtime: Runtime }>("RuntimeOptions", {
    make: (options) => {
      resolveRuntimeOptions(options);
      return { options, runtime: new Runtime({ ...options, env: { ...options.env, ...env } }) };
    },
    given: { workspace: place("runtime") },
    see: async ({ options, runtime }) => {
      const { store, workspace } = runtime;
      await runtime.close();
      if (!(store instanceof PruningSessionStore)) throw new TypeError("the store rewrites on load");
      return {
        runDir: relative(workspace, runtime.runDir),
        portable: runtime.portable,
        trim: store.policies.trim !== undefined,
        ephemeral: store.policies.ephemeral !== undefined,
        keepDenials: store.policies.prune?.keepDenials,
        workbench: runtime.workbench ?? false,
        spillThreshold: runtime.spillThreshold,
        resilience: runtime.resilience.enabled,
        handoff: runtime.handoff.enabled,
        store: existsSync(join(workspace, "runs", "sessions.db")) ? "runs/sessions.db" : undefined,
        env: resolveRuntimeOptions(options).env,
      };
    },
    defaults: {
      runDir: "runs",
      portable: true,
      trim: false,
      ephemeral: true,
      keepDenials: 1,
      workbench: false,
      spillThreshold: 4_000,
      resilience: true,
      handoff: true,
      store: "runs/sessions.db",
      env: {},
    },
    original: {
      runDir: "runs",
      portable: true,
      trim: false,
      ephemeral: true,
      keepDenials: 1,
      workbench: false,
      spillThreshold: 4_000,
      resilience: true,
      handoff: true,
    },
  }),
  row("RunOptions", {
    make: async (options: RunOptions) => {
      await using runtime = new Runtime({ workspace: place("run"), env });
      // A run that is over before it begins: everything up to the harness.
      return runtime.run(oneAgent, "go", filled(options, { signal: AbortSignal.abort() }));
    },
    given: {},
    see: (result) => ({
      ...nothing("onEvent", "onStored", "signal", "resumeAt"),
      stepName: result.step,
      resume: result.sessionId ?? undefined,
      fork: result.resumed,
    }),
    defaults: {
      ...nothing("onEvent", "onStored", "signal", "resume", "resumeAt"),
      stepName: oneAgent.name,
      fork: false,
    },
    original: { ...nothing("onEvent", "resume", "resumeAt"), stepName: oneAgent.name, fork: false },
  }),
  row("WorkflowOptions", {
    make: (options: WorkflowOptions) => new Workflow([new Step("a", oneAgent, "go")], options),
    given: {},
    see: (made) => ({
      budgetUsd: made.budget.budgetUsd,
      budgetTokens: made.budget.budgetTokens,
      deadlineS: made.budget.deadlineS,
      name: made.name,
      context: made.context,
      channel: made.channel,
      workbench: made.workbench,
      continuous: made.continuous,
    }),
    defaults: {
      ...NO_BUDGET,
      ...nothing("channel", "workbench"),
      name: "workflow",
      context: {},
      continuous: true,
    },
    original: { ...nothing("channel", "workbench"), name: "workflow", context: {}, continuous: true },
  }),
  row("WorkflowRunOptions", {
    make: async (options: WorkflowRunOptions) => {
      await using runtime = new Runtime({ workspace: place("flow-run"), env });
      return new Workflow([new Step("a", oneAgent, "go", { when: () => false })]).run(runtime, options);
    },
    given: {},
    see: (ctx) => ({ ...nothing("onEvent", "onStep"), ...NO_BUDGET, signal: ctx._signal }),
    defaults: { ...nothing("onEvent", "onStep", "signal"), ...NO_BUDGET },
    original: nothing("onEvent", "onStep"),
  }),
  row("BudgetOptions", {
    make: (options: BudgetOptions) => new Workflow([new Step("a", oneAgent, "go")], options),
    given: {},
    see: ({ budget }) => ({
      budgetUsd: budget.budgetUsd,
      budgetTokens: budget.budgetTokens,
      deadlineS: budget.deadlineS,
    }),
    defaults: NO_BUDGET,
  }),
  row<LineageOptions, Lineage>("LineageOptions", {
    make: (options) => new Lineage(options),
    given: { runDir: place("lineage"), workspace: place("lineage") },
    see: () => nothing("onFault"),
    defaults: nothing("onFault"),
  }),
  row("Lineage.archive options", {
    make: (options: { readonly extra?: readonly string[] | undefined }) => {
      const lineage = new Lineage({ runDir: place("archive"), workspace: place("archive") });
      return { archived: lineage.archive(place("archived"), options) };
    },
    given: {},
    see: ({ archived }) => ({ extra: archived === undefined ? [] : archived }),
    defaults: { extra: [] },
  }),
];

const STEP_DEFAULTS = {
  ...nothing("resumeFrom", "gate", "when", "onReject", "resumePrompt", "reduce"),
  fork: false,
  retries: 0,
  onFail: "stop",
};

const STEPS: readonly Row[] = [
  row("StepOptions", {
    make: (options: StepOptions) => new Step("a", oneAgent, "go", options),
    given: {},
    see: ({ options, retries, onFail }) => ({
      resumeFrom: options.resumeFrom,
      fork: options.fork ?? false,
      retries,
      gate: options.gate,
      onFail,
      when: options.when,
      onReject: options.onReject,
      resumePrompt: options.resumePrompt,
      reduce: options.reduce,
    }),
    defaults: STEP_DEFAULTS,
    original: STEP_DEFAULTS,
  }),
  ...(["parallel", "map"] as const).map((owner) =>
    row(`GroupOptions of ${owner}`, {
      make: (options: GroupOptions): StepGroup =>
        owner === "parallel"
          ? parallel([new Step("a", oneAgent, "go")], options)
          : map(["a"], (name) => new Step(name, oneAgent, "go"), options),
      given: {},
      see: ({ name, concurrency, onFail }) => ({ name, concurrency, onFail }),
      defaults: { name: owner, concurrency: 4, onFail: "stop" },
    }),
  ),
  row<ClarifyStepOptions, Step>("ClarifyStepOptions", {
    make: (options) => clarifyStep(channel, options),
    given: { briefPath: inNotes("brief.md", BRIEF), prompt: "count" },
    see: async (step) => ({
      ...roleOf(step, "clarifier", CLARIFIER_RULES),
      name: step.name,
      alwaysAsk: await step.options.when?.({}),
      onFail: step.onFail,
      retries: step.retries,
      resumePrompt: step.options.resumePrompt,
    }),
    defaults: {
      ...NO_ROLE,
      instructions: "",
      name: "clarify",
      alwaysAsk: false,
      onFail: "stop",
      retries: 0,
      resumePrompt: CLARIFY_RESUME,
    },
    original: {
      spec: undefined,
      instructions: "",
      name: "确认需求",
      alwaysAsk: false,
      onFail: "stop",
      retries: 0,
    },
    differs: { name: ON_DISK_ENGLISH },
  }),
  row<GoalStepOptions, Step>("GoalStepOptions", {
    make: (options) => goalStep(channel, options),
    given: { goalPath: inNotes("goal.md", GOAL) },
    see: async (step) => ({
      ...roleOf(step, "judge", JUDGE_RULES),
      briefKey: said(step.prompt, { clarify: "THE BRIEF" }).includes("THE BRIEF") ? "clarify" : "another",
      name: step.name,
      alwaysSet: await step.options.when?.({}),
      onFail: step.onFail,
      retries: step.retries,
      canRun: step.spec.allowedTools.includes("Bash") || said(step.prompt).includes("You may run"),
      evidence: said(step.prompt).includes("flower itself runs the commands"),
    }),
    defaults: {
      ...NO_ROLE,
      instructions: "",
      briefKey: "clarify",
      name: "goal",
      alwaysSet: false,
      onFail: "stop",
      retries: 0,
      canRun: false,
      evidence: true,
    },
    original: {
      spec: undefined,
      instructions: "",
      briefKey: "确认需求",
      name: "设定目标",
      alwaysSet: false,
      onFail: "stop",
      retries: 0,
      canRun: false,
    },
    differs: { briefKey: ON_DISK_ENGLISH, name: ON_DISK_ENGLISH },
  }),
  row<WithGoalOptions, ReturnType<typeof createGuard>>("WithGoalOptions", {
    make: (options) => createGuard(new Step("work", oneAgent, "go"), channel, options),
    given: { goalPath: inNotes("goal.md", GOAL) },
    see: (guard) => ({
      ...roleOf(guard, "judge", JUDGE_RULES),
      rounds: guard.rounds,
      canRun: guard.canRun,
      evidence: guard.evidence,
      sandbox: guard.sandbox,
      name: guard.name,
    }),
    defaults: {
      ...NO_ROLE,
      instructions: "",
      rounds: 3,
      canRun: false,
      evidence: true,
      sandbox: false,
      name: "work:verdict",
    },
    original: { spec: undefined, instructions: "", rounds: 3, canRun: false, name: "work·判定" },
    differs: { name: ON_DISK_ENGLISH },
  }),
];

/** Every row of this file. */
export const FLOW_ROWS: readonly Row[] = [...RUN, ...STEPS];
