// The steps of a group at once: as many as may run at a time, each on its own view of the context.

import { WorkflowError } from "../core/errors.ts";
import { createEvent, labelStep } from "../events/event.ts";
import { byKey, type CtxOf } from "./context.ts";
import type { FinishedSteps } from "./finished-steps.ts";
import { type RunParts, runPlace } from "./run-place.ts";
import { renderPrompt, type Step } from "./step.ts";
import type { StepGroup } from "./step-group.ts";
import { viewFor } from "./step-view.ts";

interface GroupRun<C extends object> {
  readonly group: StepGroup<C>;
  readonly index: number;
  readonly ctx: CtxOf<C>;
  readonly parts: RunParts<C>;
  /** Undefined where nothing is remembered across processes. */
  readonly finished: FinishedSteps | undefined;
  /** Names the workflow declares. */
  readonly taken: ReadonlySet<string>;
}

/** Take what an earlier process has paid for. @returns whether there was any. */
function recall<C extends object>(run: GroupRun<C>, step: Step<C>, prompt: string): boolean {
  const left = run.finished?.of(step.name, prompt);
  if (left === undefined) return false;
  const { ctx } = run;
  const bag = byKey(ctx);
  bag[step.name] = left.text;
  if (left.sessionId !== null) {
    ctx._sessions = Object.assign(ctx._sessions ?? Object.create(null), { [step.name]: left.sessionId });
  }
  const payload = { notice: "skipped", step: step.name, finished: true };
  run.parts.runtime.emit(createEvent("task", { text: step.name, payload }));
  return true;
}

async function runSide<C extends object>(run: GroupRun<C>, step: Step<C>): Promise<boolean> {
  const { ctx, parts, group, index } = run;
  const prompt = renderPrompt(step.prompt, ctx);
  if (recall(run, step, prompt)) return true;
  const view = viewFor(ctx, (event) => parts.runtime.emit(labelStep(event, step.name)));
  const { passed, goesOn } = await runPlace({ step, index, group: group.name }, view, parts);
  const written = byKey(ctx)[step.name];
  if (passed && typeof written === "string") {
    run.finished?.note(step.name, prompt, {
      text: written,
      sessionId: ctx._sessions?.[step.name] ?? null,
    });
  }
  if (!goesOn && ctx._failedAt === undefined) {
    // The first that ends the workflow says why.
    ctx._failedAt = step.name;
    if (view._aborted !== undefined) ctx._aborted = view._aborted;
    if (view._hint !== undefined) ctx._hint = view._hint;
  }
  return goesOn;
}

/**
 * Run a group. What one throws is thrown once the others have come to their end: nothing that was paid for is lost.
 * @returns whether the workflow goes on.
 */
export async function runGroup<C extends object>(run: GroupRun<C>): Promise<boolean> {
  const { group, ctx, parts } = run;
  const steps = group.stepsFor(ctx);
  const twice = group.steps === undefined ? steps.find(({ name }) => run.taken.has(name)) : undefined;
  if (twice !== undefined) {
    throw new WorkflowError(`two steps are called "${twice.name}"`, {
      code: "duplicate_step",
      hint: `another step of the workflow has the name of one that "${group.name}" makes`,
    });
  }
  const waiting = [...steps];
  let goesOn = true;
  const takeTurns = async () => {
    for (let step = waiting.shift(); step !== undefined; step = waiting.shift()) {
      try {
        if (!(await runSide(run, step))) goesOn = false;
      } catch (error) {
        goesOn = false;
        throw error;
      } finally {
        if (!goesOn || parts.signal?.aborted === true) waiting.length = 0;
      }
    }
  };
  const sides = Array.from({ length: Math.min(group.concurrency, steps.length) }, takeTurns);
  const ends = await Promise.allSettled(sides);
  const bag = byKey(ctx);
  bag[group.name] = steps.map((step) => bag[step.name]);
  for (const end of ends) if (end.status === "rejected") throw end.reason;
  return goesOn && parts.signal?.aborted !== true;
}
