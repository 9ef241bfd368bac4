// How the starter takes up a folder it was in before: what still holds is not done again, what changed is judged before
// it is worked on, and what the person edited reaches those it concerns.

import { mkdirSync, renameSync } from "node:fs";
import { dirname, join } from "node:path";
import { wordsOf } from "../../config/locale/words.ts";
import { readProcessEnv } from "../../config/process-env.ts";
import { timestamp } from "../../core/ids.ts";
import { relativeKey } from "../../core/paths.ts";
import { createNotice } from "../../runtime/notice.ts";
import { type Ctx, ROUND_KEY, VERDICT_KEY } from "../context.ts";
import { whatIsMissing } from "../verdict/after-rejection.ts";
import type { GoalGuard } from "../verdict/goal-guard.ts";
import { judgeRound } from "../verdict/judge-round.ts";
import { planWake, type WakePlan } from "./plan-wake.ts";
import { lookAtVerdict, type Standing } from "./standing.ts";
import { standingWords } from "./standing-words.ts";
import type { LastVerdict } from "./verdict-files.ts";
import { verdictIn } from "./verdict-record.ts";

/** What the wake of a starter needs. */
export interface StarterWakeInput {
  readonly workspace: string;
  readonly briefPath: string;
  readonly goalPath: string;
  /** What the person said; a wake with words does what they say. */
  readonly said: string;
  /** The last verdict of the folder, read anew at every call. */
  readonly lastVerdict: () => LastVerdict | undefined;
}

/** What a judge is shown in place of a report when nobody has worked in this run. */
const NO_REPORT =
  "(nobody has worked since the last run; what is here may have been changed by the person meanwhile)";

/** The wake of one starter flow. */
export class StarterWake {
  readonly #input: StarterWakeInput;
  #look: { readonly last: LastVerdict; readonly standing: Standing } | undefined;
  #plan: WakePlan = "work";
  #feedback = "";
  #edited: { readonly brief: boolean; readonly goal: boolean } = { brief: false, goal: false };

  constructor(input: StarterWakeInput) {
    this.#input = input;
  }

  /** Look at what is here, before the first step of a run. */
  async begin(ctx: Ctx): Promise<void> {
    const { workspace, briefPath, goalPath, said, lastVerdict } = this.#input;
    const frozen = ctx._frozen;
    this.#edited = {
      brief: frozen?.wasEdited(briefPath) ?? false,
      goal: frozen?.wasEdited(goalPath) ?? false,
    };
    this.#look = undefined;
    this.#feedback = "";
    const last = said === "" && ctx._lineage !== undefined ? lastVerdict() : undefined;
    if (last !== undefined) {
      this.#look = { last, standing: await lookAtVerdict(last, readProcessEnv(), ctx._signal) };
    }
    this.#plan = planWake({ look: this.#look, goal: relativeKey(workspace, goalPath) });
    if (this.#edited.brief && !this.#edited.goal) this.#putGoalAway();
  }

  /**
   * Whether there is work to do: what changed since it was done is judged first.
   * @throws StepAbort when the judge cannot rule or nobody decides; the signal's reason when it aborts.
   */
  async wantsWork(ctx: Ctx, guard: GoalGuard): Promise<boolean> {
    const look = this.#look;
    if (look === undefined || this.#plan === "work") return true;
    const verdict = standingWords(look.last, look.standing);
    const { state, path } = look.last;
    const tell = (key: "wake.nothing" | "wake.judged_first") => {
      const facts = { standing: look.standing.kind, state, path };
      ctx._onEvent?.(createNotice("standing", wordsOf(key, { verdict }), facts));
    };
    if (this.#plan === "nothing") {
      ctx[VERDICT_KEY] = verdictIn(look.last);
      ctx._passedBy = state === "accepted" ? "person" : "judge";
      tell("wake.nothing");
      return false;
    }
    tell("wake.judged_first");
    // Judged before any round of work: round 0.
    ctx[ROUND_KEY] = -1;
    if (await judgeRound(ctx, guard, NO_REPORT)) return false;
    this.#feedback = whatIsMissing(ctx, guard);
    return true;
  }

  /** What the work is told of all this; empty when nothing is new. */
  words(ctx: Ctx): string {
    const { brief, goal } = this.#edited;
    const said = (title: string, text: unknown) =>
      typeof text === "string" && text !== "" ? `${title}\n\n${text}` : "";
    return [
      this.#feedback === "" ? "" : `What is here was judged anew.\n\n${this.#feedback}`,
      brief ? said("The person changed the brief, which now says:", ctx.clarify) : "",
      brief || goal ? said("The goal you will be judged by is another one now:", ctx.goal) : "",
    ]
      .filter((part) => part !== "")
      .join("\n\n");
  }

  /** The old goal was set for another brief. Put away at once, it is set anew even if this run is cut off before. */
  #putGoalAway(): void {
    const { goalPath } = this.#input;
    const folder = join(dirname(goalPath), "archive");
    try {
      mkdirSync(folder, { recursive: true });
      renameSync(goalPath, join(folder, `goal.before-${timestamp()}.md`));
    } catch {
      // There is none, or it cannot be moved: then it counts as it stands.
    }
  }
}
