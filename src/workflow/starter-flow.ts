// The workflow the command runs: clarify -> goal -> work, with the goal guard around the work.

import { dirname, join, resolve } from "node:path";
import { type ModelRole, type RoleModels, resolveRoleModels } from "../agents/role-models.ts";
import { coordinator } from "../agents/roles/coordinator.ts";
import { worker } from "../agents/roles/worker.ts";
import type { Effort } from "../agents/worker-definition.ts";
import { readProcessEnv } from "../config/process-env.ts";
import { WorkflowError } from "../core/errors.ts";
import { rejectUnknownKeys, requireKinds } from "../core/options.ts";
import { requireSandbox } from "../evidence/gather-evidence.ts";
import { HumanChannel } from "../people/human-channel.ts";
import { createGit } from "../runtime/git.ts";
import { requireIsolation } from "../runtime/isolation.ts";
import { leasePath, requireNoLease } from "../runtime/lease.ts";
import { openWorkspace } from "../runtime/workspace.ts";
import { workLinePath } from "../runtime/worktrees/work-line.ts";
import { Workbench } from "../workbench/workbench.ts";
import { CLARIFY_RESUME, clarifyStep } from "./clarify-step.ts";
import type { Ctx } from "./context.ts";
import { FROZEN_FOLDER } from "./frozen/frozen-copy.ts";
import { goalStep } from "./goal-step.ts";
import { StarterWake } from "./lapse/starter-wake.ts";
import { verdictFolder } from "./lapse/verdict-files.ts";
import { Lineage } from "./lineage.ts";
import { adoptDocuments, bothNames } from "./original-folder.ts";
import { Step } from "./step.ts";
import { folderState, starterVerdict, workbenchRoot } from "./wake-state.ts";
import { createGuard, guardStep } from "./with-goal.ts";
import { Workflow } from "./workflow.ts";

/** Options of {@link starterFlow}. */
export interface StarterFlowOptions {
  /** Folder the agents work in. @defaultValue "." */
  readonly workspace?: string | undefined;
  /** Resolved against the workspace. @defaultValue "runs" */
  readonly runDir?: string | undefined;
  /** Archive what an earlier run left and start anew. @defaultValue false */
  readonly fresh?: boolean | undefined;
  /** Give every dispatch a git worktree of its own. @defaultValue false */
  readonly isolate?: boolean | undefined;
  /** Stop after the brief. @defaultValue false */
  readonly clarifyOnly?: boolean | undefined;
  /** False: no goal and no verdict. @defaultValue true */
  readonly goal?: boolean | undefined;
  /** Rounds of work in all. @defaultValue 3 */
  readonly rounds?: number | undefined;
  /** Let both judges run commands. @defaultValue false */
  readonly judgeCanRun?: boolean | undefined;
  /** Run the commands of the goal before each verdict; it then has to agree with what they show. @defaultValue true */
  readonly evidence?: boolean | undefined;
  /** Run them in a sandbox. @defaultValue false */
  readonly sandbox?: boolean | undefined;
  /** Questions in all. @defaultValue unlimited */
  readonly maxAsks?: number | undefined;
  /** Seconds a question waits; null forever, 0 or less: nobody is there. @defaultValue 1800 */
  readonly timeoutS?: number | null | undefined;
  /** Appended to the coordinator's rules. @defaultValue none */
  readonly instructions?: string | undefined;
  /** What the worker is told beside its rules. */
  readonly workerPrompt?: string | undefined;
  /** Model of every role that has none in `models`. @defaultValue the harness's own choice */
  readonly model?: string | undefined;
  /** Models by role. @defaultValue `model`; for a worker without one the coordinator's */
  readonly models?: RoleModels | undefined;
  /** Reasoning effort of every role. @defaultValue the model's own */
  readonly effort?: Effort | undefined;
  /** US dollars a run may cost, every role included. @defaultValue no limit */
  readonly budgetUsd?: number | undefined;
  /** Name of the brief in `notes/`. @defaultValue "brief.md" */
  readonly briefName?: string | undefined;
  /** Name of the goal in `notes/`. @defaultValue "goal.md" */
  readonly goalName?: string | undefined;
  /** Name of the log of questions and answers in `notes/`. @defaultValue "qa.md" */
  readonly logName?: string | undefined;
}

const KNOWN = [
  "workspace",
  "runDir",
  "fresh",
  "isolate",
  "clarifyOnly",
  "goal",
  "rounds",
  "judgeCanRun",
  "evidence",
  "sandbox",
  "maxAsks",
  "timeoutS",
  "instructions",
  "workerPrompt",
  "model",
  "models",
  "effort",
  "budgetUsd",
  "briefName",
  "goalName",
  "logName",
] satisfies (keyof StarterFlowOptions)[];

