// What every desk does with a line, whoever typed it and wherever: an open question's answer, a question aside, words to
// a turn that was just stopped, or mail.

import type { Ask } from "../../people/ask.ts";
import type { HumanChannel } from "../../people/human-channel.ts";

/** Listens to what a person types for as long as a run goes on. */
export interface Desk {
  open(): void;
  /** The person stopped the turn: what they type next goes to it at once. */
  noteInterrupt(): void;
  close(): void;
}

/** Answers a question beside the run; undefined where nothing can. */
export type AskAside = (question: string) => Promise<string>;

/** Where lines go. */
export interface Destinations {
  readonly channel: HumanChannel | undefined;
  /** Words for an agent without a channel, and for a turn that was just interrupted. */
  readonly interrupt: (words: string) => void;
  /** Told of an answer given after an interruption: whoever stopped the turn has said something since. */
  readonly answered?: () => void;
  /** Takes a question aside; undefined where nothing can answer one: it is then a line like any other. */
  readonly aside: ((question: string) => void) | undefined;
}

/** The question of a line that begins with `?`, full-width or not; undefined for any other line. */
export function sideQuestion(line: string): string | undefined {
  return /^\s*[?？]\s*(\S[\s\S]*)$/u.exec(line)?.[1]?.trimEnd();
}

/** Takes lines to where they belong. */
export class Router {
  readonly #to: Destinations;
  #interrupted = false;

  constructor(destinations: Destinations) {
    this.#to = destinations;
  }

  /** Words typed from now on are for the turn that was stopped. */
  noteInterrupt(): void {
    this.#interrupted = true;
  }

  /** Whether the next words go to a turn that was stopped. */
  get isInterrupted(): boolean {
    return this.#interrupted;
  }

  /** Take a line to its question, or to nobody in particular. A blank line skips a question and says nothing else. */
  take(line: string, question: Ask | undefined): void {
    const aside = this.#to.aside === undefined ? undefined : sideQuestion(line);
    if (aside !== undefined) this.#to.aside?.(aside);
    else if (question === undefined) this.#say(line);
    else if (line.trim() === "") this.#to.channel?.decline(question.id);
    else this.#answer(line, question);
  }

  #answer(line: string, { id }: Ask): void {
    this.#to.channel?.reply(id, line);
    if (!this.#interrupted) return;
    this.#interrupted = false;
    this.#to.answered?.();
  }

  #say(text: string): void {
    const { channel, interrupt } = this.#to;
    if (text.trim() === "") return;
    if (channel !== undefined && !this.#interrupted) {
      channel.send(text);
      return;
    }
    this.#interrupted = false;
    // The inbox is read at a milestone; a person who has stopped the turn means now. The brief keeps it either way.
    channel?.amend(text);
    interrupt(text);
  }
}
