// The desk of a terminal: the open question, what runs now, and the line being typed, below everything that is printed.
// What was typed before a question appeared is never taken for its answer.

import type { Translator } from "../../config/locale/translator.ts";
import type { Ask } from "../../people/ask.ts";
import { chosenAnswer } from "../../people/ask.ts";
import { elapsed, usableWidth } from "../screen/layout.ts";
import type { Editor } from "../terminal/editor.ts";
import type { Key } from "../terminal/key-reader.ts";
import type { Size } from "../terminal/live-terminal.ts";
import type { Row } from "../terminal/painter.ts";
import { type LaidQuestion, layOut, questionRows, wholeHeight } from "../terminal/question-rows.ts";
import { type Desk, type Destinations, Router } from "./desk.ts";
import type { LiveLines, Surroundings } from "./live-lines.ts";

/** Nobody answers what they have seen for a shorter time: what is typed sooner was meant for something else. */
const REACTION_MS = 300;
/** The clock in the status line, and the spinner. */
const TICK_MS = 500;
/** The time left is said once it is short. */
const SHORT_S = 600;

/** What the desk works with. */
export interface LiveDeskParts extends Destinations {
  readonly lines: LiveLines;
  readonly t: Translator;
  /** The status row, in so many cells. */
  readonly status: (width: number) => Row;
  /** How long a question must have stood there to be answered. @defaultValue 300 ms: nobody reads and types faster */
  readonly reactionMs?: number;
}

/** The question on the screen. */
interface Shown {
  readonly ask: Ask;
  /** Long enough on the screen to be answered. */
  ready: boolean;
  picked: number | undefined;
}

/** Where what is being typed goes, fixed by its first character: to a question, or to nobody in particular. */
interface Target {
  readonly ask: Ask | undefined;
}

/** Listens to the keyboard for as long as a run goes on. */
export class LiveDesk implements Desk, Surroundings {
  readonly #parts: LiveDeskParts;
  readonly #router: Router;
  #shown: Shown | undefined;
  #target: Target | undefined;
  /** The question as it was laid out last: every frame and every event asks for it. */
  #laid: { readonly ask: Ask; readonly question: LaidQuestion } | undefined;
  #stopListening: (() => void) | undefined;
  #ready: NodeJS.Timeout | undefined;
  #clock: NodeJS.Timeout | undefined;

  constructor(parts: LiveDeskParts) {
    this.#parts = parts;
    this.#router = new Router(parts);
  }

