// Waiting for a locked file: tries in order, in bounded time, and where it can without holding up the event loop.

import { isBusy } from "./store-failure.ts";

/** Between two tries, milliseconds; each try waits in the driver already. */
const PAUSE_MS = 20;

function pause(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}

/** Try until it works, fails for another reason, or `waitMs` are over; then the last error. Blocks. */
export function retryBlocking<T>(work: () => T, waitMs: number): T {
  const until = Date.now() + waitMs;
  for (;;) {
    try {
      return work();
    } catch (error) {
      if (!isBusy(error) || Date.now() >= until) throw error;
      pause(PAUSE_MS);
    }
  }
}

interface Turn {
  /** Try once; false when the file is locked and there is time left. */
  attempt(lastTry: boolean): boolean;
}

/** Work on one file, strictly in the order it was asked for, retried while the file is locked. */
export class TurnQueue {
  readonly #waitMs: number;
  readonly #turns: Turn[] = [];
  #timer: NodeJS.Timeout | undefined;

  /** @param waitMs - how long one piece of work is retried, counted from when it was asked for. */
  constructor(waitMs: number) {
    this.#waitMs = waitMs;
  }

  /** Do `work` in its turn: at once, before this returns, unless others wait or the file is locked. */
  run<T>(work: () => T): Promise<T> {
    const until = Date.now() + this.#waitMs;
    return new Promise<T>((resolve, reject) => {
      this.#turns.push({
        attempt(lastTry) {
          try {
            resolve(work());
          } catch (error) {
            if (isBusy(error) && !lastTry && Date.now() < until) return false;
            reject(error);
          }
          return true;
        },
      });
      if (this.#turns.length === 1) this.#advance();
    });
  }

  /** Give everything that still waits one last try, now. */
  drain(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    for (let turn = this.#turns.shift(); turn !== undefined; turn = this.#turns.shift()) turn.attempt(true);
  }

  #advance(): void {
    this.#timer = undefined;
    for (let turn = this.#turns[0]; turn !== undefined; turn = this.#turns[0]) {
      if (!turn.attempt(false)) {
        this.#timer = setTimeout(() => this.#advance(), PAUSE_MS);
        return;
      }
      this.#turns.shift();
    }
  }
}
