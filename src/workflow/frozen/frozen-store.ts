// What of frozen documents is on disk for a later run: a hash of each in the lineage, a copy in the run folder, and
// which agent is at work on top of them.

import { resolve } from "node:path";
import { sha256 } from "../../core/ids.ts";
import { relativeKey } from "../../core/paths.ts";
import type { FrozenMark, Lineage } from "../lineage.ts";
import { keepCopy, readCopy, sweepCopies } from "./frozen-copy.ts";

/** What an earlier run left of one document. */
export interface FrozenBefore {
  readonly path: string;
  readonly sha256: string;
  /** The text; undefined when its copy is gone or was changed. */
  readonly text: string | undefined;
  /** Name of the step an agent was in when the run was killed. */
  readonly during: string | undefined;
}

/** Where frozen documents are noted. */
export interface FrozenStoreParts {
  readonly runDir: string;
  readonly workspace: string;
  readonly runId: string;
  readonly lineage: Lineage;
  /** Whether the run holds the folder: only then it says on disk that somebody is at work. */
  readonly isAlone: boolean;
}

/** Name of the step in a mark. */
function stepOf(during: string): string {
  return during.slice(during.indexOf(" ") + 1);
}

/** Notes frozen documents on disk. */
export class FrozenStore {
  readonly #parts: FrozenStoreParts;
  #during: string | undefined;

  constructor(parts: FrozenStoreParts) {
    this.#parts = parts;
  }

  /** How lineage and verdicts name a document: relative to the workspace. */
  key(path: string): string {
    return relativeKey(this.#parts.workspace, path);
  }

  /** What earlier runs left. */
  before(): readonly FrozenBefore[] {
    const { lineage, workspace, runDir } = this.#parts;
    return [...lineage.frozenMarks()].map(([key, mark]) => {
      const path = resolve(workspace, key);
      const during = mark.during === undefined ? undefined : stepOf(mark.during);
      return { path, sha256: mark.sha256, text: readCopy(runDir, path, mark.sha256), during };
    });
  }

  /** The hash whichever flower works here noted last. */
  recorded(path: string): string | undefined {
    return this.#parts.lineage.frozenMark(this.key(path))?.sha256;
  }

  /**
   * Note what counts from now on.
   * @throws DiskError `write_failed` when the copy cannot be written; the hash is noted all the same.
   */
  freeze(path: string, text: string): void {
    const { runDir, lineage } = this.#parts;
    try {
      keepCopy(runDir, path, text);
    } finally {
      const key = this.key(path);
      lineage.markFrozen(new Map([[key, this.#markOf(key, sha256(text))]]));
      this.#sweep();
    }
  }

  /** A document that is gone is nothing any more. */
  forget(path: string): void {
    this.#parts.lineage.markFrozen(new Map([[this.key(path), undefined]]));
    this.#sweep();
  }

  /** Say on disk which agent works on top of these documents; undefined when none does. */
  mark(step: string | undefined, papers: Iterable<{ readonly path: string; readonly text: string }>): void {
    const { isAlone, runId, lineage } = this.#parts;
    if (!isAlone) return;
    this.#during = step === undefined ? undefined : `${runId} ${step}`;
    // The hash stays what was noted last: a flower beside this one may have frozen another text.
    const noted = lineage.frozenMarks();
    const marks = [...papers].map(({ path, text }) => {
      const key = this.key(path);
      return [key, this.#markOf(key, noted.get(key)?.sha256 ?? sha256(text))] as const;
    });
    lineage.markFrozen(new Map(marks));
  }

  #markOf(key: string, hash: string): FrozenMark {
    const { isAlone, lineage } = this.#parts;
    // A run beside others leaves what the one that holds the folder says of itself.
    const during = isAlone ? this.#during : lineage.frozenMark(key)?.during;
    return { sha256: hash, ...(during === undefined ? {} : { during }) };
  }

  #sweep(): void {
    const { lineage, runDir } = this.#parts;
    sweepCopies(
      runDir,
      [...lineage.frozenMarks()].map(([path, { sha256: hash }]) => ({ path, hash })),
    );
  }
}