  open(): void {
    const { lines, channel } = this.#parts;
    this.#stopListening = channel?.listen((event) => {
      if (event.kind === "ask" && event.payload.kind !== "mail") this.#look();
    });
    // What was typed before the run began is no answer to anything.
    for (let line = lines.shift(); line !== undefined; line = lines.shift()) {
      this.#router.take(line, undefined);
    }
    lines.listen((line) => this.#typed(line));
    lines.surround(this);
    this.#clock = setInterval(() => lines.refresh(), TICK_MS);
  }

  noteInterrupt(): void {
    this.#router.noteInterrupt();
    this.#parts.lines.refresh();
  }

  close(): void {
    clearInterval(this.#clock);
    clearTimeout(this.#ready);
    this.#stopListening?.();
    this.#parts.lines.listen(undefined);
    this.#parts.lines.surround(undefined);
  }

  /** Whether a question is shown here in full, so that it need not be printed before it is settled. */
  shows(id: string): boolean {
    const { lines } = this.#parts;
    const shown = this.#shown;
    if (!lines.isSeen || shown === undefined || shown.ask.id !== id) return false;
    const { columns, rows } = lines.size;
    return wholeHeight(this.#lay(shown, this.#width(columns))) <= rows - 3;
  }

  rows({ columns }: Size, height: number): readonly Row[] {
    const width = this.#width(columns);
    const status = this.#parts.status(width);
    if (height <= 1) return height === 1 ? [status] : [];
    const shown = this.#shown;
    if (shown === undefined) return [status];
    const laid = this.#lay(shown, width);
    const gap: Row[] = wholeHeight(laid) + 2 <= height ? [{ tone: "plain", text: "" }] : [];
    const hint = this.#hintOf(shown.ask, shown.ready);
    return [...gap, ...questionRows(laid, hint, height - 1 - gap.length), status];
  }

  mark(): string {
    const answers = this.#target === undefined ? this.#shown?.ready === true : this.#target.ask !== undefined;
    if (answers) return "? ";
    return this.#router.isInterrupted ? "! " : "> ";
  }

  hint(): string {
    const { t, aside } = this.#parts;
    if (this.#shown?.ready === true) return "";
    if (this.#router.isInterrupted) return t("prompt.interrupted");
    if (this.#shown !== undefined) return "";
    return t(aside === undefined ? "prompt.say" : "prompt.idle");
  }

  key(key: Key, line: Editor): boolean {
    const shown = this.#shown;
    if (key.kind !== "key" || line.text !== "") return false;
    if (shown?.ready !== true) return false;
    const count = shown.ask.options.length;
    switch (key.name) {
      case "up":
      case "down": {
        if (count === 0) return false;
        const step = key.name === "up" ? -1 : 1;
        shown.picked =
          shown.picked === undefined ? (step > 0 ? 0 : count - 1) : (shown.picked + step + count) % count;
        return true;
      }
      case "escape":
        shown.picked = undefined;
        return true;
      default:
        return false;
    }
  }

  changed(before: Editor, after: Editor): void {
    // A key that only moves the cursor, or finds nothing to take away, says nothing.
    if (after.text === before.text) return;
    const shown = this.#shown;
    const begun = before.text === "" && shown?.ready === true ? shown.ask : undefined;
    const target = this.#target ?? { ask: begun };
    this.#target = after.text === "" ? undefined : target;
    // A number for a question that was settled meanwhile means no option of the next one.
    if (shown === undefined || target.ask !== shown.ask) return;
    // A number shows what it stands for before Enter says so.
    const { options } = shown.ask;
    const named = options.indexOf(chosenAnswer(options, after.text));
    shown.picked = named >= 0 && /^\s*\p{Nd}+\s*$/u.test(after.text) ? named : undefined;
  }

  #typed(line: string): void {
    const shown = this.#shown;
    const target = this.#target;
    this.#target = undefined;
    if (target !== undefined) this.#router.take(line, target.ask);
    else if (shown?.ready === true) {
      const { ask, picked } = shown;
      this.#router.take(picked === undefined ? "" : String(picked + 1), ask);
    }
    // Whatever was said, an open question is looked at anew from here on.
    const isForAnybody = target !== undefined && target.ask === undefined;
    if (isForAnybody && this.#shown !== undefined) this.#arm(this.#shown);
  }

  #look(): void {
    const [ask] = this.#parts.channel?.pending() ?? [];
    if (ask?.id !== this.#shown?.ask.id) {
      this.#shown = ask === undefined ? undefined : { ask, ready: false, picked: undefined };
      if (this.#shown !== undefined) this.#arm(this.#shown);
    }
    this.#parts.lines.refresh();
  }

  #arm(shown: Shown): void {
    shown.ready = false;
    clearTimeout(this.#ready);
    this.#ready = setTimeout(() => {
      shown.ready = true;
      this.#parts.lines.refresh();
    }, this.#parts.reactionMs ?? REACTION_MS);
  }

  #lay({ ask, picked }: Shown, width: number): LaidQuestion {
    const before = this.#laid;
    if (before?.ask === ask && before.question.picked === picked && before.question.width === width)
      return before.question;
    const words = this.#parts.t("question.asked", { id: ask.id, question: ask.question });
    const question = layOut({ words, options: ask.options, picked }, width);
    this.#laid = { ask, question };
    return question;
  }

  #hintOf(ask: Ask, ready: boolean): string {
    const { t, channel } = this.#parts;
    if (this.#target !== undefined && this.#target.ask === undefined) return t("question.typing");
    if (!ready) return "";
    const count = ask.options.length;
    const others = (channel?.pending().length ?? 1) - 1;
    const left = ask.askedAt + (channel?.timeoutS ?? Number.POSITIVE_INFINITY) - Date.now() / 1000;
    return [
      count === 0 ? t("question.prompt") : t("question.prompt_options", { count }),
      ...(others > 0 ? [t("question.others", { count: others })] : []),
      ...(left <= SHORT_S ? [t("question.left", { time: elapsed(left) })] : []),
    ].join(" · ");
  }

  #width(columns: number): number {
    return Math.min(columns - 1, usableWidth(columns));
  }
}
