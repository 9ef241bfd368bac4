// The steps of a group at once: as many as may run at a time, each on its own view of the context.

import { wordsOf } from "../config/locale/words.ts";
import { WorkflowError } from "../core/errors.ts";
import { createEvent, labelStep } from "../events/event.ts";
import { byKey, type CtxOf } from "./context.ts";
import type { FinishedStep, FinishedSteps } from "./finished-steps.ts";
import { type RunParts, runPlace, type StepMemory } from "./run-place.ts";
import type { Step } from "./step.ts";
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
function recall<C extends object>(run: GroupRun<C>, step: Step<C>, left: FinishedStep | undefined): boolean {
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

function memoryOf<C extends object>(run: GroupRun<C>, step: Step<C>): StepMemory | undefined {
  const { ctx, finished } = run;
  if (finished === undefined) return undefined;
  return {
    recall: (prompt) => recall(run, step, finished.of(step.name, prompt)),
    keep: (prompt) => {
      const text = byKey(ctx)[step.name];
      if (typeof text !== "string") return;
      finished.note(step.name, prompt, { text, sessionId: ctx._sessions?.[step.name] ?? null });
    },
  };
}

async function runSide<C extends object>(run: GroupRun<C>, step: Step<C>): Promise<boolean> {
  const { ctx, parts, group, index } = run;
  const view = viewFor(ctx, (event) => parts.runtime.emit(labelStep(event, step.name)));
  const place = { step, index, group: group.name, memory: memoryOf(run, step) };
  const goesOn = await runPlace(place, view, parts);
  if (!goesOn && ctx._failedAt === undefined) {
    // The first that ends the workflow says why.
    ctx._failedAt = step.name;
    if (view._aborted !== undefined) ctx._aborted = view._aborted;
    if (view._hint !== undefined) ctx._hint = view._hint;
    if (view._failure !== undefined) ctx._failure = view._failure;
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
      values: {
        what: wordsOf("said.workflow.twice", { name: twice.name }),
        next: wordsOf("said.workflow.twice_next"),
      },
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
