// The goal guard around a step: after every round an independent judge rules, and work goes back until it is right.

import type { AgentSpec } from "../agents/agent-spec.ts";
import { wantsIsolation } from "../agents/isolation.ts";
import { judge } from "../agents/roles/judge.ts";
import { chooseLanguage } from "../config/locale/choose-language.ts";
import { createTranslator, type Translator } from "../config/locale/translator.ts";
import { readProcessEnv } from "../config/process-env.ts";
import { OptionError } from "../core/errors.ts";
import { rejectUnknownKeys } from "../core/options.ts";
import { Goal } from "../documents/goal.ts";
import { Verdict } from "../documents/verdict.ts";
import { createEvent } from "../events/event.ts";
import type { HumanChannel } from "../people/human-channel.ts";
import { createGit } from "../runtime/git.ts";
import { describeWorktrees, listWorktrees } from "../runtime/isolation.ts";
import type { Runtime } from "../runtime/runtime.ts";
import type { StepResult } from "../runtime/step-result.ts";
import { keepRaw } from "./clarify-step.ts";
import { type Ctx, GOAL_KEY, ROUND_KEY, VERDICT_KEY } from "./context.ts";
import { judgeSurroundings } from "./goal-step.ts";
import { forgetProgress, watchProgress } from "./progress.ts";
import { ROLE_KEYS, type RoleOptions, roleOptions } from "./role-spec.ts";
import { type Step, StepAbort } from "./step.ts";

/** Options of {@link withGoal}. */
export interface WithGoalOptions extends RoleOptions {
  /** Where the goal was frozen. */
  readonly goalPath: string;
  /** Rounds of work in all. @defaultValue 3: what is not right by then needs a person */
  readonly rounds?: number;
  /** Let the judge run commands; it could then also change what it judges. @defaultValue false */
  readonly canRun?: boolean;
  /** Prefix of the verdicts' names in the books. @defaultValue "<step>:verdict" */
  readonly name?: string;
}

const KNOWN = [...ROLE_KEYS, "goalPath", "rounds", "canRun", "name"];

/** Reason put on a verdict that could not be read: unclear is never achieved. */
const UNCLEAR =
  "The verdict could not be read. Show for every check what proves it: command, exit code, output, path.";

interface Guard {
  readonly channel: HumanChannel;
  readonly spec: AgentSpec;
  readonly goalPath: string;
  readonly canRun: boolean;
  readonly rounds: number;
  readonly name: string;
  readonly say: Translator;
}

function goalOf(ctx: Ctx, goalPath: string): Goal {
  const known = ctx[GOAL_KEY];
  if (known?.complete() === true) return known;
  return Goal.load(goalPath) ?? new Goal({});
}

async function worktreesFor(runtime: Runtime, step: Step): Promise<string> {
  if (!Object.values(step.spec.agents ?? {}).some(wantsIsolation)) return "";
  const env = readProcessEnv();
  const list = await listWorktrees(createGit(runtime.workspace, env), (path) => createGit(path, env));
  if (list.length === 0) return "";
  return `\n\nWorkers worked in worktrees of their own; nothing is merged. Judge what is there, not the checkout:\n${describeWorktrees(list)}`;
}

async function verdictPrompt(
  ctx: Ctx,
  guard: Guard,
  parts: { goal: Goal; report: string; worktrees: string },
) {
  return [
    `Rule on this round (round ${ctx[ROUND_KEY]} of ${guard.rounds}).`,
    parts.goal.promptBlock(),
    `What the workers' coordinator reports (a claim, not evidence):\n${parts.report || "(nothing)"}${parts.worktrees}`,
    judgeSurroundings(ctx, guard.canRun),
  ].join("\n\n");
}

/**
 * The last message counts; the prose before it only where that does not end the work: a judge that drafts "achieved",
 * looks once more and takes it back in plain words has not ruled so.
 */
function readVerdict(result: StepResult): Verdict {
  const last = Verdict.parse(result.lastText);
  if (last.ok) return last;
  const whole = Verdict.parse(result.text);
  return whole.achieved ? last : whole;
}

function announce(ctx: Ctx, guard: Guard, verdict: Verdict): void {
  const state = verdict.ok ? verdict.state : "unclear";
  const payload = {
    notice: "verdict",
    state,
    round: ctx[ROUND_KEY] ?? 0,
    rounds: guard.rounds,
    failed: [...verdict.failed],
  };
  ctx._onEvent?.(createEvent("task", { text: verdict.reason, payload }));
}

