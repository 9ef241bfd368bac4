// The handoff policy for each model a run uses: what the harness reports of one says nothing of another.

import { windowOfAgent } from "../agents/default-window.ts";
import type { HandoffPolicy } from "../agents/handoff-policy.ts";

/** Keeps what was learned of each model's window, by the name agents ask for it with. */
export class HandoffWindows {
  readonly #policy: HandoffPolicy;
  readonly #configured: Readonly<Record<string, string | undefined>>;
  readonly #learned = new Map<string, HandoffPolicy>();

  /** `configured` are the model variables in effect; a window a person set holds for every model. */
  constructor(policy: HandoffPolicy, configured: Readonly<Record<string, string | undefined>>) {
    this.#policy = policy;
    this.#configured = configured;
  }

  /** The policy for an agent that asks for this model, or for none. */
  of(model: string | undefined): HandoffPolicy {
    const guess = () => this.#policy.learnWindow(windowOfAgent(model, this.#configured));
    return this.#learned.get(model ?? "") ?? guess();
  }

  /** Take in what the harness reported. @returns the new policy, or undefined when it is no news. */
  learn(model: string | undefined, window: number): HandoffPolicy | undefined {
    const known = this.of(model);
    const learned = known.learnWindow(window);
    if (learned === known) return undefined;
    this.#learned.set(model ?? "", learned);
    return learned;
  }
}
