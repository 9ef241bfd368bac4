// Ctrl-C and signals during a run: the books first, then the children, then out. Ends no process itself.

import { within } from "../../core/clock.ts";
import type { Runtime } from "../../runtime/runtime.ts";
import { EXIT_INTERRUPTED, exitCodeOfSignal } from "../exit-codes.ts";

/** What the harness gets to end itself and its tools. */
const LEAVE_MS = 3_000;
const ENDING = ["SIGTERM", "SIGHUP"] as const;

/** Why a run is left early. */
export interface Leaving {
  readonly exitCode: number;
  readonly signal: NodeJS.Signals;
}

/** What is told as it happens. */
export interface SignalListeners {
  /** First Ctrl-C: the turn was stopped, the run goes on. */
  readonly onInterrupt: () => void;
  /** The run is being left; its books are written. */
  readonly onLeave: (leaving: Leaving) => void;
}

/** Runs work under the eye of signals. */
export class SignalGuard {
  readonly #runtime: Runtime;
  readonly #listeners: SignalListeners;
  readonly #abort = new AbortController();
  #leaving: Leaving | undefined;
  #left: ((leaving: Leaving) => void) | undefined;
  #interrupts = 0;

  constructor(runtime: Runtime, listeners: SignalListeners) {
    this.#runtime = runtime;
    this.#listeners = listeners;
  }

  /** Do the work; a signal that ends it wins over its result. @throws what the work throws. */
  async watch<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T | Leaving> {
    const left = new Promise<Leaving>((resolve) => {
      this.#left = resolve;
    });
    const onInt = () => this.#interrupt();
    const onEnd = (signal: NodeJS.Signals) => this.#leave({ exitCode: exitCodeOfSignal(signal), signal });
    process.on("SIGINT", onInt);
    for (const signal of ENDING) process.on(signal, onEnd);
    try {
      const working = work(this.#abort.signal);
      const end = await Promise.race([working, left]);
      if (this.#leaving === undefined) return end;
      await this.#waitFor(working);
      return this.#leaving;
    } finally {
      process.off("SIGINT", onInt);
      for (const signal of ENDING) process.off(signal, onEnd);
    }
  }

  /** The person has said what they stopped the turn for: their next Ctrl-C stops a turn again, and ends nothing. */
  rearm(): void {
    this.#interrupts = 0;
  }

  #interrupt(): void {
    this.#interrupts += 1;
    if (this.#interrupts > 1) {
      this.#leave({ exitCode: EXIT_INTERRUPTED, signal: "SIGINT" });
      return;
    }
    // Said first: what the interruption does to workers is told while it is done.
    this.#listeners.onInterrupt();
    this.#runtime.interrupt();
  }

  #leave(leaving: Leaving): void {
    if (this.#leaving !== undefined) return;
    this.#leaving = leaving;
    this.#runtime.rescue();
    this.#listeners.onLeave(leaving);
    this.#abort.abort();
    this.#left?.(leaving);
  }

  async #waitFor(working: Promise<unknown>): Promise<void> {
    const nothing = () => {};
    // What it throws now is the effect of leaving.
    await within(LEAVE_MS, working.then(nothing, nothing), nothing);
  }
}

/** Tells a run that was left from one that ended. */
export function isLeaving(end: unknown): end is Leaving {
  return typeof end === "object" && end !== null && "exitCode" in end && "signal" in end;
}
