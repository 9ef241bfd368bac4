// What the parts of the goal guard share: how it was set up, and the round it is judging.

import type { AgentSpec } from "../../agents/agent-spec.ts";
import type { Translator } from "../../config/locale/translator.ts";
import type { Words } from "../../core/words.ts";
import { Goal } from "../../documents/goal.ts";
import type { Evidence } from "../../evidence/evidence.ts";
import type { HumanChannel } from "../../people/human-channel.ts";
import { createNotice } from "../../runtime/notice.ts";
import type { Runtime } from "../../runtime/runtime.ts";
import { type Ctx, GOAL_KEY } from "../context.ts";
import type { Step } from "../step.ts";
import type { Place } from "./place.ts";

/** A goal guard as it was set up; the same for every round. */
export interface GoalGuard {
  /** The step it guards. */
  readonly step: Step;
  readonly channel: HumanChannel;
  /** The judge. */
  readonly spec: AgentSpec;
  readonly goalPath: string;
  /** Whether the judge may run commands. */
  readonly canRun: boolean;
  /** Whether flower runs the commands of the goal itself. */
  readonly evidence: boolean;
  /** Whether it does so inside a sandbox. */
  readonly sandbox: boolean;
  readonly rounds: number;
  /** Prefix of the verdicts' names in the books. */
  readonly name: string;
  readonly say: Translator;
  /** The round judged last, by its context: what the work is told when it goes back comes from it. */
  readonly judged: WeakMap<Ctx, Round>;
  /** Items that cannot be verified and about which a person has said something since, by context. */
  readonly settled: WeakMap<Ctx, ReadonlySet<number>>;
  /** Contexts in which two judges stood against the evidence and nobody was there to say who is right. */
  readonly unanswered: WeakSet<Ctx>;
}

/** One round of work under judgement. */
export interface Round {
  readonly ctx: Ctx;
  readonly guard: GoalGuard;
  readonly runtime: Runtime;
  /** From 1. */
  readonly number: number;
  /** What its coordinator says of it. */
  readonly report: string;
  readonly goal: Goal;
  readonly place: Place;
  /** What flower saw; undefined where evidence is off. */
  readonly evidence: Evidence | undefined;
}

/** Say what is asked of a judge beyond the first ruling. */
export function tellOfJudge(round: Round, phase: "again" | "second", words: Words): void {
  const place = { phase, round: round.number, rounds: round.guard.rounds };
  round.ctx._onEvent?.(createNotice("judge", words, place));
}

/** The goal a round is judged by: the context's, else the file's, else an empty one. */
export function goalOf(ctx: Ctx, goalPath: string): Goal {
  const known = ctx[GOAL_KEY];
  if (known?.complete() === true) return known;
  return Goal.load(goalPath) ?? new Goal({});
}
