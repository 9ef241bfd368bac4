// Workflow: steps in order, how state passes between them, and when to leave early.

import { chooseLanguage } from "../config/locale/choose-language.ts";
import { createTranslator, type Translator } from "../config/locale/translator.ts";
import { inEnglish, wordsOf } from "../config/locale/words.ts";
import { readProcessEnv } from "../config/process-env.ts";
import { OptionError, WorkflowError } from "../core/errors.ts";
import { sweepLeftovers } from "../core/leftovers.ts";
import { type OptionKind, rejectUnknownKeys, requireKinds } from "../core/options.ts";
import type { Words } from "../core/words.ts";
import type { EventListener } from "../events/event.ts";
import type { HumanChannel } from "../people/human-channel.ts";
import { type Lease, leasePath, takeLease } from "../runtime/lease.ts";
import { createNotice } from "../runtime/notice.ts";
import type { Runtime } from "../runtime/runtime.ts";
import type { StepResult } from "../runtime/step-result.ts";
import type { Workbench } from "../workbench/workbench.ts";
import { BUDGET_KEYS, type BudgetOptions, resolveLimits } from "./budget-limits.ts";
import type { Ctx, CtxOf } from "./context.ts";
import { FinishedSteps } from "./finished-steps.ts";
import { openPapers } from "./frozen/open-papers.ts";
import { verdictFolder } from "./lapse/verdict-files.ts";
import { Lineage } from "./lineage.ts";
import { RunBudget } from "./run-budget.ts";
import { runGroup } from "./run-group.ts";
import { type RunParts, runPlace } from "./run-place.ts";
import { Step } from "./step.ts";
import { StepGroup } from "./step-group.ts";

/** Options of a workflow; its limits are what a run has when it names none of its own. */
export interface WorkflowOptions<C extends object = Ctx> extends BudgetOptions {
  /** What it is called in the banner. @defaultValue "workflow" */
  readonly name?: string | undefined;
  /** The one object the steps pass on; running twice meets the same keys. @defaultValue empty */
  readonly context?: C | undefined;
  /** Carries questions to a person; its events join the run's. */
  readonly channel?: HumanChannel | undefined;
  /** The workbench its steps write to; give the same one to the Runtime. */
  readonly workbench?: Workbench | undefined;
  /** Pick up each step's last session of an earlier process. @defaultValue true */
  readonly continuous?: boolean | undefined;
}

/** Options of one run of a workflow. */
export interface WorkflowRunOptions<C extends object = Ctx> extends BudgetOptions {
  /** Hears every event of the run. */
  readonly onEvent?: EventListener | undefined;
  /** Told after every step, failures included. What it throws is collected in `Runtime.listenerErrors`. */
  readonly onStep?: ((step: Step<C>, result: StepResult) => void) | undefined;
  /** Ends the run; what was done stays resumable. */
  readonly signal?: AbortSignal | undefined;
}

const KNOWN = ["name", "context", "channel", "workbench", "continuous"] satisfies (keyof WorkflowOptions)[];
const RUN_KINDS = { onEvent: "function", onStep: "function", signal: "signal" } as const satisfies {
  readonly [K in Exclude<keyof WorkflowRunOptions, keyof BudgetOptions>]: OptionKind;
};

function refuse(code: string, what: Words, next: Words): WorkflowError {
  return new WorkflowError(inEnglish(what), { code, hint: inEnglish(next), values: { what, next } });
}

/** A place of a workflow: a step, or several at once. */
export type WorkflowStep<C extends object = Ctx> = Step<C> | StepGroup<C>;

function checkPlace(place: WorkflowStep<never>, earlier: ReadonlySet<string>): readonly string[] {
  const inside = place instanceof StepGroup ? (place.steps ?? []) : [place];
  const names = place instanceof StepGroup ? [place.name, ...inside.map(({ name }) => name)] : [place.name];
  const twice = names.find((name, index) => earlier.has(name) || names.indexOf(name) !== index);
  if (twice !== undefined) {
    throw refuse(
      "duplicate_step",
      wordsOf("said.workflow.twice", { name: twice }),
      wordsOf("said.workflow.twice_next"),
    );
  }
  for (const step of inside) {
    const from = step.options.resumeFrom;
    if (from === undefined || earlier.has(from)) continue;
    throw refuse(
      "bad_resume_from",
      wordsOf("said.workflow.resume", { name: step.name, from }),
      wordsOf("said.workflow.resume_next"),
    );
  }
  return names;
}

/** @returns every name that is taken. */
function checkSteps(steps: readonly WorkflowStep<never>[]): ReadonlySet<string> {
  if (!Array.isArray(steps) || steps.length === 0) {
    throw refuse("no_steps", wordsOf("said.workflow.empty"), wordsOf("said.workflow.empty_next"));
  }
  if (!steps.every((place) => place instanceof Step || place instanceof StepGroup)) {
    throw new OptionError("Workflow: every place must be a Step, or made by parallel or map", {
      code: "bad_option",
      hint: "new Workflow([new Step(name, spec, prompt), …])",
    });
  }
  const earlier = new Set<string>();
  for (const place of steps) for (const name of checkPlace(place, earlier)) earlier.add(name);
  return earlier;
}

