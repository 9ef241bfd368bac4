// A value that is put in place of another for a while.

/** Holds what is in force: what was put last of what is still in place. */
export class Layered<T> {
  readonly #first: T;
  #layers: readonly { readonly value: T }[] = [];

  constructor(first: T) {
    this.#first = first;
  }

  /** What is in force. */
  get now(): T {
    const top = this.#layers.at(-1);
    return top === undefined ? this.#first : top.value;
  }

  /** Put another in place until the returned function is called, in whatever order those of others are. */
  put(value: T): () => void {
    const layer = { value };
    this.#layers = [...this.#layers, layer];
    return () => {
      this.#layers = this.#layers.filter((each) => each !== layer);
    };
  }
}