/** Run the judge in a fresh session. A judge that failed technically has not ruled: no round of work is burnt on it. */
async function rule(ctx: Ctx, guard: Guard, work: { step: Step; result: StepResult }): Promise<Verdict> {
  const runtime = ctx._runtime;
  if (runtime === undefined)
    throw new StepAbort("there is no Runtime to judge with", "run the step in a Workflow");
  const goal = goalOf(ctx, guard.goalPath);
  const worktrees = await worktreesFor(runtime, work.step);
  const report = work.result.lastText || work.result.text;
  const prompt = await verdictPrompt(ctx, guard, { goal, report, worktrees });
  const ruling = await runtime.run(guard.spec, prompt, {
    stepName: `${guard.name}#${ctx[ROUND_KEY]}`,
    ...(ctx._signal === undefined ? {} : { signal: ctx._signal }),
  });
  if (!ruling.ok)
    throw new StepAbort(`the judge could not rule: ${ruling.error ?? "it failed"}`, ruling.hint);
  const verdict = readVerdict(ruling);
  if (!verdict.ok) keepRaw(guard.goalPath, "verdict", ruling.text);
  return verdict;
}

/** The goal cannot be verified here: the person decides, and with nobody there the step ends instead of spinning. */
async function askPerson(ctx: Ctx, guard: Guard, verdict: Verdict): Promise<boolean> {
  const { channel, say } = guard;
  const accept = say("verdict.option.accept");
  const change = say("verdict.option.change");
  const question = `${say("verdict.ask")}\n${verdict.reason}`.trim();
  const ask = await channel.ask(question, [accept, change, say("verdict.option.wrong")], {
    signal: ctx._signal,
  });
  if (ask.state !== "answered") {
    throw new StepAbort(
      `the goal cannot be verified here, and nobody answered: ${verdict.reason}`,
      `edit ${guard.goalPath}, or wake it with a sentence that says how to verify it`,
    );
  }
  if (ask.answer === accept) return true;
  if (ask.answer === change) return changeGoal(ctx, guard);
  ctx[VERDICT_KEY] = new Verdict({ state: "not_yet", reason: ask.answer ?? "", failed: verdict.failed });
  forgetProgress(ctx, guard.name);
  return false;
}

async function changeGoal(ctx: Ctx, guard: Guard): Promise<boolean> {
  const ask = await guard.channel.ask(guard.say("verdict.ask_change"), [], { signal: ctx._signal });
  if (ask.state !== "answered" || (ask.answer ?? "").trim() === "") {
    throw new StepAbort("the goal was to be changed, and nobody said into what", `edit ${guard.goalPath}`);
  }
  const goal = goalOf(ctx, guard.goalPath).amend(ask.answer ?? "");
  goal.write(guard.goalPath);
  ctx[GOAL_KEY] = goal;
  forgetProgress(ctx, guard.name);
  ctx[VERDICT_KEY] = new Verdict({
    state: "not_yet",
    reason: `The goal was changed: ${ask.answer}`,
    failed: [],
  });
  return false;
}

async function judgeRound(
  ctx: Ctx,
  guard: Guard,
  work: { step: Step; result: StepResult },
): Promise<boolean> {
  ctx[ROUND_KEY] = (ctx[ROUND_KEY] ?? 0) + 1;
  const ruled = await rule(ctx, guard, work);
  const verdict = ruled.ok ? ruled : new Verdict({ state: "", reason: UNCLEAR, failed: ruled.failed });
  ctx[VERDICT_KEY] = verdict;
  announce(ctx, guard, verdict);
  if (verdict.achieved) return true;
  if (verdict.unreachable) return askPerson(ctx, guard, verdict);
  return false;
}

/** What the work is told; a round that changed nothing is not followed by another one unless a person says so. */
async function afterRejection(ctx: Ctx, guard: Guard, step: Step): Promise<string> {
  const feedback = ctx[VERDICT_KEY]?.feedback() ?? "";
  const { channel, say, name, rounds } = guard;
  const words = await watchProgress({
    ctx,
    name,
    channel,
    say,
    rounds,
    isIsolated: Object.values(step.spec.agents ?? {}).some(wantsIsolation),
    checks: goalOf(ctx, guard.goalPath).checks,
  });
  return [feedback, words].filter((part) => part !== "").join("\n\n");
}

/**
 * A copy of a step whose result is judged after every round: achieved lets it pass, not yet and unclear send the same
 * session back with what is missing, cannot-verify asks the person. Every other field of the step is kept.
 * @throws OptionError `bad_option` for rounds below 1.
 */
export function withGoal(step: Step, channel: HumanChannel, options: WithGoalOptions): Step {
  rejectUnknownKeys(options, KNOWN, "withGoal");
  const { goalPath, rounds = 3, canRun = false } = options;
  if (!Number.isInteger(rounds) || rounds < 1) {
    throw new OptionError(`withGoal: rounds must be a whole number, 1 or more, not ${rounds}`, {
      code: "bad_option",
      hint: "1 means one round of work and one verdict",
    });
  }
  const guard: Guard = {
    channel,
    spec: options.spec ?? judge("judge", channel, { ...roleOptions(options), canRun }),
    goalPath,
    canRun,
    rounds,
    name: options.name ?? `${step.name}:verdict`,
    say: createTranslator(chooseLanguage(readProcessEnv())),
  };
  return step.with({
    retries: rounds - 1,
    gate: (result, ctx) => judgeRound(ctx, guard, { step, result }),
    onReject: (_result, ctx) => afterRejection(ctx, guard, step),
  });
}
