// One ruling: a judge in a fresh session is shown the round, and its reply is read.

import { Verdict } from "../../documents/verdict.ts";
import type { StepResult } from "../../runtime/step-result.ts";
import { keepRaw } from "../clarify-step.ts";
import { judgeSurroundings } from "../goal-step.ts";
import { StepAbort } from "../step.ts";
import type { Round } from "./goal-guard.ts";

/** Reason put on a verdict that could not be read: unclear is never achieved. */
const UNCLEAR =
  "The verdict could not be read. Show for every check what proves it: command, exit code, output, path.";

function verdictPrompt(round: Round): string {
  const { guard, goal, place, result } = round;
  const report = result.lastText || result.text || "(nothing)";
  return [
    `Rule on this round (round ${round.number} of ${guard.rounds}).`,
    goal.promptBlock(),
    `What the workers' coordinator reports (a claim, not evidence):\n${report}`,
    place.note,
    judgeSurroundings(place.folder, guard.canRun),
  ]
    .filter((part) => part !== "")
    .join("\n\n");
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

/**
 * Have a round ruled on in a fresh session.
 * @returns the verdict; with state "" and a reason of its own when the reply could not be read.
 * @throws StepAbort when the judge failed technically: it has not ruled, and no round of work is burnt on it.
 */
export async function ruleOn(round: Round): Promise<Verdict> {
  const { ctx, guard, runtime } = round;
  const ruling = await runtime.run(guard.spec, verdictPrompt(round), {
    stepName: `${guard.name}#${round.number}`,
    ...(ctx._signal === undefined ? {} : { signal: ctx._signal }),
  });
  if (!ruling.ok)
    throw new StepAbort(`the judge could not rule: ${ruling.error ?? "it failed"}`, ruling.hint);
  const verdict = readVerdict(ruling);
  if (verdict.ok) return verdict;
  keepRaw(guard.goalPath, "verdict", ruling.text);
  return new Verdict({ state: "", reason: UNCLEAR, failed: verdict.failed });
}
