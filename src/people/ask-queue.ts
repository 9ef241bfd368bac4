// Pulling questions instead of being told of them: each waiting question is handed out once, oldest first.

import type { Ask } from "./ask.ts";
import { startTimer } from "./long-timer.ts";

/** How long to wait for a question. */
export interface NextAskOptions {
  /** Seconds; 0 and less only look. @defaultValue for ever */
  readonly timeoutS?: number | null | undefined;
  /** Ends the wait. */
  readonly signal?: AbortSignal | undefined;
}

/** Questions not handed out yet, and those who wait for one. */
export class AskQueue {
  #ready: Ask[] = [];
  readonly #takers = new Set<(ask: Ask | undefined) => void>();

  /** A question was put: goes to who has waited longest, else into the queue. */
  offer(ask: Ask): void {
    const [taker] = this.#takers;
    if (taker === undefined) this.#ready.push(ask);
    else taker(ask);
  }

  /** A question no longer waits: nobody needs to see it. */
  withdraw(id: string): void {
    this.#ready = this.#ready.filter((ask) => ask.id !== id);
  }

  /** The next question, or undefined when time is up or the signal aborts. Never rejects. */
  take({ timeoutS, signal }: NextAskOptions): Promise<Ask | undefined> {
    const ready = this.#ready.shift();
    const seconds = timeoutS ?? Number.POSITIVE_INFINITY;
    if (ready !== undefined || signal?.aborted || seconds <= 0) return Promise.resolve(ready);
    return new Promise((resolve) => {
      const finish = (ask: Ask | undefined) => {
        this.#takers.delete(finish);
        cancel();
        signal?.removeEventListener("abort", giveUp);
        resolve(ask);
      };
      const giveUp = () => finish(undefined);
      const cancel = startTimer(seconds, giveUp);
      signal?.addEventListener("abort", giveUp, { once: true });
      this.#takers.add(finish);
    });
  }
}
