// Workflow: steps in order, how state passes between them, and when to leave early.

import { join } from "node:path";
import { chooseLanguage } from "../config/locale/choose-language.ts";
import { createTranslator } from "../config/locale/translator.ts";
import { readProcessEnv } from "../config/process-env.ts";
import { WorkflowError } from "../core/errors.ts";
import { sweepLeftovers } from "../core/leftovers.ts";
import { rejectUnknownKeys } from "../core/options.ts";
import { tellQuietly } from "../core/tell-quietly.ts";
import { createEvent, type EventListener } from "../events/event.ts";
import type { HumanChannel } from "../people/human-channel.ts";
import type { FailureWords } from "../runtime/failure.ts";
import { type Lease, takeLease } from "../runtime/lease.ts";
import type { Runtime } from "../runtime/runtime.ts";
import type { StepResult } from "../runtime/step-result.ts";
import type { Workbench } from "../workbench/workbench.ts";
import { BUDGET_KEYS, type BudgetOptions, resolveLimits } from "./budget-limits.ts";
import type { Ctx } from "./context.ts";
import { Lineage } from "./lineage.ts";
import { RunBudget } from "./run-budget.ts";
import { runWorkflowStep, type StepOutcome } from "./run-workflow-step.ts";
import type { Step } from "./step.ts";

/** Options of a workflow; its limits are what a run has when it names none of its own. */
export interface WorkflowOptions<C extends Ctx = Ctx> extends BudgetOptions {
  /** @defaultValue "workflow" */
  readonly name?: string;
  /** The one object the steps pass on; running twice meets the same keys. @defaultValue empty */
  readonly context?: C;
  /** Carries questions to a person; its events join the run's. */
  readonly channel?: HumanChannel;
  /** The workbench its steps write to; give the same one to the Runtime. */
  readonly workbench?: Workbench;
  /** Pick up each step's last session of an earlier process. @defaultValue true */
  readonly continuous?: boolean;
}

/** Options of one run of a workflow. */
export interface WorkflowRunOptions<C extends Ctx = Ctx> extends BudgetOptions {
  readonly onEvent?: EventListener;
  /** Told after every step, failures included. What it throws is collected in `Runtime.listenerErrors`. */
  readonly onStep?: (step: Step<C>, result: StepResult) => void;
  /** Ends the run; what was done stays resumable. */
  readonly signal?: AbortSignal;
}

const KNOWN = ["name", "context", "channel", "workbench", "continuous"] satisfies (keyof WorkflowOptions)[];
const RUN_KNOWN = ["onEvent", "onStep", "signal"] satisfies (keyof WorkflowRunOptions)[];

function refuse(message: string, code: string, hint: string): WorkflowError {
  return new WorkflowError(message, { code, hint });
}

function checkSteps(steps: readonly Step<never>[]): void {
  if (!Array.isArray(steps) || steps.length === 0) {
    throw refuse("a workflow needs at least one step", "no_steps", "new Workflow([new Step(…)])");
  }
  const earlier = new Set<string>();
  for (const step of steps) {
    if (earlier.has(step.name)) {
      throw refuse(
        `two steps are called "${step.name}"`,
        "duplicate_step",
        "give each step a name of its own",
      );
    }
    const from = step.options.resumeFrom;
    if (from !== undefined && !earlier.has(from)) {
      throw refuse(
        `step "${step.name}" resumes from "${from}", which is no earlier step`,
        "bad_resume_from",
        "name a step that stands before it",
      );
    }
    earlier.add(step.name);
  }
}

/** What writers that were killed left beside their files. */
function tidy(runtime: Runtime): void {
  sweepLeftovers(runtime.runDir);
  if (runtime.workbench !== undefined) sweepLeftovers(runtime.workbench.notes);
}

/**
 * An ordered set of steps.
 * @throws WorkflowError `no_steps`, `duplicate_step` or `bad_resume_from` before anything runs.
 */
