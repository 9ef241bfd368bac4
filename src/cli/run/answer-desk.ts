// The desk of a pipe, where each line answers one question, and of a terminal that can do no more than print.

import { sleep } from "../../core/clock.ts";
import type { Ask } from "../../people/ask.ts";
import { type Desk, type Destinations, Router } from "./desk.ts";
import type { LineSource } from "./line-source.ts";

/** Lines of one paste arrive within this time of each other; nobody types that fast. */
const PASTE_MS = 40;

/** What the desk works with. */
export interface DeskParts extends Destinations {
  readonly lines: LineSource;
  /** A person types: blank lines skip, stray words are mail. False: a pipe of answers. */
  readonly isTty: boolean;
  /** Show which question is being answered. */
  readonly showPrompt: (ask: Ask) => void;
}

/** Listens to standard input for as long as a run goes on. */
export class AnswerDesk implements Desk {
  readonly #parts: DeskParts;
  readonly #router: Router;
  #stopListening: (() => void) | undefined;
  #burst: string[] = [];
  #meant: Ask | undefined;
  #shown = "";

  constructor(parts: DeskParts) {
    this.#parts = parts;
    this.#router = new Router(parts);
  }

  open(): void {
    const { lines, channel, isTty } = this.#parts;
    this.#stopListening = channel?.listen((event) => {
      // Later, so that the question is on the screen before its answer.
      if (event.kind === "ask" && event.payload.kind !== "mail") queueMicrotask(() => this.#look());
    });
    if (!isTty) {
      lines.listen((line) => this.#piped(line));
      return;
    }
    // What was typed before the run began is no answer to anything.
    for (let line = lines.shift(); line !== undefined; line = lines.shift()) {
      this.#router.take(line, undefined);
    }
    lines.listen((line) => void this.#typed(line));
  }

  noteInterrupt(): void {
    this.#router.noteInterrupt();
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
    if (!this.#parts.isTty) {
      const line = this.#parts.lines.shift();
      if (line !== undefined) this.#router.take(line, current);
      return;
    }
    if (current.id === this.#shown) return;
    this.#shown = current.id;
    this.#parts.showPrompt(current);
  }

  #piped(line: string): void {
    const current = this.#current();
    if (current === undefined) this.#parts.lines.hold(line);
    else this.#router.take(line, current);
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
    this.#router.take(text, meant);
  }
}
