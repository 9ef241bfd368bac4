// Who hears a channel's events. A listener that throws never reaches the one who asked: its error is collected.

import type { Event, EventListener } from "../events/event.ts";

/** Errors kept; a listener broken for days must not fill the memory. */
const MAX_ERRORS = 100;

/** Any number of listeners and the errors they made. */
export class Listeners {
  readonly #listeners = new Set<EventListener>();
  readonly #errors: unknown[] = [];

  /** Errors thrown so far, oldest first; at most the last 100. */
  get errors(): readonly unknown[] {
    return this.#errors;
  }

  /** Hear every event from now on; call what is returned to stop. */
  add(listener: EventListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Keep an error that has nowhere else to go. */
  readonly collect = (error: unknown): void => {
    this.#errors.push(error);
    if (this.#errors.length > MAX_ERRORS) this.#errors.shift();
  };

  /** Tell all of them, then `last`. */
  tell(event: Event, last: EventListener | undefined): void {
    for (const listener of last === undefined ? this.#listeners : [...this.#listeners, last]) {
      try {
        // An async listener fits the type as well; its rejection would end the process.
        const returned: unknown = listener(event);
        if (returned instanceof Promise) returned.catch(this.collect);
      } catch (error) {
        this.collect(error);
      }
    }
  }
}
