// Which steps of a group have come to their end, on disk: what was paid for side by side is not run again after a kill.

import { rmSync } from "node:fs";
import { join } from "node:path";
import { reasonOf, wordsOf } from "../config/locale/words.ts";
import { sha256 } from "../core/ids.ts";
import { isRecord, readJson, writeAtomic } from "../core/json.ts";
import type { Words } from "../core/words.ts";

/** What a finished step left. */
export interface FinishedStep {
  /** What it wrote to the context. */
  readonly text: string;
  readonly sessionId: string | null;
}

/** Where they are kept and whose they are. */
interface FinishedStepsInput {
  readonly runDir: string;
  /** Real path; a file of another workspace counts as absent. */
  readonly workspace: string;
  /** Told once when it cannot be written; work goes on. */
  readonly onFault: (words: Words) => void;
}

interface Entry extends FinishedStep {
  /** Hash of the prompt it was given: another prompt is other work. */
  readonly prompt: string;
}

function toEntry(value: unknown): Entry | undefined {
  if (!isRecord(value) || typeof value.text !== "string" || typeof value.prompt !== "string")
    return undefined;
  return {
    text: value.text,
    prompt: value.prompt,
    sessionId: typeof value.session_id === "string" ? value.session_id : null,
  };
}

/** Finished steps of a workflow that has not come to its end. Damaged or absent: nothing is finished. */
export class FinishedSteps {
  readonly #path: string;
  readonly #input: FinishedStepsInput;
  readonly #entries = new Map<string, Entry>();
  #told = false;

  constructor(input: FinishedStepsInput) {
    this.#input = input;
    this.#path = join(input.runDir, "finished.json");
    const read = readJson(this.#path);
    if (read.kind !== "value" || !isRecord(read.value) || read.value.workspace !== input.workspace) return;
    for (const [name, value] of Object.entries(isRecord(read.value.steps) ? read.value.steps : {})) {
      const entry = toEntry(value);
      if (entry !== undefined) this.#entries.set(name, entry);
    }
  }

  /** What a step left, if it finished with this very prompt. */
  of(step: string, prompt: string): FinishedStep | undefined {
    const entry = this.#entries.get(step);
    return entry?.prompt === sha256(prompt) ? entry : undefined;
  }

  /** Note that a step is finished; on disk when the call returns. */
  note(step: string, prompt: string, left: FinishedStep): void {
    this.#entries.set(step, { ...left, prompt: sha256(prompt) });
    const steps = [...this.#entries].map(([name, { text, sessionId, prompt: of }]) => [
      name,
      { text, session_id: sessionId, prompt: of },
    ]);
    const record = { workspace: this.#input.workspace, steps: Object.fromEntries(steps) };
    this.#try(() => writeAtomic(this.#path, `${JSON.stringify(record, null, 1)}\n`));
  }

  /** The workflow came to its end: a later run begins all steps. */
  clear(): void {
    this.#entries.clear();
    this.#try(() => rmSync(this.#path, { force: true }));
  }

  #try(write: () => void): void {
    try {
      write();
    } catch (error) {
      if (!this.#told) this.#input.onFault(wordsOf("notice.books", { reason: reasonOf(error) }));
      this.#told = true;
    }
  }
}
