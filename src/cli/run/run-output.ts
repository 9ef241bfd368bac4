// What a run prints: lines for a person, or events for a program. One object a run, so that its counters are never lost.

import { oneLine, stripEscapes } from "../../core/text.ts";
import { createEvent, type Event } from "../../events/event.ts";
import type { Runtime } from "../../runtime/runtime.ts";
import type { CommandContext } from "../command-context.ts";
import { EventPrinter } from "../screen/event-printer.ts";
import { marked } from "../screen/layout.ts";
import type { Tone } from "../screen/paint.ts";
import { renderSaid } from "../screen/render-ask.ts";
import { type RunEnd, renderEnd } from "../screen/render-end.ts";
import { readWaitingWork, type WaitingWork } from "../screen/render-integration.ts";
import { RunMeter } from "../screen/run-meter.ts";
import type { View } from "../screen/view.ts";
import type { Row } from "../terminal/painter.ts";
import { endOfRun } from "./end-of-run.ts";
import type { Ending } from "./ending.ts";
import { viewOf } from "./view-of.ts";

/** The end of a run as said to the outside. */
export interface Summary {
  readonly exitCode: number;
  /** Undefined when the run never got as far as having books. */
  readonly manifest: string | undefined;
  readonly costUsd: number;
  /** Whose word let the work pass, where it was judged. */
  readonly passedBy?: "judge" | "person";
  readonly reason?: string;
  readonly hint?: string;
}

/** A place on the screen that shows by itself what is the matter now. */
export interface LiveScreen {
  /** Whether this question is shown there until it is settled. */
  readonly shows: (questionId: string) => boolean;
}

/** Prints a run. */
export class RunOutput {
  readonly #context: CommandContext;
  readonly #meter = new RunMeter();
  readonly #printer = new EventPrinter();
  readonly #startedMs = Date.now();
  #live: LiveScreen | undefined;
  #verdict: RunEnd["verdict"];
  /** Isolated work as it was brought together last. */
  #waiting: WaitingWork | undefined;

  constructor(context: CommandContext) {
    this.#context = context;
  }

  /** Show every event of a Runtime. */
  follow(runtime: Runtime): void {
    const { io, command } = this.#context;
    runtime.listen((event) => {
      this.#note(event);
      if (command.globals.json) io.out(JSON.stringify(event));
      else this.#show(event, runtime);
    });
  }

  /** From now on, what is the matter now is shown elsewhere too; undefined: no more. */
  showOn(live: LiveScreen | undefined): void {
    this.#live = live;
  }

  /** The status line as it is now, in so many cells. */
  statusRow(runtime: Runtime, width: number): Row {
    const { t } = this.#context;
    return { tone: "faint", text: this.#meter.liveLine({ t, width }, runtime.totalCost()) };
  }

  /** A person's words that no event tells of. */
  said(words: string): void {
    const { io, command } = this.#context;
    if (!command.globals.json) for (const line of renderSaid(words, this.#view())) io.out(line);
  }

  /** Lines beside the events: for a person on standard output, for a program out of its way. */
  say(tone: Tone, mark: string, text: string): void {
    const { io, command } = this.#context;
    const view = this.#view();
    const print = command.globals.json ? io.err : io.out;
    for (const line of marked(mark, stripEscapes(text), view.width)) print(view.paint(tone, line));
  }

  /** Why a run stopped, on standard error, with what to do next. Not folded: programs look for these words. */
  stopped(ending: Extract<Ending, { kind: "stopped" }>): void {
    const { io, t } = this.#context;
    io.err(stripEscapes(`x ${t("end.stopped", { reason: ending.reason })}`));
    if (ending.hint !== "") io.err(stripEscapes(`  ${t("error.next", { hint: ending.hint })}`));
  }

  /** What the run has come to, for a person. */
  async end(runtime: Runtime, came: Pick<RunEnd, "isDone" | "asideUsd">): Promise<void> {
    const { io, command } = this.#context;
    if (command.globals.json) return;
    const view = this.#view(runtime.workspace);
    for (const line of this.#printer.rest(view)) io.out(line);
    const facts = { startedMs: this.#startedMs, verdict: this.#verdict, env: io.env };
    const end = await endOfRun({ runtime, ...came, ...facts });
    if (end !== undefined) for (const line of renderEnd(end, view)) io.out(line);
  }

  /** The last line. */
  summary(summary: Summary): void {
    const { io, t, command } = this.#context;
    const { exitCode: exit, manifest = null, costUsd: cost, reason, hint } = summary;
    const why = { ...(reason === undefined ? {} : { reason }), ...(hint === undefined ? {} : { hint }) };
    if (command.globals.json) {
      const text = exit === 0 ? "done" : oneLine(reason ?? "stopped", 500);
      const passed = summary.passedBy === undefined ? {} : { passed_by: summary.passedBy };
      const integration = this.#waiting === undefined ? {} : { integration: this.#waiting };
      const payload = { notice: "summary", cost, manifest, exit, ...passed, ...why, ...integration };
      io.out(JSON.stringify(createEvent("task", { text, payload })));
    } else if (manifest !== null) {
      if (this.#waiting !== undefined)
        this.say("plain", "# ", t("integration.waiting", { ...this.#waiting }));
      io.out(t("total.line", { cost: `$${cost.toFixed(4)}`, path: manifest }));
    }
  }

  #show(event: Event, runtime: Runtime): void {
    const { io, t } = this.#context;
    const view = this.#view(runtime.workspace);
    this.#meter.read(event, this.#printer.nameOf(event), runtime.workspace);
    const shows = (id: string) => this.#live?.shows(id) === true;
    for (const line of this.#printer.lines(event, view, shows)) io.out(line);
    if (event.kind !== "result" || this.#live !== undefined) return;
    // The books charge a result right after it was told: look once they have.
    queueMicrotask(() => io.out(view.paint("faint", this.#meter.line(t, runtime.totalCost()))));
  }

  #note(event: Event): void {
    if (event.kind !== "task") return;
    const { notice, state, round, rounds } = event.payload;
    if (notice === "integration") this.#waiting = readWaitingWork(event.payload);
    const isAccepted = notice === "accepted";
    if (!isAccepted && notice !== "verdict") return;
    this.#verdict = {
      state: isAccepted ? "accepted" : String(state),
      round: Number(round),
      rounds: Number(rounds),
    };
  }

  #view(folder = ""): View {
    return viewOf(this.#context, folder);
  }
}
