// What is remembered of one step while its events are printed. Pure but for that memory.

import { oneLine } from "../../core/text.ts";
import type { Event } from "../../events/event.ts";
import { readAttempt, stepOfAttempt } from "../../workflow/attempt-name.ts";
import { Dispatches, type Place } from "./dispatches.ts";
import { minorRule } from "./layout.ts";
import { renderEvent } from "./render-event.ts";
import type { View } from "./view.ts";

/** May come between a document and what follows from it, without being that. */
const MEANWHILE = ["result", "system", "thinking", "prompt", "tool_result", "task", "unknown"];

/** Name of the step an event belongs to, attempt and round included; empty where none is said. */
function attemptOf(event: Event): string {
  const { step } = event.payload as Readonly<Record<string, unknown>>;
  return typeof step === "string" ? step : "";
}

/** The step's own name, without rounds and judges; empty where none is said. */
export function stepOf(event: Event): string {
  return event.kind === "step" ? event.text : stepOfAttempt(attemptOf(event));
}

/** Characters of an error that are looked for in what follows from it. */
const ERROR_CHARS = 2_000;

/** The step itself failed, not one of its workers. */
function isOwnError(event: Event): boolean {
  return event.kind === "error" && event.payload.subagent !== true;
}

/** Says again what was kept back: a document in a few lines, an error together with when it is tried again. */
function isTelling(event: Event, kept: Event | undefined): boolean {
  if (kept?.kind === "error") {
    const isAttempt = event.kind === "retry" && event.payload.phase === "failed";
    return isAttempt && oneLine(event.text, ERROR_CHARS).includes(oneLine(kept.text, ERROR_CHARS));
  }
  if (event.kind === "handoff") return event.payload.phase === "done";
  return event.kind === "task" && event.payload.notice === "verdict";
}

/** One step as it is heard. */
export class Voice {
  readonly #dispatches = new Dispatches();
  /** A document that will be told in a few lines, or an error that may be. */
  #kept: Event | undefined;
  #handsOver = false;
  #attempt = "";

  /** Label of the worker an event comes from; empty for the main thread. */
  nameOf(event: Event): string {
    return this.#dispatches.nameOf(event);
  }

  /** The lines of the step's next event. */
  lines(event: Event, view: View): string[] {
    const place: Place = this.#dispatches.place(event);
    const isDocument = this.#isDocument(event) && !view.verbose;
    const isNewer = isDocument && this.#kept?.kind !== "error";
    if (isNewer || isTelling(event, this.#kept)) this.#kept = undefined;
    const before = MEANWHILE.includes(event.kind) ? [] : this.rest(view);
    const round = this.#roundBegun(event, view);
    const isKept = isDocument || isOwnError(event);
    if (isKept) this.#kept = event;
    return [...before, ...round, ...(isKept ? [] : renderEvent(event, view, place))];
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
    return isProse && (this.#handsOver || readAttempt(attemptOf(event)).kind === "verdict");
  }

  /** A judge begins, or work goes back: what follows is another voice. */
  #roundBegun(event: Event, { t, paint, width }: View): string[] {
    const attempt = attemptOf(event);
    if (attempt === "" || attempt === this.#attempt) return [];
    this.#attempt = attempt;
    const { kind, number: round } = readAttempt(attempt);
    if (kind !== "verdict" && kind !== "round") return [];
    const judging = round === 0 ? t("step.judging_first") : t("step.judging", { round });
    const title = kind === "verdict" ? judging : t("step.round", { round });
    return ["", paint("faint", minorRule(title, width))];
  }
}
