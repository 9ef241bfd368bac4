// Between the hook that sees a worker die of an outage and the attempt it dies in: the turn is stopped there, so that
// the worker can be continued once the API answers, instead of being sent again from the start.

/** Stops the turn for that error; settles when the turn may go on after all. Must not reject. */
export type StopForOutage = (error: string) => Promise<void>;

/** Carries word of a worker's outage to the attempt that is running. */
export class WorkerOutage {
  #stop: StopForOutage | undefined;

  /** From now on this attempt is told; call what is returned when it is over. */
  connect(stop: StopForOutage): () => void {
    this.#stop = stop;
    return () => {
      if (this.#stop === stop) this.#stop = undefined;
    };
  }

  /** Tell of an outage and wait; at once when no attempt listens. */
  async report(error: string): Promise<void> {
    await this.#stop?.(error);
  }
}
