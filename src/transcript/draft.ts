// A transcript being pruned: entries are exchanged, dropped or added here one by one, and linked anew at the end. What
// was handed in is never changed.

import { isRecord } from "../core/json.ts";
import { isProtected, messageId, messageOf, type TranscriptEntry, withBlocks } from "./entry.ts";
import { mendParents, relink } from "./relink.ts";

function isThought(block: unknown): boolean {
  return isRecord(block) && (block.type === "thinking" || block.type === "redacted_thinking");
}

/** A transcript on its way through the pruning steps. */
export class Draft {
  readonly #entries: TranscriptEntry[];
  readonly #dropped = new Set<number>();
  readonly #added = new Map<number, TranscriptEntry[]>();
  readonly #parents = new Map<number, string>();
  /** Model messages that have lost blocks. */
  readonly #touched = new Set<string>();

  constructor(entries: readonly TranscriptEntry[]) {
    this.#entries = [...entries];
  }

  /** Visit the entries that are still in, as they are now, with their positions; true from a visit ends it. */
  visit(see: (entry: TranscriptEntry, at: number) => unknown): void {
    const entries = this.#entries;
    for (let at = 0; at < entries.length; at += 1) {
      const entry = entries[at];
      if (entry !== undefined && !this.#dropped.has(at) && see(entry, at) === true) return;
    }
  }

  /** Put another entry in the place of one. */
  replace(at: number, entry: TranscriptEntry): void {
    this.#entries[at] = entry;
  }

  /** Take an entry out. */
  drop(at: number): void {
    this.#dropped.add(at);
  }

  /** Leave only these blocks of an entry; without any it goes. */
  keepBlocks(at: number, blocks: readonly unknown[]): void {
    const entry = this.#entries[at];
    if (entry === undefined) return;
    const id = messageId(entry);
    if (id !== undefined) this.#touched.add(id);
    if (blocks.length === 0) this.drop(at);
    else this.#entries[at] = withBlocks(entry, blocks);
  }

  /** Put a new entry after the one at `at`. */
  addAfter(at: number, entry: TranscriptEntry): void {
    this.#added.set(at, [...(this.#added.get(at) ?? []), entry]);
  }

  /** Hang an entry on another. */
  hangOn(at: number, parentUuid: string): void {
    this.#parents.set(at, parentUuid);
  }

  /** Whether the model sees anything before the entry at `at`. */
  opensDialogue(at: number): boolean {
    let first = at;
    this.visit((entry, position) => {
      if (messageOf(entry) === undefined) return false;
      first = position;
      return true;
    });
    return first >= at;
  }

  /** Drop what is left of messages that have lost all but their thoughts: the API wants something after a thought. */
  dropBareThoughts(): void {
    if (this.#touched.size === 0) return;
    const parts = new Map<string, number[]>();
    const spoken = new Set<string>();
    this.visit((entry, at) => {
      const id = messageId(entry);
      if (id === undefined || !this.#touched.has(id)) return;
      const known = parts.get(id);
      if (known === undefined) parts.set(id, [at]);
      else known.push(at);
      const content = messageOf(entry)?.content;
      if (isProtected(entry) || !Array.isArray(content) || !content.every(isThought)) spoken.add(id);
    });
    for (const [id, places] of parts) if (!spoken.has(id)) for (const at of places) this.drop(at);
  }

  /** The transcript as it has become, its threads whole; `mend` knots those that were broken before, too. */
  finish(mend: boolean): {
    readonly entries: readonly TranscriptEntry[];
    readonly pruned: number;
    readonly mendedParents: number;
  } {
    const complete: TranscriptEntry[] = [];
    const gone = new Set<TranscriptEntry>();
    const drops: number[] = [];
    for (const [at, entry] of this.#entries.entries()) {
      const parentUuid = this.#parents.get(at);
      if (this.#dropped.has(at)) drops.push(complete.length);
      complete.push(parentUuid === undefined ? entry : { ...entry, parentUuid });
      complete.push(...(this.#added.get(at) ?? []));
    }
    const { entries, mended } = mend ? mendParents(complete) : { entries: complete, mended: 0 };
    for (const at of drops) {
      const entry = entries[at];
      if (entry !== undefined) gone.add(entry);
    }
    return { entries: relink(entries, gone), pruned: gone.size, mendedParents: mended };
  }
}
