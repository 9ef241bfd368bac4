// What a wake with nothing said begins with. Pure.

import { isSettled, type Standing } from "./standing.ts";
import type { LastVerdict } from "./verdict-files.ts";
import { isDone } from "./verdict-record.ts";

/**
 * `nothing`: the work is done, and nothing has changed. `judge`: it was done, and something has changed since; whether it
 * still is costs a verdict, and work only where it is not. `work`: it was never done, or what is wanted is another thing.
 */
export type WakePlan = "nothing" | "judge" | "work";

/** What a wake found. */
export interface WakeFound {
  /** The last verdict and what became of it; undefined where there is none. */
  readonly look: { readonly last: LastVerdict; readonly standing: Standing } | undefined;
  /** Path of the goal relative to the workspace, as verdicts name it. */
  readonly goal: string;
}

/** Decide what a wake with nothing said begins with. */
export function planWake({ look, goal }: WakeFound): WakePlan {
  if (look === undefined || !isDone(look.last.state)) return "work";
  const { last, standing } = look;
  if (isSettled(last, standing)) return "nothing";
  if (standing.kind === "tree_changed" || standing.kind === "unknown") return "judge";
  // A person who corrects a check may find it met; a brief that reads otherwise asks for something else.
  const isGoalAlone = last.changedDocuments.every((path) => path === goal);
  return standing.kind === "documents_changed" && isGoalAlone ? "judge" : "work";
}
