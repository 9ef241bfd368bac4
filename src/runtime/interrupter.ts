// Carries a person's interruption to the turn in progress; safe to use at any time.

/** Said after a person's words when a turn was stopped for them. */
export const INTERRUPT_NOTE =
  "(The turn before was interrupted by the person. A tool call in flight that reports an interruption is a normal " +
  "side effect of that, not a broken environment. Workers that were cut off lost their unfinished turn. " +
  "Take the words above into account and go on with the task.)";

/** One step's ear for interruptions. */
export class Interrupter {
  #words: string | undefined;
  #stop: (() => void) | undefined;

  /** Ask for the turn to be stopped; later words join earlier ones that were not delivered yet. */
  request(words: string): void {
    this.#words = [this.#words ?? "", words].filter((part) => part !== "").join("\n");
    this.#stop?.();
  }

  /** True while words wait to be delivered. */
  isPending(): boolean {
    return this.#words !== undefined;
  }

  /** The bare words, for a process that is only about to start: there is no turn to stop. Empty when there are none. */
  takeWords(): string {
    const words = this.#words ?? "";
    this.#words = undefined;
    return words;
  }

  /** The prompt that continues the session, or undefined when nobody interrupted. */
  takePrompt(): string | undefined {
    if (!this.isPending()) return undefined;
    const words = this.takeWords();
    return [words, INTERRUPT_NOTE].filter((part) => part !== "").join("\n\n");
  }

  /** Connect to the running turn; a request made before is carried at once. */
  connect(stop: () => void): () => void {
    this.#stop = stop;
    if (this.isPending()) stop();
    return () => {
      if (this.#stop === stop) this.#stop = undefined;
    };
  }
}
