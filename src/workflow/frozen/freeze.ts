// Brief and goal becoming frozen: from then on what their files held at that moment counts.

import { resolve } from "node:path";
import { Goal } from "../../documents/goal.ts";
import type { HumanChannel } from "../../people/human-channel.ts";
import { type Ctx, GOAL_KEY } from "../context.ts";

/** A document of a step. */
export interface FreezeInput<D> {
  readonly path: string;
  /** Who is asked when it is changed while an agent works. */
  readonly channel: HumanChannel;
  /** Have the step's later readers work with another text of it. */
  readonly pour: (document: D) => void;
}

/** A kind of document, as it is read from a file. */
interface Kind<D> {
  readonly load: (path: string) => D | undefined;
}

/** Freeze a document as its file has it. */
export function freeze<D extends { complete(): boolean }>(
  ctx: Ctx,
  kind: Kind<D>,
  input: FreezeInput<D>,
): void {
  const { path, channel, pour } = input;
  const take = () => {
    const found = kind.load(path);
    if (found?.complete() !== true) return false;
    pour(found);
    return true;
  };
  ctx._frozen?.hold({ path, channel, take });
}

/**
 * Freeze the goal a step will be judged by before its work begins, where no step has set it: the file could be another
 * one by the time it is judged. A goal that is in the context and comes from nowhere on disk stays what it is.
 */
export function freezeGoalFile(ctx: Ctx, path: string, channel: HumanChannel): void {
  const known = ctx[GOAL_KEY];
  const isElsewhere =
    known?.complete() === true && (known.path === undefined || resolve(known.path) !== resolve(path));
  if (isElsewhere || ctx._frozen === undefined || ctx._frozen.holds(path)) return;
  const goal = Goal.load(path);
  if (goal?.complete() !== true) return;
  const pour = (found: Goal) => {
    ctx[GOAL_KEY] = found;
  };
  pour(goal);
  freeze(ctx, Goal, { path, channel, pour });
}
