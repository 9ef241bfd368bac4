// One step at its place in a workflow: skipped, begun where it left off, run, and what it leaves written down.

import { wordsOf } from "../config/locale/words.ts";
import { WorkflowError } from "../core/errors.ts";
import { tellQuietly } from "../core/tell-quietly.ts";
import { createEvent } from "../events/event.ts";
import type { FailureWords } from "../runtime/failure.ts";
import { createNotice } from "../runtime/notice.ts";
import type { Runtime } from "../runtime/runtime.ts";
import type { StepResult } from "../runtime/step-result.ts";
import { byKey, type CtxOf } from "./context.ts";
import type { RunBudget } from "./run-budget.ts";
import { orAbort, runWorkflowStep, type StepOutcome } from "./run-workflow-step.ts";
import { renderPrompt, type Step } from "./step.ts";

/** What all places of a run share. */
export interface RunParts<C extends object> {
  readonly runtime: Runtime;
  readonly budget: RunBudget;
  /** Places of the workflow. */
  readonly total: number;
  readonly signal: AbortSignal | undefined;
  readonly onStep: ((step: Step<C>, result: StepResult) => void) | undefined;
}

/** What is remembered of a step across processes. By its prompt: with another one it is other work. */
export interface StepMemory {
  /** Take what an earlier process has paid for. @returns whether there was any. */
  readonly recall: (prompt: string) => boolean;
  /** The step has passed. */
  readonly keep: (prompt: string) => void;
}

/** A step and where it stands. */
export interface Place<C extends object> {
  readonly step: Step<C>;
  /** From 0. */
  readonly index: number;
  /** Name of the group it runs in. */
  readonly group?: string;
  /** Undefined where nothing is remembered. */
  readonly memory?: StepMemory | undefined;
}

/** A limit of the run ends it here, whatever the step does when it fails. @returns false: nothing follows. */
function endAtLimit<C extends object>(step: Step<C>, words: FailureWords, ctx: CtxOf<C>): false {
  ctx._failedAt = step.name;
  ctx._aborted = words.error;
  ctx._hint = words.hint;
  ctx._failure = words.failure;
  return false;
}

/** Write what a step leaves to the context. @returns whether the next step may follow. */
function settle<C extends object>(step: Step<C>, outcome: StepOutcome, ctx: CtxOf<C>): boolean {
  const { result, passed } = outcome;
  const bag = byKey(ctx);
  if (passed) {
    bag[step.name] = step.options.reduce?.(result, ctx) ?? result.text;
    return true;
  }
  if (step.onFail === "continue") bag[step.name] = result.text;
  return endUnpassed(step, ctx);
}

/** The step did not pass. @returns whether the next step may follow. */
function endUnpassed<C extends object>(step: Step<C>, ctx: CtxOf<C>): boolean {
  if (step.onFail !== "stop") return true;
  ctx._failedAt = step.name;
  return false;
}

/** Whether a step is to run at all; its own function may also give up. */
async function wants<C extends object>(
  step: Step<C>,
  ctx: CtxOf<C>,
  signal: AbortSignal | undefined,
): Promise<boolean | "abort"> {
  const { when } = step.options;
  return when === undefined || orAbort({ ctx, signal }, () => when(ctx));
}

async function startOf<C extends object>(
  runtime: Runtime,
  step: Step<C>,
  ctx: CtxOf<C>,
): Promise<{ resume: string | undefined; fork: boolean; continued: boolean }> {
  const { resumeFrom, fork = false } = step.options;
  if (resumeFrom !== undefined) {
    const resume = ctx._sessions?.[resumeFrom];
    if (resume !== undefined) return { resume, fork, continued: false };
    throw new WorkflowError(`step "${step.name}" resumes from "${resumeFrom}", which made no session`, {
      code: "no_session",
      values: { step: step.name, from: resumeFrom },
      hint: "it was skipped or failed; let this step start on its own",
    });
  }
  const last = ctx._lineage?.sessionOf(step.name);
  const live = last !== undefined && (await runtime.hasSession(last));
  if (last !== undefined && !live) {
    const words = wordsOf("notice.step_anew", { step: step.name, session: last });
    runtime.emit(createNotice("store", words));
  }
  return { resume: live ? last : undefined, fork: false, continued: live };
}

/** Run a step at its place. @returns whether the next step may follow. */
export async function runPlace<C extends object>(
  place: Place<C>,
  ctx: CtxOf<C>,
  parts: RunParts<C>,
): Promise<boolean> {
  const { step, index, group, memory } = place;
  const { runtime, budget, signal } = parts;
  const wanted = await wants(step, ctx, signal);
  if (wanted === "abort") return endUnpassed(step, ctx);
  if (!wanted) {
    const payload = { notice: "skipped", step: step.name };
    runtime.emit(createEvent("task", { text: step.name, payload }));
    return true;
  }
  const prompt = memory === undefined ? undefined : renderPrompt(step.prompt, ctx);
  if (prompt !== undefined && memory?.recall(prompt) === true) return true;
  if (budget.isLastRound !== undefined) return endAtLimit(step, budget.isLastRound, ctx);
  const from = await startOf(runtime, step, ctx);
  runtime.emit(
    createEvent("step", {
      text: step.name,
      payload: {
        index: index + 1,
        total: parts.total,
        resumed: from.resume !== undefined,
        woke: ctx._woke ?? 0,
        ...(group === undefined ? {} : { group }),
      },
    }),
  );
  const run = { step, ctx, runtime, ...from, prompt, onEvent: undefined, signal, budget };
  const outcome = await runWorkflowStep(run);
  const goesOn = settle(step, outcome, ctx);
  tellQuietly(() => parts.onStep?.(step, outcome.result), runtime.listenerErrors);
  const { passed } = outcome;
  if (passed && prompt !== undefined) memory?.keep(prompt);
  if (!passed && budget.isLastRound !== undefined) return endAtLimit(step, budget.isLastRound, ctx);
  return goesOn && signal?.aborted !== true;
}
