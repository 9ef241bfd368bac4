// One step of a workflow: its attempts, its gate, and what of it reaches the context.

import { failureOf } from "../config/locale/words.ts";
import type { EventListener } from "../events/event.ts";
import type { Runtime } from "../runtime/runtime.ts";
import type { StepResult } from "../runtime/step-result.ts";
import { retryName, roundName } from "./attempt-name.ts";
import type { CtxOf } from "./context.ts";
import type { RunBudget } from "./run-budget.ts";
import { renderPrompt, type Step, StepAbort } from "./step.ts";

/** What a step is run with. */
export interface StepRun<C extends object> {
  readonly step: Step<C>;
  readonly ctx: CtxOf<C>;
  readonly runtime: Runtime;
  /** Session to go on with: an earlier step's, or this step's of an earlier process. */
  readonly resume: string | undefined;
  readonly fork: boolean;
  /** True when the session comes from an earlier process: then `resumePrompt` counts. */
  readonly continued: boolean;
  /** What `prompt` says for this context, where that has been asked already. */
  readonly prompt?: string | undefined;
  readonly onEvent: EventListener | undefined;
  readonly signal: AbortSignal | undefined;
  readonly budget: RunBudget;
}

/** How a step ended. */
export interface StepOutcome {
  readonly result: StepResult;
  readonly passed: boolean;
}

interface Attempt {
  readonly label: string;
  readonly prompt: string;
  readonly resume: string | undefined;
  readonly fork: boolean;
}

function firstAttempt<C extends object>(run: StepRun<C>): Attempt {
  const { step, ctx } = run;
  const begin = run.prompt ?? step.prompt;
  const prompt = run.continued ? (step.options.resumePrompt ?? begin) : begin;
  return { label: step.name, prompt: renderPrompt(prompt, ctx), resume: run.resume, fork: run.fork };
}

/** The attempt after a rejection: the rejected session with what is missing, or from the start. */
async function nextAttempt<C extends object>(
  run: StepRun<C>,
  index: number,
  rejected: StepResult,
): Promise<Attempt> {
  const { step, ctx } = run;
  const { onReject } = step.options;
  const words = onReject === undefined ? "" : await onReject(rejected, ctx);
  const label = onReject === undefined ? retryName(step.name, index) : roundName(step.name, index + 1);
  if (words !== "" && rejected.sessionId !== null) {
    return { label, prompt: words, resume: rejected.sessionId, fork: false };
  }
  // Starting over means the declared start, not the session of an earlier process that led here.
  const resume = run.continued ? undefined : run.resume;
  return { label, prompt: renderPrompt(step.prompt, ctx), resume, fork: run.fork && resume !== undefined };
}

async function runAttempt<C extends object>(run: StepRun<C>, attempt: Attempt): Promise<StepResult> {
  const { step, ctx, runtime, onEvent, signal } = run;
  const result = await runtime.run(step.spec, attempt.prompt, {
    stepName: attempt.label,
    ...(attempt.resume === undefined ? {} : { resume: attempt.resume, fork: attempt.fork }),
    ...(onEvent === undefined ? {} : { onEvent }),
    ...(signal === undefined ? {} : { signal }),
    onStored: (id) => ctx._lineage?.remember(step.name, id),
  });
  ctx._results = Object.assign(ctx._results ?? Object.create(null), { [step.name]: result });
  if (result.sessionId !== null) {
    ctx._sessions = Object.assign(ctx._sessions ?? Object.create(null), { [step.name]: result.sessionId });
  }
  return result;
}

/** Let the step's own function decide; when it gives up, the context says why. */
export async function orAbort<C extends object, T>(
  run: Pick<StepRun<C>, "ctx" | "signal">,
  decide: () => T | Promise<T>,
): Promise<T | "abort"> {
  try {
    return await decide();
  } catch (error) {
    if (run.signal?.aborted === true && error === run.signal.reason) {
      const { error: why, failure } = failureOf("stopped_on_request");
      Object.assign(run.ctx, { _aborted: why, _failure: failure });
      return "abort";
    }
    if (!(error instanceof StepAbort)) throw error;
    run.ctx._aborted = error.message;
    run.ctx._hint = error.hint;
    run.ctx._failure = { code: error.code, values: error.values };
    return "abort";
  }
}

/**
 * Run a step until its gate is content, its attempts are used up, or it failed for another reason than its gate:
 * that the network or the harness failed was dealt with inside the attempt, and starting over would lose the session.
 */
export async function runWorkflowStep<C extends object>(run: StepRun<C>): Promise<StepOutcome> {
  const { step, signal } = run;
  let attempt = firstAttempt(run);
  for (let index = 0; ; index += 1) {
    const result = await runAttempt(run, attempt);
    if (!result.ok) return { result, passed: false };
    const { gate } = step.options;
    const verdict = gate === undefined || (await orAbort(run, () => gate(result, run.ctx)));
    if (verdict === true) return { result, passed: true };
    if (verdict === "abort" || index >= step.retries || signal?.aborted) return { result, passed: false };
    if (run.budget.isLastRound !== undefined) return { result, passed: false };
    const next = await orAbort(run, () => nextAttempt(run, index + 1, result));
    if (next === "abort") return { result, passed: false };
    attempt = next;
  }
}
