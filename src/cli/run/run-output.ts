// What a run prints: lines for a person, or events for a program. One object a run, so that its counters are never lost.

import { oneLine, stripEscapes } from "../../core/text.ts";
import { createEvent, type Event } from "../../events/event.ts";
import type { Runtime } from "../../runtime/runtime.ts";
import type { CommandContext } from "../command-context.ts";
import { marked, usableWidth } from "../screen/layout.ts";
import { createPaint, type Tone, wantsColours } from "../screen/paint.ts";
import { renderEvent } from "../screen/render-event.ts";
import { RunMeter } from "../screen/run-meter.ts";
import type { View } from "../screen/view.ts";
import type { Ending } from "./ending.ts";

/** The end of a run as said to the outside. */
export interface Summary {
  readonly exitCode: number;
  /** Undefined when the run never got as far as having books. */
  readonly manifest: string | undefined;
  readonly costUsd: number;
  readonly reason?: string;
  readonly hint?: string;
}

/** Prints a run. */
export class RunOutput {
  readonly #context: CommandContext;
  readonly #meter = new RunMeter();

  constructor(context: CommandContext) {
    this.#context = context;
  }

  /** Show every event of a Runtime. */
  follow(runtime: Runtime): void {
    const { io, command } = this.#context;
    if (command.globals.json) {
      runtime.listen((event) => io.out(JSON.stringify(event)));
      return;
    }
    runtime.listen((event) => this.#show(event, runtime));
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

  /** The last line. */
  summary(summary: Summary): void {
    const { io, t, command } = this.#context;
    const { exitCode: exit, manifest = null, costUsd: cost, reason, hint } = summary;
    const why = { ...(reason === undefined ? {} : { reason }), ...(hint === undefined ? {} : { hint }) };
    if (command.globals.json) {
      const text = exit === 0 ? "done" : oneLine(reason ?? "stopped", 500);
      const payload = { notice: "summary", cost, manifest, exit, ...why };
      io.out(JSON.stringify(createEvent("task", { text, payload })));
    } else if (manifest !== null) {
      io.out(t("total.line", { cost: `$${cost.toFixed(4)}`, path: manifest }));
    }
  }

  #show(event: Event, runtime: Runtime): void {
    const { io, t } = this.#context;
    const view = this.#view();
    for (const line of renderEvent(event, view)) io.out(line);
    this.#meter.read(event);
    if (event.kind !== "result") return;
    // The books charge a result right after it was told: look once they have.
    queueMicrotask(() => io.out(view.paint("faint", this.#meter.line(t, runtime.totalCost()))));
  }

  #view(): View {
    const { io, t, command } = this.#context;
    const { noColor, verbose } = command.globals;
    const colours = wantsColours({ isTty: io.outIsTty, noColor, env: io.env });
    return { t, verbose, width: usableWidth(io.columns()), paint: createPaint(colours) };
  }
}
