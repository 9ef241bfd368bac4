// Brief and goal while a run works with them: what counts is the text that was frozen, not what an agent made of the
// file. A change while an agent works is reported and asked about; at any other time it is a person's edit and counts.

import { basename, resolve } from "node:path";
import type { Translator } from "../../config/locale/translator.ts";
import { reasonOf, wordsOf } from "../../config/locale/words.ts";
import { sha256 } from "../../core/ids.ts";
import { readText, writeAtomic } from "../../core/json.ts";
import type { Event } from "../../events/event.ts";
import type { HumanChannel } from "../../people/human-channel.ts";
import { createNotice } from "../../runtime/notice.ts";
import type { StepWatch } from "../../runtime/step-watch.ts";
import { askAboutChange } from "./ask-about-change.ts";
import { keepChanged } from "./frozen-copy.ts";
import type { FrozenStore } from "./frozen-store.ts";
import { compareFrozen, moveFor } from "./paper-change.ts";

/** A document to be held. */
export interface Paper {
  readonly path: string;
  /** Who is asked about a change. @defaultValue the workflow's channel */
  readonly channel?: HumanChannel | undefined;
  /** Have the run work with what its file holds now. @returns false where that is no complete document: nothing changed then. */
  readonly take: () => boolean;
}

/** What the papers of a run need. */
export interface FrozenParts {
  readonly store: FrozenStore;
  readonly channel: HumanChannel | undefined;
  readonly say: Translator;
  /** Must not throw. */
  readonly emit: (event: Event) => void;
  /** Absolute paths that agents may not write either: what flower itself concluded. */
  readonly alsoProtected: readonly string[];
}

interface Held {
  readonly path: string;
  /** Undefined for a document of an earlier run that no step of this one has taken up yet. */
  readonly paper: Paper | undefined;
  readonly text: string;
}

/** When a change was found, and who can end the waiting for an answer about it. */
interface Moment {
  readonly step: string;
  readonly signal: AbortSignal | undefined;
}

type Phase = "changed" | "removed" | "incomplete" | "kept" | "taken" | "edited" | "lost";

/** The frozen documents of one run. */
export class FrozenPapers implements StepWatch {
  readonly #parts: FrozenParts;
  readonly #held = new Map<string, Held>();
  readonly #edited = new Set<string>();
  #working = 0;
  /** Agents side by side may end at once: what one found is settled before the next one looks. */
  #settling: Promise<void> = Promise.resolve();

  constructor(parts: FrozenParts) {
    this.#parts = parts;
  }

  /**
   * Look at what earlier runs froze, before anything else of this one happens: an edit made since counts; one made
   * under a run that was killed in the middle of a step is asked about.
   */
  async wake(signal: AbortSignal | undefined): Promise<void> {
    const { store } = this.#parts;
    for (const { path, sha256: hash, text, during } of store.before()) {
      const found = readText(path);
      const isSame = found !== undefined && sha256(found) === hash;
      const frozen = isSame ? found : text;
      if (during !== undefined && frozen !== undefined) {
        await this.#settle({ path, paper: undefined, text: frozen }, { signal, step: during });
      } else if (found === undefined) store.forget(path);
      else if (!isSame) {
        this.#edited.add(path);
        this.#tell(during === undefined ? "edited" : "lost", path, { step: during ?? "" });
        this.#freeze(path, found);
      }
    }
  }

  /** Whether the person changed the document since the last run. */
  wasEdited(path: string): boolean {
    return this.#edited.has(resolve(path));
  }

  /** Whether a document is held already. */
  holds(path: string): boolean {
    return this.#held.has(resolve(path));
  }

  /** Freeze a document as it stands in its file; a file that is not there freezes nothing. */
  hold(paper: Paper): void {
    const path = resolve(paper.path);
    const text = readText(path);
    if (text === undefined) return;
    this.#held.set(path, { path, paper, text });
    this.#freeze(path, text);
  }

  /** The flow itself wrote a held document anew. */
  rewritten(path: string): void {
    const paper = this.#held.get(resolve(path))?.paper;
    if (paper !== undefined) this.hold(paper);
  }

  /** flower appended a person's words to a document: that is part of what counts. */
  amended(path: string, before: string, added: string): void {
    const key = resolve(path);
    const held = this.#held.get(key);
    const isKnown = this.#parts.store.recorded(key) === sha256(before) || held?.text === before;
    if (held === undefined) {
      if (isKnown) this.#freeze(key, before + added);
      return;
    }
    const text = (isKnown ? before : held.text) + added;
    this.#replace(held, text);
    // The next step and the judge read what was said; a file that holds anything else is not taken over here.
    if (readText(key) === text) held.paper?.take();
  }

