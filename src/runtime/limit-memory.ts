// A usage limit that is being waited out, on disk: a run that is killed meanwhile still knows until when.

import { rmSync } from "node:fs";
import { join } from "node:path";
import { isRecord, readJson, writeAtomic } from "../core/json.ts";

/** Remembers when a limit ends. Faults of the disk are passed over: the wait itself goes on. */
export class LimitMemory {
  readonly #path: string;

  constructor(runDir: string) {
    this.#path = join(runDir, "limit.json");
  }

  /** Epoch seconds at which the known limit ends; undefined when none is known or it is over. */
  until(nowS: number): number | undefined {
    const read = readJson(this.#path);
    const at = read.kind === "value" && isRecord(read.value) ? read.value.reset_at : undefined;
    return typeof at === "number" && at > nowS ? at : undefined;
  }

  remember(resetAt: number): void {
    try {
      writeAtomic(this.#path, `${JSON.stringify({ reset_at: resetAt })}\n`);
    } catch {
      // The disk may be full: not remembering costs one failed request after a kill.
    }
  }

  forget(): void {
    try {
      rmSync(this.#path, { force: true });
    } catch {
      // A file that stays names a time that has passed.
    }
  }
}
