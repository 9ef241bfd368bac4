// The handoff document on disk: written for people, archived when the next one comes, read back in case a person
// edited it. Without a workbench it lives in memory alone.

import { existsSync, mkdirSync, renameSync } from "node:fs";
import { join } from "node:path";
import { reasonOf, wordsOf } from "../config/locale/words.ts";
import { fileSafe, timestamp } from "../core/ids.ts";
import { readText, writeAtomic } from "../core/json.ts";
import type { Words } from "../core/words.ts";
import { Handoff } from "../documents/handoff.ts";

/** Keeps the documents of one step. */
export class HandoffKeeper {
  readonly #notes: string | undefined;
  readonly #step: string;
  readonly #onFault: (words: Words) => void;
  #written = "";

  /** @param notes the workbench's notes folder, or undefined to keep nothing on disk */
  constructor(notes: string | undefined, step: string, onFault: (words: Words) => void) {
    this.#notes = notes;
    this.#step = fileSafe(step);
    this.#onFault = onFault;
  }

  /** Put a document on disk and the one before into the archive. @returns its path; undefined when it is nowhere. */
  keep(handoff: Handoff): string | undefined {
    if (this.#notes === undefined) return undefined;
    const path = join(this.#notes, `handoff-${this.#step}.md`);
    try {
      this.#archive(path);
      handoff.write(path);
      this.#written = readText(path) ?? "";
      return path;
    } catch (error) {
      this.#onFault(wordsOf("notice.books", { reason: reasonOf(error) }));
      return undefined;
    }
  }

  /** Keep a reply that was no document: it was paid for, and a person may still read it. */
  keepRaw(text: string): void {
    if (this.#notes === undefined || text.trim() === "") return;
    const name = `handoff-${this.#step}-${timestamp()}.md`;
    try {
      writeAtomic(join(this.#notes, "archive", "raw", name), `${text}\n`);
    } catch (error) {
      this.#onFault(wordsOf("notice.books", { reason: reasonOf(error) }));
    }
  }

  /** The document the successor gets: what a person made of it meanwhile, else what was written. */
  takeOver(handoff: Handoff, path: string | undefined): Handoff {
    if (path === undefined || (readText(path) ?? this.#written) === this.#written) return handoff;
    const edited = Handoff.load(path);
    return edited?.complete() === true ? edited : handoff;
  }

  #archive(path: string): void {
    if (!existsSync(path) || this.#notes === undefined) return;
    const folder = join(this.#notes, "archive", "handoff");
    mkdirSync(folder, { recursive: true });
    let target = join(folder, `${this.#step}-${timestamp()}.md`);
    for (let n = 2; existsSync(target); n += 1) target = join(folder, `${this.#step}-${timestamp()}-${n}.md`);
    renameSync(path, target);
  }
}
