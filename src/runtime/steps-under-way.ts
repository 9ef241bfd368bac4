// The steps of one Runtime that run now, and their common end when it is closed.

import { FlowerError } from "../core/errors.ts";

/** Steps that run, until they are ended together. */
export class StepsUnderWay {
  readonly #closing = new AbortController();
  readonly #running = new Set<Promise<unknown>>();

  /**
   * Have a step run.
   * @throws FlowerError `runtime_closed` once they were ended.
   */
  async run<T>(step: () => Promise<T>): Promise<T> {
    if (this.#closing.signal.aborted) {
      throw new FlowerError("this Runtime was closed", {
        code: "runtime_closed",
        hint: "make a new Runtime on the same folder: it goes on where this one left off",
      });
    }
    const running = step();
    const settled = running.catch(() => {});
    this.#running.add(settled);
    try {
      return await running;
    } finally {
      this.#running.delete(settled);
    }
  }

  /** Aborts when they are ended, or with that signal. */
  signalWith(signal: AbortSignal | undefined): AbortSignal {
    return signal === undefined ? this.#closing.signal : AbortSignal.any([this.#closing.signal, signal]);
  }

  /** Stop them all and wait until they have stopped; none begins after that. */
  async end(): Promise<void> {
    this.#closing.abort();
    await Promise.all(this.#running);
  }
}
