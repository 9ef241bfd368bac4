// What a judge cannot decide is put to the person; with nobody there the step ends instead of spinning.

import { failureOf, wordsOf } from "../../config/locale/words.ts";
import { Verdict } from "../../documents/verdict.ts";
import { GOAL_KEY, VERDICT_KEY } from "../context.ts";
import { forgetProgress } from "../progress.ts";
import { abortWith } from "../step.ts";
import { isBroken } from "./bind-verdict.ts";
import { itemLines, listed } from "./bound-words.ts";
import { goalOf, type Round } from "./goal-guard.ts";

/** What is asked, with the ruling and what flower saw speak against the work: whoever accepts it shall know that. */
function questionOf(round: Round, head: string, verdict: Verdict): string {
  const broken = (round.evidence?.items ?? []).filter(isBroken);
  const numbers = broken.map(({ number }) => number);
  return [
    head,
    verdict.reason,
    ...verdict.failed.map((item) => `- ${item}`),
    ...(broken.length === 0 ? [] : [round.guard.say("evidence.broken", { items: listed(numbers) })]),
    ...itemLines(broken, numbers).map((item) => `- ${item}`),
  ]
    .filter((part) => part !== "")
    .join("\n");
}

/** The person's own words are what the next round is about. */
function sendBack(round: Round, verdict: Verdict): false {
  round.ctx[VERDICT_KEY] = verdict;
  forgetProgress(round.ctx, round.guard.name);
  return false;
}

/** The person let another goal count while this one was judged: the ruling is on what nobody wants any more. */
export function sendBackByNewGoal(round: Round): false {
  const goal = goalOf(round.ctx, round.guard.goalPath);
  const reason = `The goal was changed while it was judged. It is now:\n${goal.promptBlock()}`;
  return sendBack(round, new Verdict({ state: "not_yet", reason }));
}

async function changeGoal(round: Round): Promise<boolean> {
  const { ctx, guard } = round;
  const ask = await guard.channel.ask(guard.say("verdict.ask_change"), [], { signal: ctx._signal });
  if (ask.state !== "answered" || ask.answer.trim() === "") {
    throw abortWith(failureOf("goal_not_changed", { path: guard.goalPath }));
  }
  // Whoever is asked may have opened the file as well.
  ctx._frozen?.acceptEdits();
  const goal = goalOf(ctx, guard.goalPath).amend(ask.answer);
  goal.write(guard.goalPath);
  ctx[GOAL_KEY] = goal;
  ctx._frozen?.rewritten(guard.goalPath);
  return sendBack(round, new Verdict({ state: "not_yet", reason: `The goal was changed: ${ask.answer}` }));
}

/**
 * The goal cannot be verified here: accept it, change it, or say why that is wrong.
 * @returns whether the work passes.
 * @throws StepAbort when nobody answers; the signal's reason when it aborts.
 */
export async function askUnreachable(round: Round, verdict: Verdict): Promise<boolean> {
  const { ctx, guard } = round;
  const { channel, say } = guard;
  const accept = say("verdict.option.accept");
  const change = say("verdict.option.change");
  const question = questionOf(round, say("verdict.ask"), verdict);
  const ask = await channel.ask(question, [accept, change, say("verdict.option.wrong")], {
    signal: ctx._signal,
  });
  if (ask.state !== "answered") {
    throw abortWith(failureOf("goal_undecided", { why: verdict.reason, path: guard.goalPath }));
  }
  if (ask.answer === accept) return true;
  if (ask.answer === change) return changeGoal(round);
  return sendBack(round, new Verdict({ state: "not_yet", reason: ask.answer, failed: verdict.failed }));
}

/**
 * Two judges reject what flower saw hold: the person says who is right. With nobody there the work goes back, once.
 * @returns whether the work passes.
 * @throws StepAbort when nobody answers for the second time; the signal's reason when it aborts.
 */
export async function askDisputed(
  round: Round,
  verdict: Verdict,
  items: readonly number[],
): Promise<boolean> {
  const { ctx, guard } = round;
  const { channel, say } = guard;
  const accept = say("verdict.option.accept");
  const back = say("verdict.option.back");
  const question = questionOf(round, say("verdict.ask_disputed", { items: listed(items) }), verdict);
  const ask = await channel.ask(question, [accept, back], { signal: ctx._signal });
  const answer = ask.answer.trim();
  if (ask.state !== "answered") return goBackOnce(round, verdict);
  if (answer === accept) return true;
  const hasWords = answer !== "" && answer !== back;
  return sendBack(
    round,
    hasWords ? new Verdict({ state: "not_yet", reason: answer, failed: verdict.failed }) : verdict,
  );
}

function goBackOnce(round: Round, verdict: Verdict): false {
  const { ctx, guard } = round;
  if (!guard.unanswered.has(ctx)) {
    guard.unanswered.add(ctx);
    return false;
  }
  guard.unanswered.delete(ctx);
  const where = round.evidence?.folder ?? wordsOf("verdict.the_work");
  throw abortWith(failureOf("verdict_disputed", { why: verdict.reason, where }));
}
