// Events -> lines, with what only their order tells: who speaks, which questions were printed already, and that verdicts
// and handoffs are told twice, in the form of a document and as what follows from it.

import type { Event } from "../../events/event.ts";
import { Dispatches } from "./dispatches.ts";
import { minorRule } from "./layout.ts";
import { renderQuestion } from "./render-ask.ts";
import { renderEvent } from "./render-event.ts";
import type { View } from "./view.ts";

/** May come between a document and what follows from it, without being that. */
const MEANWHILE = ["result", "system", "thinking", "prompt", "tool_result", "task", "unknown"];

/** Name of the step an event belongs to, attempt and round included; empty where none is said. */
function stepOf(event: Event): string {
  const { step } = event.payload as Readonly<Record<string, unknown>>;
  return typeof step === "string" ? step : "";
}

/** The round of a judge at work, or of work that goes back; undefined for every other step. */
function roundOf(step: string): { readonly isJudged: boolean; readonly round: number } | undefined {
  const found = /(?::verdict|#round)#?(\d{1,6})/.exec(step);
  return found === null ? undefined : { isJudged: step.includes(":verdict"), round: Number(found[1]) };
}

/** Says in a few lines what a document kept back says. */
function isTelling(event: Event): boolean {
  if (event.kind === "handoff") return event.payload.phase === "done";
  return event.kind === "task" && event.payload.notice === "verdict";
}

/** Prints the events of one run, in their order. */
export class EventPrinter {
  readonly #dispatches = new Dispatches();
  /** Questions that are on the screen and not printed yet. */
  readonly #unprinted = new Set<string>();
  /** A document that will be told in a few lines. */
  #kept: Event | undefined;
  #handsOver = false;
  #step = "";

  /** Label of the worker an event comes from; empty for the main thread. Ask before printing it. */
  nameOf(event: Event): string {
    return this.#dispatches.nameOf(event);
  }

  /** The lines of the next event. A question that `shows` says is on the screen is printed once it is settled. */
  lines(event: Event, view: View, shows: (questionId: string) => boolean = () => false): string[] {
    const place = this.#dispatches.place(event);
    if (!view.verbose && this.#isDocument(event)) {
      this.#kept = event;
      return [];
    }
    if (isTelling(event)) this.#kept = undefined;
    const before = MEANWHILE.includes(event.kind) ? [] : this.rest(view);
    const round = this.#roundBegun(event, view);
    const lines = renderEvent(event, view, place);
    return [...before, ...round, ...this.#asked(event, view, { lines, shows })];
  }

  /** What was kept back and is not told in other words after all. */
  rest(view: View): string[] {
    const kept = this.#kept;
    this.#kept = undefined;
    return kept === undefined ? [] : renderEvent(kept, view);
  }

  #isDocument(event: Event): boolean {
    if (event.kind === "handoff") this.#handsOver = event.payload.phase === "writing";
    if (event.kind === "step") this.#handsOver = false;
    const isProse = event.kind === "text" && event.payload.subagent !== true;
    return isProse && (this.#handsOver || stepOf(event).includes(":verdict"));
  }

  /** A judge begins, or work goes back: what follows is another voice. */
  #roundBegun(event: Event, { t, paint, width }: View): string[] {
    const step = stepOf(event);
    if (step === "" || step === this.#step) return [];
    this.#step = step;
    const begun = roundOf(step);
    if (begun === undefined) return [];
    const { isJudged, round } = begun;
    const judging = round === 0 ? t("step.judging_first") : t("step.judging", { round });
    const title = isJudged ? judging : t("step.round", { round });
    return ["", paint("faint", minorRule(title, width))];
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
