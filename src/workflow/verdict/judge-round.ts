// One round, judged: look where the work is, see what its commands do, have it ruled on, and decide what that means
// for the step.

import { failureOf, wordsOf } from "../../config/locale/words.ts";
import type { Verdict } from "../../documents/verdict.ts";
import { createEvent } from "../../events/event.ts";
import { createNotice } from "../../runtime/notice.ts";
import { type Ctx, ROUND_KEY, VERDICT_KEY } from "../context.ts";
import { recordRuling } from "../lapse/record-verdict.ts";
import { abortWith } from "../step.ts";
import { askDisputed, askUnreachable, sendBackByNewGoal } from "./ask-person.ts";
import { isOpen, upholds } from "./bind-verdict.ts";
import { type BoundRuling, ruleBound } from "./bound-ruling.ts";
import { listed } from "./bound-words.ts";
import { type GoalGuard, goalOf, type Round, tellOfJudge } from "./goal-guard.ts";
import { holdBack } from "./hold-back.ts";
import { placeOf } from "./place.ts";
import { evidenceOf, type UnseenRound } from "./round-evidence.ts";

async function openRound(ctx: Ctx, guard: GoalGuard, report: string): Promise<UnseenRound> {
  const runtime = ctx._runtime;
  if (runtime === undefined) throw abortWith(failureOf("no_runtime"));
  const number = (ctx[ROUND_KEY] ?? 0) + 1;
  ctx[ROUND_KEY] = number;
  delete ctx._passedBy;
  const goal = goalOf(ctx, guard.goalPath);
  return { ctx, guard, runtime, number, report, goal, place: await placeOf(runtime, guard.step) };
}

/** The commands run what an agent has written: the goal is watched as while an agent works. */
async function seeRound(round: UnseenRound): Promise<Round> {
  const { ctx, guard, number } = round;
  const look = () => evidenceOf(round);
  const evidence = await (ctx._frozen?.while(`${guard.name}#${number}`, ctx._signal, look) ?? look());
  return isGoalOf(round) ? { ...round, evidence } : seeRound({ ...round, goal: goalOf(ctx, guard.goalPath) });
}

/** Whether the goal is still the one the round is judged by: the person may have let another one count. */
function isGoalOf({ ctx, guard, goal }: UnseenRound): boolean {
  if (ctx._frozen?.holds(guard.goalPath) !== true) return true;
  return goalOf(ctx, guard.goalPath).toMarkdown() === goal.toMarkdown();
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

/** What the second judge is told of the first: without its objection it could not look for what the commands do not show. */
function objection(first: Verdict, items: readonly number[]): string {
  const which =
    items.length === 1 ? `item ${items[0]}, whose command` : `items ${listed(items)}, whose commands`;
  return `Another judge rejected this round for nothing but ${which} flower saw hold. What it says is a claim like any other: check it against the work, then rule on every item yourself.\n${first.promptBlock()}`;
}

/** A ruling on the round, and whether two judges stand against what flower saw. */
async function ruleTogether(round: Round): Promise<{ ruled: BoundRuling; disputed: readonly number[] }> {
  const first = await ruleBound(round);
  const isHeld = round.place.obstacles.length > 0;
  if (first.binding?.kind !== "contested" || isHeld) return { ruled: first, disputed: [] };
  const { items } = first.binding;
  const reason = first.verdict.reason === "" ? "" : `\n${first.verdict.reason}`;
  tellOfJudge(round, "second", wordsOf("evidence.second", { items: listed(items), reason }));
  const second = await ruleBound(round, ".second", objection(first.verdict, items));
  const isUpheld = second.binding !== undefined && upholds(second.binding);
  return isUpheld ? { ruled: first, disputed: items } : { ruled: second, disputed: [] };
}

/** The person has said how what could not be verified is to be judged: that is the judge's matter from now on. */
function settleOpen(round: Round): void {
  const open = (round.evidence?.items ?? []).filter(isOpen).map((item) => item.number);
  const { settled } = round.guard;
  settled.set(round.ctx, new Set([...(settled.get(round.ctx) ?? []), ...open]));
}

/** A person's word lets work pass that the evidence or the judge does not: the record says whose word it was. */
function accept(round: Round, verdict: Verdict): true {
  const { ctx, guard, number } = round;
  ctx._passedBy = "person";
  const facts = { state: verdict.state, round: number, rounds: guard.rounds, failed: [...verdict.failed] };
  ctx._onEvent?.(createNotice("accepted", wordsOf("verdict.accepted"), facts));
  return true;
}

/**
 * Judge a round of work, of which `report` is what its coordinator says. What was ruled stands in `ctx._verdict`
 * afterwards, and whose word let it pass in `ctx._passedBy`.
 * @returns whether the work passes.
 * @throws StepAbort when trying again is no use; the signal's reason when it aborts.
 */
export async function judgeRound(ctx: Ctx, guard: GoalGuard, report: string): Promise<boolean> {
  const unseen = await openRound(ctx, guard, report);
  try {
    const round = await seeRound(unseen);
    guard.judged.set(ctx, round);
    return await recordRuling(round, (hasRuled) => decide(round, hasRuled));
  } finally {
    unseen.place.release();
  }
}

async function decide(round: Round, hasRuled: () => Promise<void>): Promise<boolean> {
  const { ctx, place } = round;
  const { ruled, disputed } = await ruleTogether(round);
  await hasRuled();
  // A person takes their time to answer.
  place.release();
  const verdict = holdBack(ruled.verdict, place.obstacles);
  ctx[VERDICT_KEY] = verdict;
  announce(round, verdict);
  if (!isGoalOf(round)) return sendBackByNewGoal(round);
  // Nobody can pass work that is not there, a person's word included.
  if (place.obstacles.length > 0) return false;
  if (verdict.achieved) {
    ctx._passedBy = "judge";
    return true;
  }
  if (verdict.unreachable) {
    if (await askUnreachable(round, verdict)) return accept(round, verdict);
    settleOpen(round);
    return false;
  }
  if (disputed.length === 0) return false;
  return (await askDisputed(round, verdict, disputed)) ? accept(round, verdict) : false;
}