export class Workflow<C extends Ctx = Ctx> {
  readonly steps: readonly Step<C>[];
  readonly name: string;
  readonly context: C;
  readonly channel: HumanChannel | undefined;
  readonly workbench: Workbench | undefined;
  readonly continuous: boolean;
  /** Limits of a run that names none of its own. */
  readonly budget: BudgetOptions;

  constructor(steps: readonly Step<C>[], options: WorkflowOptions<C> = {}) {
    rejectUnknownKeys(options, [...KNOWN, ...BUDGET_KEYS], "Workflow");
    resolveLimits(options, "Workflow");
    checkSteps(steps as readonly Step<never>[]);
    this.steps = steps;
    this.name = options.name ?? "workflow";
    this.context = options.context ?? ({} as C);
    this.channel = options.channel;
    this.workbench = options.workbench;
    this.continuous = options.continuous ?? true;
    const { budgetUsd, budgetTokens, deadlineS } = options;
    this.budget = { budgetUsd, budgetTokens, deadlineS };
  }

  /** A copy that starts every step afresh: it may run beside another run in the same folder. */
  withoutContinuity(): Workflow<C> {
    const { name, context, channel, workbench } = this;
    return new Workflow(this.steps, {
      ...this.budget,
      name,
      context,
      continuous: false,
      ...(channel === undefined ? {} : { channel }),
      ...(workbench === undefined ? {} : { workbench }),
    });
  }

  /**
   * Run the steps in order.
   * At a limit the turn ends cleanly and the person is asked through the channel; with nobody there the run stops,
   * and a later one goes on where it stopped.
   * @returns the context: `_failedAt` names the step that ended it early.
   * @throws LeaseError `lease_held` when another live run has the folder; WorkflowError `no_session` when a step
   * resumes from one that made no session.
   */
  async run(runtime: Runtime, options: WorkflowRunOptions<C> = {}): Promise<C> {
    rejectUnknownKeys(options, [...RUN_KNOWN, ...BUDGET_KEYS], "Workflow.run");
    const { channel } = this;
    const limits = resolveLimits(
      {
        budgetUsd: options.budgetUsd ?? this.budget.budgetUsd,
        budgetTokens: options.budgetTokens ?? this.budget.budgetTokens,
        deadlineS: options.deadlineS ?? this.budget.deadlineS,
      },
      "Workflow.run",
    );
    const borrowed = channel !== undefined && channel.onEvent === undefined;
    const lease = this.continuous ? takeLease(join(runtime.runDir, "active.json"), runtime.runId) : undefined;
    tidy(runtime);
    const listening = options.onEvent === undefined ? () => {} : runtime.listen(options.onEvent);
    if (borrowed) channel.onEvent = (event) => runtime.emit(event);
    const say = createTranslator(chooseLanguage(readProcessEnv()));
    const budget = new RunBudget({ limits, channel, say, emit: (event) => runtime.emit(event) });
    const release = budget.isBounded ? runtime.brakeWith(budget) : () => {};
    try {
      return await this.#runSteps(runtime, options, { lease, budget });
    } finally {
      release();
      budget.close();
      if (borrowed) channel.onEvent = undefined;
      listening();
      tidy(runtime);
      lease?.release();
    }
  }

