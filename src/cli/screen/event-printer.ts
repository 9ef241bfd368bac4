// Events -> lines, with what only their order tells: which step and which worker speaks, and which questions were printed
// already. Verdicts and handoffs are told twice, as a document and as what follows from it; they are printed once.

import { displayWidth } from "../../core/cells.ts";
import { oneLine } from "../../core/text.ts";
import type { Event, EventOf } from "../../events/event.ts";
import { renderQuestion } from "./render-ask.ts";
import type { View } from "./view.ts";
import { stepOf, Voice } from "./voice.ts";

const NAME_CHARS = 24;

/** Prints the events of one run, in their order. */
export class EventPrinter {
  /** The steps at work side by side, by name; without a name, the only one. */
  readonly #voices = new Map<string, Voice>();
  /** Questions that are on the screen and not printed yet. */
  readonly #unprinted = new Set<string>();
  /** The group whose steps run side by side, where each line says whose it is; undefined for a step alone. */
  #group: string | undefined;

  /** Label of who an event comes from; empty for the main thread of the only step. Ask before printing it. */
  nameOf(event: Event): string {
    const step = this.#stepOf(event);
    const worker = this.#voice(step).nameOf(event);
    return [oneLine(step, NAME_CHARS), worker].filter(Boolean).join("/");
  }

  /** The lines of the next event. A question that `shows` says is on the screen is printed once it is settled. */
  lines(event: Event, view: View, shows: (questionId: string) => boolean = () => false): string[] {
    const before = event.kind === "step" ? this.#begin(event, view) : [];
    const lines = this.#spoken(event, view);
    return [...before, ...this.#asked(event, view, { lines, shows })];
  }

  /** What was kept back and is not told in other words after all. */
  rest(view: View): string[] {
    return [...this.#voices].flatMap(([step, voice]) => this.#marked(step, view, (own) => voice.rest(own)));
  }

  /** A step that is in no group with those at work ends them all. */
  #begin({ payload: { group } }: EventOf<"step">, view: View): string[] {
    if (group !== undefined && group === this.#group) return [];
    const rest = this.rest(view);
    this.#voices.clear();
    this.#group = group;
    return rest;
  }

  #voice(step: string): Voice {
    const known = this.#voices.get(step);
    if (known !== undefined) return known;
    const voice = new Voice();
    this.#voices.set(step, voice);
    return voice;
  }

  /** Where there is only one step, all that is told belongs to it, also what names none. */
  #stepOf(event: Event): string {
    return this.#group === undefined ? "" : stepOf(event);
  }

  #spoken(event: Event, view: View): string[] {
    const step = this.#stepOf(event);
    const voice = this.#voice(step);
    if (event.kind === "step") return voice.lines(event, view);
    return this.#marked(step, view, (own) => voice.lines(event, own));
  }

  /** What a step says, its name before each line where several are at work. */
  #marked(step: string, view: View, say: (view: View) => string[]): string[] {
    if (step === "") return say(view);
    const mark = `${oneLine(step, NAME_CHARS)}: `;
    const narrower = { ...view, width: Math.max(20, view.width - displayWidth(mark)) };
    return say(narrower).map((line) => (line === "" ? line : `${view.paint("faint", mark)}${line}`));
  }

  #asked(
    event: Event,
    view: View,
    { lines, shows }: { readonly lines: string[]; readonly shows: (questionId: string) => boolean },
  ): string[] {
    if (event.kind !== "ask" || event.payload.kind === "mail") return lines;
    const id = String(event.payload.id);
    if (event.payload.state === "asked" && shows(id)) {
      this.#unprinted.add(id);
      return [];
    }
    if (!this.#unprinted.delete(id)) return lines;
    return lines.length === 0 ? [] : [...renderQuestion(event, view), ...lines];
  }
}
