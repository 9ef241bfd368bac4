// Between the hook that sees a worker die of an outage and the attempt it dies in: the turn is stopped there, so that
// the worker can be continued once the API answers, instead of being sent again from the start.

/** Stops the turn for that error; settles when the turn may go on after all. Must not reject. */
export type StopForOutage = (error: string) => Promise<void>;

/**
 * Workers that may die in a row before the coordinator is told instead: with the waits between them some two minutes.
 * An outage that only workers meet (a model of their own) would else cost a turn of the coordinator for ever.
 */
const MAX_IN_A_ROW = 5;

/** Carries word of a worker's outage to the attempt that is running. */
export class WorkerOutage {
  #stop: StopForOutage | undefined;
  #inARow = 0;

  /** From now on this attempt is told; call what is returned when it is over. */
  connect(stop: StopForOutage): () => void {
    this.#stop = stop;
    return () => {
      if (this.#stop === stop) this.#stop = undefined;
    };
  }

  /** Tell of an outage and wait; not at all when no attempt listens or it has gone on for too long. */
  async report(error: string): Promise<void> {
    if (this.#stop === undefined || this.#inARow >= MAX_IN_A_ROW) return;
    this.#inARow += 1;
    await this.#stop(error);
  }

  /** A worker got through. */
  over(): void {
    this.#inARow = 0;
  }
}
