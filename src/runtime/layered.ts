// A value that is put in place of another for a while.

/** Holds what is in force, and gives the one before back when that is over. */
export class Layered<T> {
  #now: T;

  constructor(first: T) {
    this.#now = first;
  }

  /** What is in force. */
  get now(): T {
    return this.#now;
  }

  /** Put another in place until the returned function is called. */
  put(value: T): () => void {
    const outer = this.#now;
    this.#now = value;
    return () => {
      if (this.#now === value) this.#now = outer;
    };
  }
}
