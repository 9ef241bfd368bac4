// One ruling: a judge is shown the round, and its reply is read.

import { type FailureWords, failureOf, hintOfFailure, reasonOfFailure } from "../../config/locale/words.ts";
import { amendmentsPrompt } from "../../documents/amendments.ts";
import { Verdict } from "../../documents/verdict.ts";
import { evidenceTable } from "../../evidence/evidence-table.ts";
import type { StepResult } from "../../runtime/step-result.ts";
import { rulingName } from "../attempt-name.ts";
import { keepRaw } from "../clarify-step.ts";
import { BRIEF_KEY } from "../context.ts";
import { judgeSurroundings } from "../goal-step.ts";
import { abortWith } from "../step.ts";
import type { Round } from "./goal-guard.ts";

/** What a judge is asked, and how the books call it. */
export interface RulingRequest {
  /** Behind the verdict's name; empty for the first judge of a round. */
  readonly suffix: string;
  readonly prompt: string;
  /** Session to go on in; a fresh one without it. */
  readonly resume?: string;
}

/** A judge's reply, read. */
export interface Ruling {
  /** Its state is "" when the reply could not be read. */
  readonly verdict: Verdict;
  /** The whole reply. */
  readonly text: string;
  readonly sessionId: string | null;
}

function evidencePart({ evidence, guard }: Round): string {
  if (evidence === undefined) return "";
  const hands = guard.canRun ? "" : " You need not run them, and cannot.";
  return `What flower saw when it ran the commands of the goal itself, in ${evidence.where}.${hands} The whole output of each is in the file named:\n${evidenceTable(evidence)}`;
}

/** The round as a judge is shown it; `more` is what only this judge is told. */
export function verdictPrompt(round: Round, more = ""): string {
  const { guard, goal, place, report } = round;
  return [
    `Rule on this round (round ${round.number} of ${guard.rounds}).`,
    goal.promptBlock(),
    amendmentsPrompt(round.ctx[BRIEF_KEY]?.amendments ?? "").trimEnd(),
    `What the workers' coordinator reports (a claim, not evidence):\n${report || "(nothing)"}`,
    place.note,
    evidencePart(round),
    more,
    judgeSurroundings(place.folder, guard),
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

function judgeFailed({ error, hint, failure }: StepResult): FailureWords {
  const reason = reasonOfFailure({ error: error ?? "", failure });
  return failureOf("judge_failed", { reason, next: hintOfFailure({ hint, failure }) });
}

/**
 * Have a judge rule.
 * @throws StepAbort when the judge failed technically: it has not ruled, and no round of work is burnt on it.
 */
export async function ruleOn(round: Round, request: RulingRequest): Promise<Ruling> {
  const { ctx, guard, runtime } = round;
  const ruling = await runtime.run(guard.spec, request.prompt, {
    stepName: rulingName(guard.name, round.number, request.suffix),
    ...(request.resume === undefined ? {} : { resume: request.resume }),
    ...(ctx._signal === undefined ? {} : { signal: ctx._signal }),
  });
  if (!ruling.ok) throw abortWith(judgeFailed(ruling));
  const verdict = readVerdict(ruling);
  if (!verdict.ok) keepRaw(guard.goalPath, "verdict", ruling.text);
  return { verdict, text: ruling.lastText || ruling.text, sessionId: ruling.sessionId };
}