const WORKER_PROMPT = "You implement. Verify after every change; do not save it up for the end.";
const WORKER_DESCRIPTION = "Implements, runs and verifies: writes code and files, runs commands and tests.";
/** Further attempts at a document whose reply lacked a section: a truncated reply is common, three in a row is not. */
const DOCUMENT_RETRIES = 2;
const WAKE_LABEL = "added on wake";

/** What the parts of the flow share. */
interface Flow {
  readonly said: string;
  readonly waking: boolean;
  readonly briefReady: boolean;
  readonly briefPath: string;
  readonly goalPath: string;
  readonly channel: HumanChannel;
  readonly workbench: Workbench;
  readonly wake: StarterWake;
  readonly options: StarterFlowOptions;
  readonly models: Readonly<Partial<Record<ModelRole, string>>>;
}

function roleOf({ models, options }: Flow, role: ModelRole): { model?: string; effort?: Effort } {
  const model = models[role];
  return {
    ...(model === undefined ? {} : { model }),
    ...(options.effort === undefined ? {} : { effort: options.effort }),
  };
}

function startAnew(workspace: string, options: StarterFlowOptions): void {
  const state = folderState(workspace, pathsOf(options));
  const runDir = resolve(workspace, options.runDir ?? "runs");
  const into = join(dirname(state.brief), "archive");
  const log = join(dirname(state.brief), options.logName ?? "qa.md");
  // What was frozen, what was ruled and what was brought together belong to the run that is put away.
  const concluded = [
    verdictFolder(runDir, dirname(state.brief)),
    join(runDir, FROZEN_FOLDER),
    workLinePath(runDir),
  ];
  Lineage.open({ runDir, workspace }).archive(into, {
    // A document the original left under its own name would be found again.
    extra: [...[state.brief, state.goal, log].flatMap(bothNames), ...concluded],
  });
}

function pathsOf(options: StarterFlowOptions) {
  const { runDir, isolate, briefName, goalName } = options;
  return {
    ...(runDir === undefined ? {} : { runDir }),
    ...(isolate === undefined ? {} : { isolate }),
    ...(briefName === undefined ? {} : { briefName }),
    ...(goalName === undefined ? {} : { goalName }),
  };
}

/**
 * New words join the brief when the run has begun: by then it holds the folder, and a run that was refused because
 * another one works here has changed nothing.
 */
function beginFirst(flow: Flow, step: Step): Step {
  const { when } = step.options;
  return step.with({
    when: async (ctx) => {
      await flow.wake.begin(ctx);
      if (flow.briefReady && flow.said !== "") flow.channel.amend(flow.said, { label: WAKE_LABEL });
      return when?.(ctx) ?? true;
    },
  });
}

function clarifyPart(flow: Flow): Step {
  const { said } = flow;
  const step = clarifyStep(flow.channel, {
    briefPath: flow.briefPath,
    prompt: `The person's request:\n\n${said}`,
    resumePrompt: said === "" ? CLARIFY_RESUME : `${CLARIFY_RESUME}\n\nMeanwhile the person says:\n\n${said}`,
    retries: DOCUMENT_RETRIES,
    ...roleOf(flow, "clarifier"),
  });
  return beginFirst(flow, step);
}

function goalPart(flow: Flow): Step {
  const { said, briefReady, options } = flow;
  return goalStep(flow.channel, {
    goalPath: flow.goalPath,
    // New words change what is wanted: judging them by the old list would be judging another task.
    alwaysSet: briefReady && said !== "",
    retries: DOCUMENT_RETRIES,
    canRun: options.judgeCanRun ?? false,
    evidence: options.evidence ?? true,
    ...roleOf(flow, "judge"),
  });
}

function workPrompt(flow: Flow, ctx: Ctx): string {
  const goal =
    typeof ctx.goal === "string" && ctx.goal !== ""
      ? `\n\nThe goal you will be judged by:\n\n${ctx.goal}`
      : "";
  const words = flow.wake.words(ctx);
  const news = words === "" ? "" : `\n\n${words}`;
  return `Have this brief carried out.\n\n${String(ctx.clarify ?? "")}${goal}${news}`;
}

function resumeWorkPrompt(flow: Flow, ctx: Ctx): string {
  if (flow.said === "") {
    const words = flow.wake.words(ctx);
    const goOn = "Look at where things stand, and go on until the goal is met.";
    return words === "" ? `You were interrupted. ${goOn}` : `${words}\n\n${goOn}`;
  }
  const goal =
    typeof ctx.goal === "string" && ctx.goal !== "" ? `\n\nThe goal was set anew:\n\n${ctx.goal}` : "";
  return `${flow.said}${goal}`;
}

