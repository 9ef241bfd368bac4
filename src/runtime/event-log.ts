// The run's events on disk, one JSON line each, bounded: for `status` and for looking back.

import { appendFileSync, renameSync } from "node:fs";
import { join } from "node:path";
import { epochS } from "../core/clock.ts";
import type { Event } from "../events/event.ts";

/** Two files of this size at most: enough for days of events, nothing a disk would notice. */
const FILE_BYTES = 8 * 1024 * 1024;

/** Writes events of one run. A failed write is reported once and never stops work. */
export class EventLog {
  readonly path: string;
  readonly #older: string;
  readonly #onFault: (error: unknown) => void;
  #bytes = 0;
  #failed = false;

  constructor(runDir: string, run: string, onFault: (error: unknown) => void) {
    this.path = join(runDir, `events-${run}.jsonl`);
    this.#older = join(runDir, `events-${run}.older.jsonl`);
    this.#onFault = onFault;
  }

  write(event: Event): void {
    if (this.#failed) return;
    try {
      const line = `${JSON.stringify({ at: epochS(), ...event })}\n`;
      const bytes = Buffer.byteLength(line);
      if (this.#bytes + bytes > FILE_BYTES) {
        renameSync(this.path, this.#older);
        this.#bytes = 0;
      }
      appendFileSync(this.path, line);
      this.#bytes += bytes;
    } catch (error) {
      this.#failed = true;
      this.#onFault(error);
    }
  }
}
