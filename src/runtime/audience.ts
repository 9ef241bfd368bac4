// Who hears the events of a Runtime. What a listener throws is collected and ends nothing.

import { tellQuietly } from "../core/tell-quietly.ts";
import type { Event, EventListener } from "../events/event.ts";

/** Listeners of a Runtime, and guests: those of single steps. */
export class Audience {
  readonly #errors: unknown[];
  readonly #listeners = new Set<EventListener>();
  readonly #guests = new Set<EventListener>();

  constructor(errors: unknown[]) {
    this.#errors = errors;
  }

  /** Have every event told to it until the returned function is called. */
  add(listener: EventListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Have it told its step's events, and what belongs to no step meanwhile, until the returned function is called. */
  invite(guest: EventListener | undefined): () => void {
    if (guest === undefined) return () => {};
    this.#guests.add(guest);
    return () => this.#guests.delete(guest);
  }

  /** Tell everybody, each once; of the guests only the one whose step it is, where it is one's. */
  tell(event: Event, guest?: EventListener): void {
    const guests = guest === undefined ? [...this.#guests] : [guest];
    for (const listener of new Set([...this.#listeners, ...guests])) {
      tellQuietly(() => listener(event), this.#errors);
    }
  }
}
