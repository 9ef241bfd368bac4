// The steps of one Runtime that run now, and their common end when it is closed.

import { FlowerError } from "../core/errors.ts";

/** Steps that run, until they are ended together. */
export class StepsUnderWay {
  readonly #closing = new AbortController();
  readonly #running = new Set<Promise<unknown>>();

  /**
   * Have a step run, under a signal that aborts with its own or when all are ended.
   * @throws FlowerError `runtime_closed` once they were ended.
   */
  async run<T>(step: (signal: AbortSignal) => Promise<T>, own: AbortSignal | undefined): Promise<T> {
    if (this.#closing.signal.aborted) {
      throw new FlowerError("this Runtime was closed", {
        code: "runtime_closed",
        hint: "make a new Runtime on the same folder: it goes on where this one left off",
      });
    }
    const { signal } = this.#closing;
    const running = step(own === undefined ? signal : AbortSignal.any([signal, own]));
    const settled = running.catch(() => {});
    this.#running.add(settled);
    try {
      return await running;
    } finally {
      this.#running.delete(settled);
    }
  }

  /** Stop them all and wait until they have stopped; none begins after that. */
  async end(): Promise<void> {
    this.#closing.abort();
    await Promise.all(this.#running);
  }
}
