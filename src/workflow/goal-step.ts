// The goal step: an independent judge turns the brief into a statement and a checklist, frozen before work begins.

import { createOptionReader } from "../agents/option-reader.ts";
import { judge } from "../agents/roles/judge.ts";
import { readProcessEnv } from "../config/process-env.ts";
import { rejectUnknownKeys } from "../core/options.ts";
import { Goal } from "../documents/goal.ts";
import { parseCheck } from "../documents/parse-check.ts";
import { createEvent } from "../events/event.ts";
import type { HumanChannel } from "../people/human-channel.ts";
import { keepRaw, readDocument } from "./clarify-step.ts";
import { type Ctx, GOAL_KEY } from "./context.ts";
import { freeze } from "./frozen/freeze.ts";
import { hostFacts } from "./host-facts.ts";
import { ROLE_KEYS, type RoleOptions, roleOptions } from "./role-spec.ts";
import { forContext, type OnFail, Step } from "./step.ts";

/** Options of {@link goalStep}. */
export interface GoalStepOptions extends RoleOptions {
  /** Where the goal is frozen. */
  readonly goalPath: string;
  /** Key of the context that holds the brief's text. @defaultValue "clarify" */
  readonly briefKey?: string | undefined;
  /** Name of the step. @defaultValue "goal" */
  readonly name?: string | undefined;
  /** Set it anew although a complete goal is on disk. @defaultValue false */
  readonly alwaysSet?: boolean | undefined;
  /** What a failure does to the workflow. @defaultValue "stop" */
  readonly onFail?: OnFail | undefined;
  /** Further attempts after an incomplete goal. @defaultValue 0 */
  readonly retries?: number | undefined;
  /** Let the judge run commands while it looks around. @defaultValue false */
  readonly canRun?: boolean | undefined;
  /** Whether flower will run the checklist's commands itself before each verdict. @defaultValue true */
  readonly evidence?: boolean | undefined;
}

const KNOWN = [
  ...ROLE_KEYS,
  "goalPath",
  "briefKey",
  "name",
  "alwaysSet",
  "onFail",
  "retries",
  "canRun",
  "evidence",
];

/** Who runs commands, as a judge has to know it. */
export interface Hands {
  /** The judge itself may. */
  readonly canRun: boolean;
  /** flower runs those of the checklist before each verdict. */
  readonly evidence: boolean;
}

/** What a judge is told of the place it stands in. */
export function judgeSurroundings(folder: string, { canRun, evidence }: Hands): string {
  const hands = canRun ? "You may run commands." : "You cannot run commands.";
  const own = evidence
    ? "flower itself runs the commands of the checklist before each verdict."
    : "flower runs no command of the checklist.";
  return `Where you are:\n${hostFacts(folder, readProcessEnv())}\n- ${hands}\n- ${own}`;
}

function goalPrompt(ctx: Ctx, briefKey: string, hands: Hands): string {
  const brief = ctx[briefKey];
  const text = typeof brief === "string" && brief !== "" ? brief : "(no brief)";
  return `Set the goal for this brief.\n\n${text}\n\n${judgeSurroundings(ctx._runtime?.workspace ?? ".", hands)}`;
}

/** Say at once what cannot be verified: finding out after the work has cost a whole round. */
function announce(ctx: Ctx, goal: Goal, path: string): void {
  const { unverifiable } = goal;
  if (unverifiable.length === 0) return;
  const text =
    `${unverifiable.length} of ${goal.checks.length} checks cannot be verified here; ` +
    `the goal is frozen for this run: if that will not do, stop it and run again, with what you want instead or after ` +
    `editing ${path}: ${unverifiable.join("; ")}`;
  const payload = {
    notice: "unverifiable",
    unverifiable: [...unverifiable],
    total: goal.checks.length,
    path,
  };
  ctx._onEvent?.(createEvent("task", { text, payload }));
}

/** What flower will run itself is shown before it does so for the first time, and again where a person changed it. */
function announceCommands(ctx: Ctx, goal: Goal): void {
  const commands = goal.checks.flatMap((check) => parseCheck(check).command ?? []);
  if (commands.length === 0) return;
  const folder = ctx._runtime?.workspace ?? ".";
  const text =
    `before each verdict flower itself runs these commands of the goal, in ${folder} ` +
    `(evidence: false, or --evidence off, leaves them alone): ${commands.join("; ")}`;
  ctx._onEvent?.(createEvent("task", { text, payload: { notice: "commands", commands, folder } }));
}

function pour(ctx: Ctx, name: string, goal: Goal): void {
  ctx[GOAL_KEY] = goal;
  const bag: Record<string, unknown> = ctx;
  bag[name] = goal.toMarkdown();
}

/**
 * A step that sets the goal. Pours the Goal into `ctx._goal` and its Markdown into `ctx[name]`; with a complete goal
 * on disk it is skipped and pours that. Always sends the whole brief, also when its session goes on.
 * @example
 * ```ts
 * import { goalStep, HumanChannel } from "flower-agent";
 *
 * const goal = goalStep(new HumanChannel(), { goalPath: ".flower/notes/goal.md", briefKey: "clarify" });
 * ```
 */
export function goalStep<C extends object = Ctx>(channel: HumanChannel, options: GoalStepOptions): Step<C> {
  rejectUnknownKeys(options, KNOWN, "goalStep");
  const reader = createOptionReader("goalStep", options);
  const goalPath = reader.name("goalPath");
  const { briefKey = "clarify", name = "goal", alwaysSet = false, canRun = false } = options;
  const evidence = reader.flag("evidence", true);
  const spec = options.spec ?? judge("judge", channel, { ...roleOptions(options), canRun });
  const shown = (ctx: Ctx, goal: Goal) => {
    if (evidence) announceCommands(ctx, goal);
  };
  const paper = (ctx: Ctx) => ({
    path: goalPath,
    channel,
    pour: (goal: Goal) => {
      pour(ctx, name, goal);
      shown(ctx, goal);
    },
  });
  let missing: readonly string[] = [];
  const step = new Step(name, spec, (ctx) => goalPrompt(ctx, briefKey, { canRun, evidence }), {
    onFail: options.onFail ?? "stop",
    retries: options.retries ?? 0,
    when: (ctx) => {
      const goal = alwaysSet ? undefined : Goal.load(goalPath);
      if (goal?.complete() !== true) return true;
      pour(ctx, name, goal);
      if (ctx._frozen?.wasEdited(goalPath) === true) shown(ctx, goal);
      freeze(ctx, Goal, paper(ctx));
      return false;
    },
    gate: (result, ctx) => {
      const goal = readDocument(result, (text) => Goal.parse(text));
      missing = goal.missing();
      if (!goal.complete()) {
        keepRaw(goalPath, name, result.text);
        return false;
      }
      goal.write(goalPath);
      pour(ctx, name, goal);
      freeze(ctx, Goal, paper(ctx));
      announce(ctx, goal, goalPath);
      shown(ctx, goal);
      return true;
    },
    onReject: () =>
      `Your reply lacks: ${missing.join(", ")}. Reply again with exactly the two sections, none empty.`,
    reduce: (_result, ctx) => ctx[GOAL_KEY]?.toMarkdown() ?? "",
  });
  return forContext<C>(step);
}
