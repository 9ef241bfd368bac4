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

  /** Run work alone and while nobody looks. It waits outside its turn: whoever may work meanwhile does. */
  async undisturbed<T>(work: () => Promise<T>): Promise<T> {
    for (;;) {
      await this.#released();
      // Within a turn nobody can begin to look; before it somebody may have.
      const done = await this.alone(async () => (this.isHeld ? undefined : { value: await work() }));
      if (done !== undefined) return done.value;
    }
  }

  async #released(): Promise<void> {
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