/** What writers that were killed left beside their files. */
function tidy(runtime: Runtime): void {
  sweepLeftovers(runtime.runDir);
  if (runtime.workbench !== undefined) sweepLeftovers(runtime.workbench.notes);
}

/**
 * An ordered set of steps.
 * @throws WorkflowError `no_steps`, `duplicate_step` or `bad_resume_from` before anything runs.
 * @example
 * ```ts
 * import { AgentSpec, Runtime, Step, Workflow } from "flower-agent";
 *
 * const terse = new AgentSpec({ name: "terse", instructions: "Answer in one line." });
 * const workflow = new Workflow([
 *   new Step("word", terse, "Name one word."),
 *   new Step("line", terse, (ctx) => `A line of verse with "${ctx.word}".`),
 * ]);
 *
 * await using runtime = new Runtime({ workspace: "." });
 * const ctx = await workflow.run(runtime, { budgetUsd: 1 });
 * console.log(ctx._failedAt ?? ctx.line);
 * ```
 */
export class Workflow<C extends object = Ctx> {
  /** Its places in order. */
  readonly steps: readonly WorkflowStep<C>[];
  readonly name: string;
  readonly context: C;
  readonly channel: HumanChannel | undefined;
  readonly workbench: Workbench | undefined;
  readonly continuous: boolean;
  /** Limits of a run that names none of its own. */
  readonly budget: BudgetOptions;

  readonly #names: ReadonlySet<string>;

  /** @param steps - places in order; names must differ */
  constructor(steps: readonly WorkflowStep<C>[], options: WorkflowOptions<C> = {}) {
    rejectUnknownKeys(options, [...KNOWN, ...BUDGET_KEYS], "Workflow");
    resolveLimits(options, "Workflow");
    this.#names = checkSteps(steps as readonly WorkflowStep<never>[]);
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
  async run(runtime: Runtime, options: WorkflowRunOptions<C> = {}): Promise<CtxOf<C>> {
    rejectUnknownKeys(options, [...Object.keys(RUN_KINDS), ...BUDGET_KEYS], "Workflow.run");
    requireKinds(options, RUN_KINDS, "Workflow.run");
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
    const lease = this.continuous ? takeLease(leasePath(runtime.runDir), runtime.runId) : undefined;
    tidy(runtime);
    const listening = options.onEvent === undefined ? () => {} : runtime.listen(options.onEvent);
    if (borrowed) channel.onEvent = (event) => runtime.emit(event);
    const say = createTranslator(chooseLanguage(readProcessEnv()));
    const budget = new RunBudget({ limits, channel, say, emit: (event) => runtime.emit(event) });
    const release = budget.isBounded ? runtime.brakeWith(budget) : () => {};
    try {
      return await this.#runSteps(runtime, options, { lease, budget, say });
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
    run: { readonly lease: Lease | undefined; readonly budget: RunBudget; readonly say: Translator },
  ): Promise<CtxOf<C>> {
    const ctx: CtxOf<C> = this.context;
    const { lease, budget, say } = run;
    const { channel, continuous: isAlone } = this;
    const lineage = this.#openLineage(runtime);
    const verdicts = verdictFolder(runtime.runDir, runtime.workbench?.notes);
    const { papers, close } = openPapers({ runtime, channel, lineage, say, isAlone, verdicts });
    ctx._runtime = runtime;
    ctx._onEvent = (event) => runtime.emit(event);
    ctx._woke = isAlone ? lineage.woke : 0;
    ctx._results ??= Object.create(null) as Record<string, StepResult>;
    ctx._sessions ??= Object.create(null) as Record<string, string>;
    ctx._frozen = papers;
    if (isAlone) {
      ctx._lineage = lineage;
      runtime.integration.takeUp();
    }
    if (options.signal !== undefined) ctx._signal = options.signal;
    delete ctx._failedAt;
    delete ctx._aborted;
    delete ctx._hint;
    delete ctx._failure;
    delete ctx._fingerprints;
    const finished = isAlone ? this.#openFinished(runtime) : undefined;
    const { signal, onStep } = options;
    const parts: RunParts<C> = { runtime, budget, total: this.steps.length, signal, onStep };
    try {
      if (isAlone) await papers.wake(signal);
      for (const [index, place] of this.steps.entries()) {
        lease?.setStep(place.name);
        const goesOn =
          place instanceof StepGroup
            ? await runGroup({ group: place, index, ctx, parts, finished, taken: this.#names })
            : await runPlace({ step: place, index }, ctx, parts);
        if (!goesOn) return ctx;
      }
    } finally {
      close();
    }
    finished?.clear();
    return ctx;
  }

  #openLineage(runtime: Runtime): Lineage {
    const onFault = (_text: string, words: Words) => runtime.emit(createNotice("store", words));
    const lineage = Lineage.open({ runDir: runtime.runDir, workspace: runtime.workspace, onFault });
    if (this.continuous && Object.keys(lineage.steps).length > 0) lineage.bump();
    return lineage;
  }

  #openFinished(runtime: Runtime): FinishedSteps | undefined {
    if (!this.steps.some((place) => place instanceof StepGroup)) return undefined;
    const { runDir, workspace } = runtime;
    const onFault = (words: Words) => runtime.emit(createNotice("store", words));
    return new FinishedSteps({ runDir, workspace, onFault });
  }
}
