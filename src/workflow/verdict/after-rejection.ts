// What the work is told when it goes back.

import { type Ctx, VERDICT_KEY } from "../context.ts";
import { watchProgress } from "../progress.ts";
import { type GoalGuard, goalOf } from "./goal-guard.ts";
import { isIsolated } from "./place.ts";

/**
 * Words for the rejected session: what is missing, and what a person adds.
 * @throws StepAbort when the round changed nothing and nobody says to go on.
 */
export async function afterRejection(ctx: Ctx, guard: GoalGuard): Promise<string> {
  const feedback = ctx[VERDICT_KEY]?.feedback() ?? "";
  const { channel, say, name, rounds } = guard;
  const words = await watchProgress({
    ctx,
    name,
    channel,
    say,
    rounds,
    folder: guard.judged.get(ctx)?.place.folder ?? ctx._runtime?.workspace ?? ".",
    isIsolated: isIsolated(guard.step),
    checks: goalOf(ctx, guard.goalPath).checks,
  });
  return [feedback, words].filter((part) => part !== "").join("\n\n");
}
