// A person's unasked words, queued until an agent reads its inbox.

import type { Mail } from "./ask.ts";

/** Mail in order of arrival. */
export class Mailbox {
  readonly #suffix: string;
  #all: readonly Mail[] = [];

  /** `suffix` ends every id, so that ids of two processes differ. */
  constructor(suffix: string) {
    this.#suffix = suffix;
  }

  /** Everything ever received. */
  get all(): readonly Mail[] {
    return this.#all;
  }

  /** What no agent has read yet. */
  get queued(): readonly Mail[] {
    return this.#all.filter((mail) => mail.state === "queued");
  }

  /** Put words in. */
  add(text: string, at: number, lateFor?: string): Mail {
    const id = `m${this.#all.length + 1}-${this.#suffix}`;
    const mail: Mail = { id, text, at, state: "queued", ...(lateFor === undefined ? {} : { lateFor }) };
    this.#all = [...this.#all, mail];
    return mail;
  }

  /** Hand over what is queued and mark it delivered. */
  take(): readonly Mail[] {
    const taken: Mail[] = this.queued.map((mail) => ({ ...mail, state: "delivered" }));
    this.#all = this.#all.map((mail) => taken.find(({ id }) => id === mail.id) ?? mail);
    return taken;
  }
}
