// The run's events on disk, one JSON line each, bounded: for `logs` and for looking back. The first line of each file says
// whose they are, the last one that the run was closed.

import { appendFileSync, renameSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { epochS } from "../core/clock.ts";
import { selfMark } from "../core/processes.ts";
import { createEvent, type Event } from "../events/event.ts";

/** Two files of this size at most: enough for days of events, nothing a disk would notice. */
const FILE_BYTES = 8 * 1024 * 1024;

/** `payload.notice` of the lines that speak of the run itself; they are in the log alone and go to no listener. */
export const RUN_NOTICE = "run";

/** Paths of a run's events: the file being written, and the one before it. */
export function eventLogPaths(
  runDir: string,
  run: string,
): { readonly path: string; readonly older: string } {
  return { path: join(runDir, `events-${run}.jsonl`), older: join(runDir, `events-${run}.older.jsonl`) };
}

/** Writes events of one run. A failed write is reported once and never stops work. */
export class EventLog {
  readonly path: string;
  readonly #run: string;
  readonly #older: string;
  readonly #onFault: (error: unknown) => void;
  #bytes = 0;
  #isOpen = false;
  #failed = false;

  constructor(runDir: string, run: string, onFault: (error: unknown) => void) {
    const { path, older } = eventLogPaths(runDir, run);
    this.path = path;
    this.#run = run;
    this.#older = older;
    this.#onFault = onFault;
  }

  write(event: Event): void {
    this.#guard(() => {
      if (!this.#isOpen) this.#append(this.#line("begun"));
      this.#isOpen = true;
      const line = toLine(event);
      if (this.#bytes + Buffer.byteLength(line) > FILE_BYTES) {
        renameSync(this.path, this.#older);
        this.#bytes = 0;
        this.#append(this.#line("continued"));
      }
      this.#append(line);
    });
  }

  /** Say that the run is over; nothing when it had no events. */
  close(): void {
    this.#guard(() => {
      if (this.#isOpen) this.#append(this.#line("ended"));
      this.#isOpen = false;
    });
  }

  #line(state: "begun" | "continued" | "ended"): string {
    const payload = { notice: RUN_NOTICE, state, run: this.#run, host: hostname(), ...selfMark() };
    return toLine(createEvent("task", { payload }));
  }

  #append(line: string): void {
    appendFileSync(this.path, line);
    this.#bytes += Buffer.byteLength(line);
  }

  #guard(work: () => void): void {
    if (this.#failed) return;
    try {
      work();
    } catch (error) {
      this.#failed = true;
      this.#onFault(error);
    }
  }
}

function toLine(event: Event): string {
  return `${JSON.stringify({ at: epochS(), ...event })}\n`;
}
