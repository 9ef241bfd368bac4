// The goal guard around a step: after every round an independent judge rules, and work goes back until it is right.

import { createOptionReader } from "../agents/option-reader.ts";
import { judge } from "../agents/roles/judge.ts";
import { chooseLanguage } from "../config/locale/choose-language.ts";
import { createTranslator } from "../config/locale/translator.ts";
import { readProcessEnv } from "../config/process-env.ts";
import { OptionError } from "../core/errors.ts";
import { rejectUnknownKeys } from "../core/options.ts";
import type { HumanChannel } from "../people/human-channel.ts";
import { judgeName } from "./attempt-name.ts";
import type { Ctx } from "./context.ts";
import { freezeGoalFile } from "./frozen/freeze.ts";
import { ROLE_KEYS, type RoleOptions, roleOptions } from "./role-spec.ts";
import { forContext, type Step } from "./step.ts";
import { afterRejection } from "./verdict/after-rejection.ts";
import type { GoalGuard } from "./verdict/goal-guard.ts";
import { judgeRound } from "./verdict/judge-round.ts";

/** Options of {@link withGoal}. */
export interface WithGoalOptions extends RoleOptions {
  /** Where the goal was frozen. */
  readonly goalPath: string;
  /** Rounds of work in all. @defaultValue 3: what is not right by then needs a person */
  readonly rounds?: number | undefined;
  /** Let the judge run commands; it could then also change what it judges. @defaultValue false */
  readonly canRun?: boolean | undefined;
  /**
   * Run the commands of the goal before each verdict, in the workspace and without credentials; a verdict that
   * contradicts what they show does not pass. @defaultValue true
   */
  readonly evidence?: boolean | undefined;
  /** Run them in a sandbox. @defaultValue false */
  readonly sandbox?: boolean | undefined;
  /** Prefix of the verdicts' names in the books. @defaultValue "<step>:verdict" */
  readonly name?: string | undefined;
}

const KNOWN = [...ROLE_KEYS, "goalPath", "rounds", "canRun", "evidence", "sandbox", "name"];

/**
 * A guard around a step, as {@link withGoal} sets it up.
 * @throws OptionError `unknown_option`; `bad_option` for rounds below 1, a switch that is no boolean, or a sandbox without evidence.
 */
export function createGuard<C extends object>(
  step: Step<C>,
  channel: HumanChannel,
  options: WithGoalOptions,
): GoalGuard {
  rejectUnknownKeys(options, KNOWN, "withGoal");
  const goalPath = createOptionReader("withGoal", options).name("goalPath");
  const { rounds = 3, canRun = false } = options;
  if (!Number.isInteger(rounds) || rounds < 1) {
    throw new OptionError(`withGoal: rounds must be a whole number, 1 or more, not ${rounds}`, {
      code: "bad_option",
      hint: "1 means one round of work and one verdict",
    });
  }
  const read = createOptionReader("withGoal", options);
  const evidence = read.flag("evidence", true);
  const sandbox = read.flag("sandbox", false);
  if (sandbox && !evidence) {
    throw new OptionError("withGoal: sandbox has no effect without evidence", {
      code: "bad_option",
      hint: "leave one of them out: the sandbox is for the commands that evidence runs",
    });
  }
  return {
    step: forContext<Ctx>(step),
    channel,
    spec: options.spec ?? judge("judge", channel, { ...roleOptions(options), canRun }),
    goalPath,
    canRun,
    evidence,
    sandbox,
    rounds,
    name: options.name ?? judgeName(step.name),
    say: createTranslator(chooseLanguage(readProcessEnv())),
    judged: new WeakMap(),
    settled: new WeakMap(),
    unanswered: new WeakSet(),
  };
}

/**
 * A copy of a step whose result is judged after every round: achieved lets it pass, not yet and unclear send the same
 * session back with what is missing, cannot-verify asks the person. Every other field of the step is kept.
 * @throws OptionError `unknown_option`; `bad_option` for rounds below 1, a switch that is no boolean, or a sandbox without evidence.
 * @example
 * ```ts
 * import { AgentSpec, HumanChannel, Step, withGoal } from "flower-agent";
 *
 * const coder = new AgentSpec({ name: "coder", instructions: "You code.", allowedTools: ["Read", "Write", "Bash"] });
 * const work = new Step("work", coder, "Reach the goal in goal.md.");
 * const guarded = withGoal(work, new HumanChannel(), { goalPath: "goal.md", rounds: 2 });
 * ```
 */
export function withGoal<C extends object = Ctx>(
  step: Step<C>,
  channel: HumanChannel,
  options: WithGoalOptions,
): Step<C> {
  return guardStep<C>(createGuard(step, channel, options));
}

/** The step of a guard, guarded. */
export function guardStep<C extends object = Ctx>(guard: GoalGuard): Step<C> {
  const { step, goalPath, channel, rounds } = guard;
  const guarded = step.with({
    when: (ctx) => {
      freezeGoalFile(ctx, goalPath, channel);
      return step.options.when?.(ctx) ?? true;
    },
    retries: rounds - 1,
    gate: (result, ctx) => judgeRound(ctx, guard, result.lastText || result.text),
    onReject: (_result, ctx) => afterRejection(ctx, guard),
  });
  return forContext<C>(guarded);
}
