// The status line: context, cost, elapsed, and what runs now. It lives as long as the run, so no event resets it.

import type { Translator } from "../../config/locale/translator.ts";
import { clipCells } from "../../core/cells.ts";
import type { Event } from "../../events/event.ts";
import { Activity } from "./activity.ts";
import { elapsed, money, tokens } from "./layout.ts";
import type { View } from "./view.ts";

/** Silence after which the mark of the status line turns, so that it is seen to live. */
const SILENT_S = 3;
const SPINNER = ["-", "\\", "|", "/"] as const;
const SPIN_MS = 500;

/** Counts what the status line shows. */
export class RunMeter {
  readonly #now: () => number;
  readonly #startedAt: number;
  readonly #activity: Activity;
  #context = 0;

  /** `now` gives milliseconds. */
  constructor(now: () => number = Date.now) {
    this.#now = now;
    this.#startedAt = now();
    this.#activity = new Activity(now);
  }

  /**
   * Take in an event, and the label of the worker it comes from: the main thread's last turn tells the context.
   * Files of `folder` are named from there.
   */
  read(event: Event, who = "", folder = ""): void {
    this.#activity.read(event, who, folder);
    if (event.kind !== "text" && event.kind !== "tool_call" && event.kind !== "thinking") return;
    const { context, subagent } = event.payload;
    if (context !== undefined && subagent !== true) this.#context = context;
  }

  /** `- context 71.4K · $0.03 · 0:12`. */
  line(t: Translator, costUsd: number): string {
    return `- ${this.#figures(t, costUsd)}`;
  }

  /** The line as it is now, with what runs; its mark turns while nothing is heard. */
  liveLine({ t, width }: Pick<View, "t" | "width">, costUsd: number): string {
    const turn = Math.floor(this.#now() / SPIN_MS) % SPINNER.length;
    const mark = this.#activity.silentS < SILENT_S ? "-" : (SPINNER[turn] ?? "-");
    const words = this.#activity.words(t);
    return clipCells([`${mark} ${this.#figures(t, costUsd)}`, words].filter(Boolean).join(" · "), width);
  }

  #figures(t: Translator, costUsd: number): string {
    const seconds = (this.#now() - this.#startedAt) / 1000;
    return t("status.line", {
      context: tokens(this.#context),
      cost: money(costUsd),
      elapsed: elapsed(seconds),
    });
  }
}