function workPart(flow: Flow): Step {
  const { channel, options } = flow;
  const coder = worker(WORKER_DESCRIPTION, options.workerPrompt ?? WORKER_PROMPT, {
    isolate: options.isolate ?? false,
    ...(flow.models.worker === undefined ? {} : { model: flow.models.worker }),
  });
  const spec = coordinator(
    "coordinator",
    options.instructions ?? "",
    { coder },
    { channel, ...roleOf(flow, "coordinator") },
  );
  const step = new Step("work", spec, (ctx) => workPrompt(flow, ctx), {
    resumePrompt: (ctx) => resumeWorkPrompt(flow, ctx),
  });
  if (options.goal === false) return step;
  const guard = createGuard(step, channel, {
    goalPath: flow.goalPath,
    canRun: options.judgeCanRun ?? false,
    evidence: options.evidence ?? true,
    sandbox: options.sandbox ?? false,
    ...(options.rounds === undefined ? {} : { rounds: options.rounds }),
    ...roleOf(flow, "judge"),
  });
  const guarded = guardStep(guard);
  const { when } = guarded.options;
  return guarded.with({
    when: async (ctx) => (await when?.(ctx)) !== false && (await flow.wake.wantsWork(ctx, guard)),
  });
}

function openFlow(said: string, options: StarterFlowOptions): Flow {
  const models = resolveRoleModels(options.models ?? {}, options.model, "starterFlow models");
  const workspace = openWorkspace(options.workspace ?? ".");
  const isolate = options.isolate ?? false;
  const home = workbenchRoot(workspace, isolate);
  if (isolate) {
    requireIsolation({ git: createGit(workspace, readProcessEnv()), workspace, workbenchRoot: home });
  }
  if (options.sandbox === true && options.evidence !== false) requireSandbox(workspace, readProcessEnv());
  if (options.fresh === true) {
    requireNoLease(leasePath(resolve(workspace, options.runDir ?? "runs")));
    startAnew(workspace, options);
  }
  const state = folderState(workspace, pathsOf(options));
  if (!state.waking && said === "") {
    throw new WorkflowError("there is nothing to do: no request, and nothing to wake here", {
      code: "empty_ask",
      hint: 'say what you want, e.g. flower "build me a word counter"',
    });
  }
  const workbench = new Workbench({ workspace, home });
  workbench.ensure();
  const logPath = join(workbench.notes, options.logName ?? "qa.md");
  adoptDocuments([state.brief, state.goal, logPath]);
  const channel = new HumanChannel({
    logPath,
    amendPath: state.brief,
    ...(options.maxAsks === undefined ? {} : { maxAsks: options.maxAsks }),
    ...(options.timeoutS === undefined ? {} : { timeoutS: options.timeoutS }),
  });
  const { waking, briefReady, brief: briefPath, goal: goalPath } = state;
  const isJudged = options.goal !== false && options.clarifyOnly !== true;
  const lastVerdict = () => (isJudged ? starterVerdict(workspace, pathsOf(options)) : undefined);
  return {
    said,
    waking,
    briefReady,
    briefPath,
    goalPath,
    channel,
    workbench,
    wake: new StarterWake({ workspace, briefPath, goalPath, said, lastVerdict }),
    options,
    models,
  };
}

/**
 * The three-step workflow for one request, with its channel and workbench attached. On a wake the words reach three
 * places: the brief, the goal (set anew) and the work session; a wake with nothing said changes nothing.
 * @param ask - the person's request; empty when a wake says nothing new
 * @throws WorkflowError `empty_ask`; IsolationError before anything runs, also where there is no sandbox; DiskError; OptionError `unknown_option`.
 * @example
 * ```ts
 * import { Runtime, starterFlow } from "flower-agent";
 *
 * const workflow = starterFlow("build a word counter", { workspace: ".", timeoutS: 0 });
 * await using runtime = new Runtime({ workspace: ".", ...(workflow.workbench && { workbench: workflow.workbench }) });
 * const ctx = await workflow.run(runtime);
 * console.log(ctx._failedAt ?? ctx._verdict?.reason);
 * ```
 */
export function starterFlow(ask: string, options: StarterFlowOptions = {}): Workflow {
  rejectUnknownKeys(options, KNOWN, "starterFlow");
  requireKinds({ ask: ask ?? null }, { ask: "text" }, "starterFlow");
  const flow = openFlow(ask.trim(), options);
  const steps = [clarifyPart(flow)];
  if (options.clarifyOnly !== true) {
    if (options.goal !== false) steps.push(goalPart(flow));
    steps.push(workPart(flow));
  }
  const { channel, workbench } = flow;
  return new Workflow(steps, { name: "starter", channel, workbench, budgetUsd: options.budgetUsd });
}
