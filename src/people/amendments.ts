// The document a person's words are added to; words that come before it exists wait until it does.

import { errorText } from "../core/errors.ts";
import { type Amended, appendAmendment } from "./amendment.ts";
import { cleanWords } from "./words.ts";

/** What became of words: also `waiting` for the document (or the disk), or `off` when there is none to add to. */
export type AmendState = Exclude<Amended["kind"], "absent"> | "waiting" | "off";

/** Hears what was appended to the document: its path, its text before, and what was added. Must not throw. */
export type AmendmentListener = (path: string, before: string, added: string) => void;

interface Waiting {
  readonly text: string;
  readonly label: string;
}

/** Appends to one document, late if need be. */
export class Amendments {
  readonly #path: string | undefined;
  readonly #onError: (error: unknown) => void;
  readonly #listeners = new Set<AmendmentListener>();
  #waiting: readonly Waiting[] = [];
  #lastError = "";

  constructor(path: string | undefined, onError: (error: unknown) => void) {
    this.#path = path;
    this.#onError = onError;
  }

  /** Hear every addition until the returned function is called. */
  watch(listener: AmendmentListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Add words under a label. Never throws. */
  add(text: string, label: string): AmendState {
    if (this.#path === undefined) return "off";
    if (cleanWords(text) === "") return "already";
    this.flush();
    const outcome = this.#try({ text, label });
    if (outcome === "waiting") this.#waiting = [...this.#waiting, { text, label }];
    return outcome;
  }

  /** Add what has been waiting. Never throws. */
  flush(): void {
    if (this.#waiting.length === 0) return;
    this.#waiting = this.#waiting.filter((item) => this.#try(item) === "waiting");
  }

  #try(item: Waiting): AmendState {
    if (this.#path === undefined) return "off";
    try {
      const amended = appendAmendment(this.#path, item.text, item.label);
      if (amended.kind === "absent") return "waiting";
      if (amended.kind === "written") {
        for (const tell of this.#listeners) tell(this.#path, amended.before, amended.added);
      }
      return amended.kind;
    } catch (error) {
      // The same fault is told once: a full disk would otherwise be reported at every question.
      if (errorText(error) !== this.#lastError) this.#onError(error);
      this.#lastError = errorText(error);
      return "waiting";
    }
  }
}
