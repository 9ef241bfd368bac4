// Takes turns: one piece of work at a time, and none that changes anything while somebody looks.

/** A queue of one, with a hold. */
export class Stillness {
  #last: Promise<unknown> = Promise.resolve();
  #holds = 0;
  readonly #waiting: (() => void)[] = [];

  /** Whether somebody looks. */
  get isHeld(): boolean {
    return this.#holds > 0;
  }

  /** Run work when what was begun before it has ended, well or not. */
  alone<T>(work: () => Promise<T>): Promise<T> {
    const next = this.#last.then(work);
    this.#last = next.catch(() => undefined);
    return next;
  }

  /** Wait until nobody looks; within a turn nobody can begin to. */
  async released(): Promise<void> {
    while (this.#holds > 0) await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  /** Begin to look once the turn in progress is over. @returns what ends it. */
  hold(): Promise<() => void> {
    return this.alone(async () => {
      this.#holds += 1;
      let isOn = true;
      return () => {
        if (!isOn) return;
        isOn = false;
        this.#holds -= 1;
        for (const go of this.#waiting.splice(0)) go();
      };
    });
  }
}
