// The status line: context, cost, elapsed. It lives as long as the run, so no event resets it.

import type { Translator } from "../../config/locale/translator.ts";
import type { Event } from "../../events/event.ts";
import { elapsed, money, tokens } from "./layout.ts";

/** Counts what the status line shows. */
export class RunMeter {
  readonly #now: () => number;
  readonly #startedAt: number;
  #context = 0;

  /** `now` gives milliseconds. */
  constructor(now: () => number = Date.now) {
    this.#now = now;
    this.#startedAt = now();
  }

  /** Take in an event: the main thread's last turn tells the context. */
  read(event: Event): void {
    if (event.kind !== "text" && event.kind !== "tool_call" && event.kind !== "thinking") return;
    const { context, subagent } = event.payload;
    if (context !== undefined && subagent !== true) this.#context = context;
  }

  /** `- context 71.4K · $0.03 · 0:12`. */
  line(t: Translator, costUsd: number): string {
    const seconds = (this.#now() - this.#startedAt) / 1000;
    const parts = { context: tokens(this.#context), cost: money(costUsd), elapsed: elapsed(seconds) };
    return `- ${t("status.line", parts)}`;
  }
}
