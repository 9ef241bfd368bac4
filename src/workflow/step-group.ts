// Steps that run side by side, as declared. Running them is run-group.ts.

import { wordsOf } from "../config/locale/words.ts";
import { OptionError, WorkflowError } from "../core/errors.ts";
import { rejectUnknownKeys } from "../core/options.ts";
import { type Ctx, type CtxOf, isPrivateKey } from "./context.ts";
import { ON_FAIL, type OnFail, Step } from "./step.ts";

/** A harness takes some 250 MB; four fit into any machine that can do the work of one. */
const CONCURRENCY = 4;

/** Options of {@link parallel} and {@link map}. */
export interface GroupOptions {
  /** Key of the context under which what the steps wrote stands, in their order. @defaultValue "parallel" or "map" */
  readonly name?: string | undefined;
  /** Steps that run at a time. @defaultValue 4 */
  readonly concurrency?: number | undefined;
  /**
   * For steps that name none of their own. `stop`: no further one begins, those that run come to their end, then the
   * workflow ends; `skip` and `continue`: the others and the workflow go on. @defaultValue "stop"
   */
  readonly onFail?: OnFail | undefined;
}

const KNOWN = ["name", "concurrency", "onFail"] satisfies (keyof GroupOptions)[];

function bad(message: string, hint: string): OptionError {
  return new OptionError(message, { code: "bad_option", hint });
}

function resolveOptions(options: GroupOptions, owner: "parallel" | "map") {
  rejectUnknownKeys(options, KNOWN, owner);
  const { name = owner, concurrency = CONCURRENCY, onFail = "stop" } = options;
  if (typeof name !== "string" || name.trim() === "" || isPrivateKey(name)) {
    throw bad(`${owner}: a group cannot be called "${name}"`, "give it a name no key of flower's own has");
  }
  if (!Number.isInteger(concurrency) || concurrency < 1) {
    throw bad(
      `${owner}: concurrency must be a whole number, 1 or more, not ${concurrency}`,
      "1 is one by one",
    );
  }
  if (!ON_FAIL.includes(onFail)) {
    throw bad(`${owner}: onFail cannot be "${onFail}"`, `one of ${ON_FAIL.join(", ")}`);
  }
  return { name, concurrency, onFail };
}

/** Steps that know nothing of each other: no two share a name or, without a copy of it, a session. */
function checkSides<C extends object>(steps: readonly Step<C>[], owner: string): void {
  const names = new Set<string>();
  const sessions = new Set<string>();
  for (const step of steps) {
    if (!(step instanceof Step)) throw bad(`${owner} takes steps`, "new Step(name, spec, prompt)");
    if (names.has(step.name)) {
      throw new WorkflowError(`${owner}: two steps are called "${step.name}"`, {
        code: "duplicate_step",
        values: {
          what: wordsOf("said.workflow.twice", { name: step.name }),
          next: wordsOf("said.workflow.twice_next"),
        },
        hint: "give each step a name of its own: it is what a later run finds its session by",
      });
    }
    names.add(step.name);
    const { resumeFrom, fork = false } = step.options;
    if (resumeFrom === undefined || fork) continue;
    if (sessions.has(resumeFrom)) {
      throw new WorkflowError(`${owner}: two steps go on in the session of "${resumeFrom}" at once`, {
        code: "bad_resume_from",
        values: {
          what: wordsOf("said.workflow.one_session", { from: resumeFrom }),
          next: wordsOf("said.workflow.one_session_next"),
        },
        hint: "let each have a copy of it: fork: true",
      });
    }
    sessions.add(resumeFrom);
  }
}

/** A place in a workflow where several steps run at once. Made by {@link parallel} and {@link map}. */
export class StepGroup<C extends object = Ctx> {
  /** What its results stand under. */
  readonly name: string;
  /** Steps that run at once. */
  readonly concurrency: number;
  /** What a failure does to the workflow. */
  readonly onFail: OnFail;
  /** The steps when they are known before the run; undefined when the context decides. */
  readonly steps: readonly Step<C>[] | undefined;
  readonly #make: (ctx: CtxOf<C>) => readonly Step<C>[];

  /** @throws OptionError `bad_option`; WorkflowError `duplicate_step`, `bad_resume_from`. */
  constructor(
    steps: readonly Step<C>[] | ((ctx: CtxOf<C>) => readonly Step<C>[]),
    options: GroupOptions,
    owner: "parallel" | "map",
  ) {
    const { name, concurrency, onFail } = resolveOptions(options, owner);
    this.name = name;
    this.concurrency = concurrency;
    this.onFail = onFail;
    const prepare = (list: readonly Step<C>[]) => {
      checkSides(list, owner);
      return list.map((step) => (step.options.onFail === undefined ? step.with({ onFail }) : step));
    };
    const known = typeof steps === "function" ? undefined : prepare(steps);
    this.steps = known;
    this.#make = typeof steps === "function" ? (ctx) => prepare(steps(ctx)) : () => known ?? [];
  }

  /** The steps for this context. @throws as the constructor, where the context decides. */
  stepsFor(ctx: CtxOf<C>): readonly Step<C>[] {
    return this.#make(ctx);
  }
}

/**
 * Independent steps at once, as one step of a workflow: each with a session of its own, all under the run's one budget.
 * After a kill, those that had come to their end are not run again.
 * @param steps - steps with names of their own
 * @throws OptionError `bad_option`; WorkflowError `no_steps`, `duplicate_step`, `bad_resume_from`.
 * @example
 * ```ts
 * import { AgentSpec, parallel, Step, Workflow } from "flower-agent";
 *
 * const reader = new AgentSpec({ name: "reader", instructions: "Report in three lines." });
 * const workflow = new Workflow([
 *   parallel([new Step("code", reader, "Review src/."), new Step("tests", reader, "Review test/.")], { name: "review" }),
 *   new Step("sum", reader, (ctx) => `Put together:\n\n${ctx.code}\n\n${ctx.tests}`),
 * ]);
 * ```
 */
export function parallel<C extends object = Ctx>(
  steps: readonly Step<C>[],
  options: GroupOptions = {},
): StepGroup<C> {
  if (!Array.isArray(steps) || steps.length === 0) {
    throw new WorkflowError("parallel needs at least one step", {
      code: "no_steps",
      values: { what: wordsOf("said.workflow.parallel_empty"), next: wordsOf("said.workflow.parallel_next") },
      hint: "parallel([new Step(…), new Step(…)])",
    });
  }
  return new StepGroup(steps, options, "parallel");
}

/**
 * One step for each item, at once. Give the step a name made from the item rather than from its place: a later run
 * finds its session, and that it is finished, by that name.
 * @param items - the items, or a function that reads them from the context when the workflow comes to this place.
 * @param step - makes the step of an item.
 * @throws OptionError `bad_option`; WorkflowError `duplicate_step`, `bad_resume_from`, for items of the context at run time.
 */
export function map<T, C extends object = Ctx>(
  items: readonly T[] | ((ctx: CtxOf<C>) => readonly T[]),
  step: (item: T, index: number) => Step<C>,
  options: GroupOptions = {},
): StepGroup<C> {
  if (typeof step !== "function")
    throw bad("map takes a function that makes a step", "map(items, (item) => new Step(…))");
  if (typeof items !== "function" && !Array.isArray(items)) {
    throw bad("map takes a list of items", "map([…], (item) => new Step(…)), or a function of the context");
  }
  const make = (list: readonly T[]) => list.map((item, index) => step(item, index));
  return new StepGroup(
    typeof items === "function" ? (ctx: CtxOf<C>) => make(items(ctx)) : make(items),
    options,
    "map",
  );
}
