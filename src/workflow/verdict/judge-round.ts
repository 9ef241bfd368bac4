// One round, judged: look where the work is, have it ruled on, and decide what the ruling means for the step.

import type { Verdict } from "../../documents/verdict.ts";
import { createEvent } from "../../events/event.ts";
import type { StepResult } from "../../runtime/step-result.ts";
import { type Ctx, ROUND_KEY, VERDICT_KEY } from "../context.ts";
import { recordRuling } from "../lapse/record-verdict.ts";
import { StepAbort } from "../step.ts";
import { askUnreachable } from "./ask-person.ts";
import { type GoalGuard, goalOf, type Round } from "./goal-guard.ts";
import { placeOf } from "./place.ts";
import { ruleOn } from "./ruling.ts";

async function openRound(ctx: Ctx, guard: GoalGuard, result: StepResult): Promise<Round> {
  const runtime = ctx._runtime;
  if (runtime === undefined)
    throw new StepAbort("there is no Runtime to judge with", "run the step in a Workflow");
  const number = (ctx[ROUND_KEY] ?? 0) + 1;
  ctx[ROUND_KEY] = number;
  const place = await placeOf(runtime, guard.step);
  return { ctx, guard, runtime, number, result, goal: goalOf(ctx, guard.goalPath), place };
}

function announce(round: Round, verdict: Verdict): void {
  const payload = {
    notice: "verdict",
    state: verdict.ok ? verdict.state : "unclear",
    round: round.number,
    rounds: round.guard.rounds,
    failed: [...verdict.failed],
  };
  round.ctx._onEvent?.(createEvent("task", { text: verdict.reason, payload }));
}

/**
 * Judge a round of work. What was ruled stands in `ctx._verdict` afterwards.
 * @returns whether the work passes.
 * @throws StepAbort when trying again is no use; the signal's reason when it aborts.
 */
export async function judgeRound(ctx: Ctx, guard: GoalGuard, result: StepResult): Promise<boolean> {
  const round = await openRound(ctx, guard, result);
  guard.judged.set(ctx, round);
  return recordRuling(round, () => decide(round));
}

async function decide(round: Round): Promise<boolean> {
  const verdict = await ruleOn(round);
  round.ctx[VERDICT_KEY] = verdict;
  announce(round, verdict);
  if (verdict.achieved) return true;
  if (verdict.unreachable) return askUnreachable(round, verdict);
  return false;
}