  async #runSteps(
    runtime: Runtime,
    options: WorkflowRunOptions<C>,
    { lease, budget }: { readonly lease: Lease | undefined; readonly budget: RunBudget },
  ): Promise<C> {
    const ctx = this.context;
    const lineage = this.continuous ? this.#openLineage(runtime) : undefined;
    ctx._runtime = runtime;
    ctx._onEvent = (event) => runtime.emit(event);
    ctx._woke = lineage?.woke ?? 0;
    ctx._results ??= Object.create(null) as Record<string, StepResult>;
    ctx._sessions ??= Object.create(null) as Record<string, string>;
    if (lineage !== undefined) ctx._lineage = lineage;
    if (options.signal !== undefined) ctx._signal = options.signal;
    delete ctx._failedAt;
    delete ctx._aborted;
    delete ctx._hint;
    delete ctx._fingerprints;
    for (const [index, step] of this.steps.entries()) {
      lease?.setStep(step.name);
      const goesOn = await this.#runOne({ runtime, step, index, ctx, options, budget });
      if (!goesOn) return ctx;
    }
    return ctx;
  }

  #openLineage(runtime: Runtime): Lineage {
    const onFault = (text: string) =>
      runtime.emit(createEvent("task", { text, payload: { notice: "store" } }));
    const lineage = Lineage.open({ runDir: runtime.runDir, workspace: runtime.workspace, onFault });
    if (Object.keys(lineage.steps).length > 0) lineage.bump();
    return lineage;
  }

  /** @returns whether the next step may follow. */
  async #runOne(turn: {
    readonly runtime: Runtime;
    readonly step: Step<C>;
    readonly index: number;
    readonly ctx: C;
    readonly options: WorkflowRunOptions<C>;
    readonly budget: RunBudget;
  }): Promise<boolean> {
    const { runtime, step, index, ctx, options, budget } = turn;
    if (step.options.when !== undefined && !(await step.options.when(ctx))) {
      const payload = { notice: "skipped", step: step.name };
      runtime.emit(createEvent("task", { text: step.name, payload }));
      return true;
    }
    if (budget.isLastRound !== undefined) return endAtLimit(step, budget.isLastRound, ctx);
    const from = await this.#startOf(runtime, step, ctx);
    runtime.emit(
      createEvent("step", {
        text: step.name,
        payload: {
          index: index + 1,
          total: this.steps.length,
          resumed: from.resume !== undefined,
          woke: ctx._woke ?? 0,
        },
      }),
    );
    const outcome = await runWorkflowStep({
      step,
      ctx,
      runtime,
      ...from,
      onEvent: undefined,
      signal: options.signal,
      budget,
    });
    const goesOn = settle(step, outcome, ctx);
    tellQuietly(() => options.onStep?.(step, outcome.result), runtime.listenerErrors);
    if (!outcome.passed && budget.isLastRound !== undefined) return endAtLimit(step, budget.isLastRound, ctx);
    return goesOn && !options.signal?.aborted;
  }

  async #startOf(
    runtime: Runtime,
    step: Step<C>,
    ctx: C,
  ): Promise<{ resume: string | undefined; fork: boolean; continued: boolean }> {
    const { resumeFrom, fork = false } = step.options;
    if (resumeFrom !== undefined) {
      const resume = ctx._sessions?.[resumeFrom];
      if (resume !== undefined) return { resume, fork, continued: false };
      throw refuse(
        `step "${step.name}" resumes from "${resumeFrom}", which made no session`,
        "no_session",
        "it was skipped or failed; let this step start on its own",
      );
    }
    const last = ctx._lineage?.sessionOf(step.name);
    const live = last !== undefined && (await runtime.hasSession(last));
    if (last !== undefined && !live) {
      const text = `step "${step.name}" starts anew: its session ${last} is not in the store`;
      runtime.emit(createEvent("task", { text, payload: { notice: "store" } }));
    }
    return { resume: live ? last : undefined, fork: false, continued: live };
  }
}

/** A limit of the run ends it here, whatever the step does when it fails. @returns false: nothing follows. */
function endAtLimit<C extends Ctx>(step: Step<C>, words: FailureWords, ctx: C): false {
  ctx._failedAt = step.name;
  ctx._aborted = words.error;
  ctx._hint = words.hint;
  return false;
}

/** Write what a step leaves to the context. @returns whether the next step may follow. */
function settle<C extends Ctx>(step: Step<C>, outcome: StepOutcome, ctx: C): boolean {
  const { result, passed } = outcome;
  const bag: Record<string, unknown> = ctx;
  if (passed) {
    bag[step.name] = step.options.reduce?.(result, ctx) ?? result.text;
    return true;
  }
  if (step.onFail === "continue") bag[step.name] = result.text;
  if (step.onFail !== "stop") return true;
  ctx._failedAt = step.name;
  return false;
}
