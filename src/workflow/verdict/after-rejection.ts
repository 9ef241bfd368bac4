// What the work is told when it goes back.

import { type Ctx, VERDICT_KEY } from "../context.ts";
import { watchProgress } from "../progress.ts";
import { brokenEvidence } from "./broken-evidence.ts";
import { type GoalGuard, goalOf } from "./goal-guard.ts";

/** What is missing by the last verdict, and what flower saw of it; never how to mend it. */
export function whatIsMissing(ctx: Ctx, guard: GoalGuard): string {
  const evidence = guard.judged.get(ctx)?.evidence;
  const seen = evidence === undefined ? "" : brokenEvidence(evidence);
  return [ctx[VERDICT_KEY]?.feedback() ?? "", seen].filter((part) => part !== "").join("\n\n");
}

/**
 * Words for the rejected session: what is missing, what flower saw of it, and what a person adds.
 * @throws StepAbort when the round changed nothing and nobody says to go on.
 */
export async function afterRejection(ctx: Ctx, guard: GoalGuard): Promise<string> {
  const { channel, say, name, rounds } = guard;
  const work = guard.judged.get(ctx)?.place.work;
  const { checks } = goalOf(ctx, guard.goalPath);
  const words =
    work === undefined ? "" : await watchProgress({ ctx, name, channel, say, rounds, work, checks });
  return [whatIsMissing(ctx, guard), words].filter((part) => part !== "").join("\n\n");
}
