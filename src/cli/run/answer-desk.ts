// Takes what is typed to where it belongs: an open question, else the inbox. From a pipe each line answers one question.

import { sleep } from "../../core/clock.ts";
import type { Ask } from "../../people/ask.ts";
import type { HumanChannel } from "../../people/human-channel.ts";
import type { LineSource } from "./line-source.ts";

/** Lines of one paste arrive within this time of each other; nobody types that fast. */
const PASTE_MS = 40;

/** What the desk works with. */
export interface DeskParts {
  readonly lines: LineSource;
  /** A person types: blank lines skip, stray words are mail. False: a pipe of answers. */
  readonly isTty: boolean;
  readonly channel: HumanChannel | undefined;
  /** Words for an agent without a channel, and for a turn that was just interrupted. */
  readonly interrupt: (words: string) => void;
  /** Show which question is being answered. */
  readonly showPrompt: (ask: Ask) => void;
}

/** Listens to standard input for as long as a run goes on. */
export class AnswerDesk {
  readonly #parts: DeskParts;
  #stopListening: (() => void) | undefined;
  #burst: string[] = [];
  #meant: Ask | undefined;
  #shown = "";
  #interrupted = false;

  constructor(parts: DeskParts) {
    this.#parts = parts;
  }

  /** Begin. */
  open(): void {
    const { lines, channel, isTty } = this.#parts;
    this.#stopListening = channel?.listen((event) => {
      // Later, so that the question is on the screen before its answer.
      if (event.kind === "ask" && event.payload.kind !== "mail") queueMicrotask(() => this.#look());
    });
    if (isTty) {
      // What was typed before the run began is no answer to anything.
      while (lines.shift() !== undefined);
      lines.listen((line) => void this.#typed(line));
      lines.pin();
    } else lines.listen((line) => this.#piped(line));
  }

  /** The person stopped the turn: what they type next goes to it at once. */
  noteInterrupt(): void {
    this.#interrupted = true;
  }

  close(): void {
    this.#stopListening?.();
    this.#parts.lines.listen(undefined);
  }

  #current(): Ask | undefined {
    return this.#parts.channel?.pending()[0];
  }

  #look(): void {
    const current = this.#current();
    if (current === undefined) return;
    const line = this.#parts.isTty ? undefined : this.#parts.lines.shift();
    if (line !== undefined) this.#answer(current, line);
    if (line !== undefined || current.id === this.#shown || !this.#parts.isTty) return;
    this.#shown = current.id;
    this.#parts.showPrompt(current);
  }

  #piped(line: string): void {
    const current = this.#current();
    if (current === undefined) this.#parts.lines.hold(line);
    else this.#answer(current, line);
  }

  /** Lines of one paste belong together; the question they answer is the one open when the first of them came. */
  async #typed(line: string): Promise<void> {
    this.#burst.push(line);
    if (this.#burst.length > 1) return;
    this.#meant = this.#current();
    let seen = 0;
    while (seen !== this.#burst.length) {
      seen = this.#burst.length;
      await sleep(PASTE_MS);
    }
    const text = this.#burst.join("\n").trimEnd();
    const meant = this.#meant;
    this.#burst = [];
    if (meant !== undefined) this.#answer(meant, text);
    else if (text.trim() !== "") this.#say(text);
  }

  #answer(ask: Ask, text: string): void {
    const { channel } = this.#parts;
    if (text.trim() === "") channel?.decline(ask.id);
    else channel?.reply(ask.id, text);
  }

  #say(text: string): void {
    const { channel, interrupt } = this.#parts;
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