  /** Hash of every held document, by its path relative to the workspace. */
  hashes(): Readonly<Record<string, string>> {
    const { store } = this.#parts;
    return Object.fromEntries(
      [...this.#held.values()].map(({ path, text }) => [store.key(path), sha256(text)]),
    );
  }

  readonly protects = (): readonly string[] => [...this.#held.keys(), ...this.#parts.alsoProtected];

  /** Take what was edited while nobody worked for the person's. */
  acceptEdits(): void {
    if (this.#working === 0) for (const held of [...this.#held.values()]) this.#acceptEdit(held);
  }

  readonly begins = (step: string): void => {
    this.acceptEdits();
    this.#working += 1;
    this.#parts.store.mark(step, this.#held.values());
  };

  readonly ended = (step: string, signal: AbortSignal | undefined): Promise<void> => {
    this.#working -= 1;
    this.#settling = this.#settling.then(() => this.#settleAll({ step, signal }));
    return this.#settling;
  };

  /** Watch over work that no agent does: commands of the goal run what an agent has written. */
  async while<T>(step: string, signal: AbortSignal | undefined, work: () => Promise<T>): Promise<T> {
    this.begins(step);
    try {
      return await work();
    } finally {
      await this.ended(step, signal);
    }
  }

  async #settleAll(moment: Moment): Promise<void> {
    for (const path of [...this.#held.keys()]) {
      const held = this.#held.get(path);
      // Whoever ends the run is not asked anything: the mark stays, and the next run asks.
      if (moment.signal?.aborted) return;
      if (held !== undefined && !(await this.#settle(held, moment))) return;
    }
    if (this.#working === 0) this.#parts.store.mark(undefined, this.#held.values());
  }

  #acceptEdit(held: Held): void {
    const found = readText(held.path);
    const change = this.#compare(held, found);
    const isComplete = found !== undefined && change === "changed" && held.paper?.take() === true;
    const move = moveFor(change, { isWorking: false, isComplete });
    if (move === "restore") this.#restore(held, found, "");
    if (move !== "accept" || found === undefined) return;
    this.#replace(held, found);
    this.#tell("edited", held.path);
  }

  /** @returns false when the run was ended before the person answered. */
  async #settle(held: Held, moment: Moment): Promise<boolean> {
    const { path, text } = held;
    const found = readText(path);
    const move = moveFor(this.#compare(held, found), { isWorking: true, isComplete: true });
    if (move === "ask" && found !== undefined) return this.#settleWithPerson(held, found, moment);
    if (move === "restore") this.#restore(held, found, moment.step);
    else if (held.paper === undefined) this.#freeze(path, text);
    return true;
  }

  async #settleWithPerson(held: Held, found: string, moment: Moment): Promise<boolean> {
    const { say, channel } = this.#parts;
    const { path, text } = held;
    const kept = this.#keep(path, found);
    this.#tell("changed", path, { step: moment.step, kept });
    const answer = await askAboutChange({
      ...moment,
      say,
      channel: held.paper?.channel ?? channel,
      name: basename(path),
      before: text,
      after: found,
    });
    if (answer === "ended") return false;
    if (answer === "take" && this.#take(held)) return true;
    this.#writeBack(held);
    this.#tell("kept", path, { kept });
    return true;
  }

  /** Work with what now stands in the file: the person may have gone on editing it before they answered. */
  #take(held: Held): boolean {
    const text = readText(held.path);
    if (text === undefined || held.paper?.take() === false) return false;
    if (held.paper === undefined) this.#edited.add(held.path);
    this.#replace(held, text);
    this.#tell("taken", held.path);
    return true;
  }

  #restore(held: Held, found: string | undefined, step: string): void {
    const kept = found === undefined ? "" : this.#keep(held.path, found);
    this.#writeBack(held);
    this.#tell(found === undefined ? "removed" : "incomplete", held.path, { step, kept });
  }

  #compare(held: Held, found: string | undefined) {
    // Mostly it is the same: then nobody has to read what was written down.
    const recorded = found === held.text ? undefined : this.#parts.store.recorded(held.path);
    return compareFrozen({ frozen: held.text, found, recorded });
  }

  #replace(held: Held, text: string): void {
    if (held.paper !== undefined) this.#held.set(held.path, { ...held, text });
    this.#freeze(held.path, text);
  }

  #writeBack(held: Held): void {
    this.#quietly(() => writeAtomic(held.path, held.text));
    this.#freeze(held.path, held.text);
  }

  #freeze(path: string, text: string): void {
    this.#quietly(() => this.#parts.store.freeze(path, text));
  }

  #keep(path: string, text: string): string {
    let kept = "";
    this.#quietly(() => {
      kept = keepChanged(path, text);
    });
    return kept;
  }

  #tell(phase: Phase, path: string, more: { readonly step?: string; readonly kept?: string } = {}): void {
    const { step = "", kept = "" } = more;
    const words = wordsOf(`frozen.${phase}`, { name: basename(path), step, kept, path });
    this.#parts.emit(createNotice("frozen", words, { phase, path, ...more }));
  }

  /** A disk that cannot be written ends no run: what counts is held in memory. */
  #quietly(work: () => void): void {
    try {
      work();
    } catch (error) {
      this.#parts.emit(createNotice("store", wordsOf("notice.books", { reason: reasonOf(error) })));
    }
  }
}
