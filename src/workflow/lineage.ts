// Lineage: which session each step had last, and what brief and goal were when they were frozen, across processes. The
// one thing a wake needs beside the store.

import { existsSync, mkdirSync, renameSync, rmSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { inEnglish, reasonOf, wordsOf } from "../config/locale/words.ts";
import { timestamp } from "../core/ids.ts";
import { isRecord, keepAside, readJson, writeAtomic } from "../core/json.ts";
import { withLock } from "../core/lock.ts";
import { rejectUnknownKeys, requireObject } from "../core/options.ts";
import type { Words } from "../core/words.ts";
import { stepAlias } from "./original-folder.ts";
import { sessionsInBooks } from "./recover-lineage.ts";

/** Where a lineage is kept and whose it is. */
export interface LineageOptions {
  /** The folder with the books. */
  readonly runDir: string;
  /** Real path; a file of another workspace counts as absent. */
  readonly workspace: string;
  /** Told once when it cannot be written, in English and as data; work goes on. */
  readonly onFault?: ((text: string, words: Words) => void) | undefined;
}

/** What a document was when it was frozen. */
export interface FrozenMark {
  /** Of its whole text, hex. */
  readonly sha256: string;
  /** The agent that is at work, as run and step: a document that differs then was changed meanwhile. */
  readonly during?: string;
}

interface LineageRecord {
  readonly woke: number;
  readonly steps: ReadonlyMap<string, string>;
  /** By the document's path, relative to the workspace. */
  readonly frozen: ReadonlyMap<string, FrozenMark>;
}

const NOTHING: LineageRecord = { woke: 0, steps: new Map(), frozen: new Map() };

/** A damaged file, what it counts as now, and where it was put. */
function damagedWords(path: string, steps: string, aside: string | undefined): Words {
  if (steps === "")
    return aside === undefined
      ? wordsOf("notice.damaged_absent", { path })
      : wordsOf("notice.damaged_absent_kept", { path, aside });
  return aside === undefined
    ? wordsOf("notice.damaged_remade", { path, steps })
    : wordsOf("notice.damaged_remade_kept", { path, steps, aside });
}

function toMarks(value: unknown): ReadonlyMap<string, FrozenMark> {
  const marks = new Map<string, FrozenMark>();
  for (const [path, mark] of isRecord(value) ? Object.entries(value) : []) {
    if (!isRecord(mark) || typeof mark.sha256 !== "string") continue;
    const { sha256, during } = mark;
    marks.set(path, { sha256, ...(typeof during === "string" ? { during } : {}) });
  }
  return marks;
}

function toRecord(value: unknown, workspace: string): LineageRecord | undefined {
  if (!isRecord(value) || !isRecord(value.steps)) return undefined;
  if (value.workspace !== workspace) return NOTHING;
  const steps = Object.entries(value.steps).flatMap(([name, session]): [string, string][] =>
    typeof session === "string" ? [[stepAlias(name), session]] : [],
  );
  return {
    woke: typeof value.woke === "number" ? value.woke : 0,
    steps: new Map(steps),
    frozen: toMarks(value.frozen),
  };
}

function pathIn(runDir: string): string {
  return join(runDir, "lineage.json");
}

/** What the file says; the books when it is damaged; nothing when it is absent or another workspace's. Writes nothing. */
export function readLineage(runDir: string, workspace: string): LineageRecord {
  const read = readJson(pathIn(runDir));
  if (read.kind === "absent") return NOTHING;
  const record = read.kind === "value" ? toRecord(read.value, workspace) : undefined;
  return record ?? { ...NOTHING, steps: sessionsInBooks(runDir) };
}

/**
 * Step name -> session id, written at once, merged under a lock so that two flowers do not erase each other.
 * @example
 * ```ts
 * import { Lineage } from "flower-agent";
 *
 * const lineage = new Lineage({ runDir: "runs", workspace: process.cwd() });
 * console.log(lineage.sessionOf("work"));
 * ```
 */
export class Lineage {
  /** Path of `lineage.json`. */
  readonly path: string;
  /** The folder it belongs to. */
  readonly workspace: string;
  readonly #onFault: (text: string, words: Words) => void;
  #record: LineageRecord = NOTHING;
  #warned = false;

  constructor(options: LineageOptions) {
    requireObject(options, "Lineage");
    rejectUnknownKeys(options, ["runDir", "workspace", "onFault"], "Lineage");
    this.path = pathIn(options.runDir);
    this.workspace = options.workspace;
    this.#onFault = options.onFault ?? (() => {});
    this.#record = this.#read();
  }

  /** The lineage of a run dir; empty when absent, unreadable or of another workspace. */
  static open(options: LineageOptions): Lineage {
    return new Lineage(options);
  }

  /** How often this folder was woken; 0 in the first run. */
  get woke(): number {
    return this.#record.woke;
  }

  /** A copy of step -> session. Its prototype is null: a step may be called `constructor`. */
  get steps(): Readonly<Record<string, string>> {
    return Object.assign(Object.create(null), Object.fromEntries(this.#record.steps));
  }

  /**
   * Session of a step, or undefined.
   * @param step - name of the step
   */
  sessionOf(step: string): string | undefined {
    return this.#record.steps.get(step);
  }

  /**
   * Note a step's session; on disk when the call returns.
   * @param step - name of the step
   * @param sessionId - the session it goes on with
   */
  remember(step: string, sessionId: string): void {
    if (this.sessionOf(step) === sessionId) return;
    this.#change((record) => ({ ...record, steps: new Map(record.steps).set(step, sessionId) }));
  }

  /**
   * What a document was when it was frozen, as the file has it now; undefined for one that never was.
   * @param path - relative to the workspace
   */
  frozenMark(path: string): FrozenMark | undefined {
    return this.frozenMarks().get(path);
  }

  /** Every document that was frozen, by its path relative to the workspace, as the file has it now. */
  frozenMarks(): ReadonlyMap<string, FrozenMark> {
    return this.#read().frozen;
  }

  /**
   * Note what documents are now; undefined forgets one. On disk when the call returns.
   * @param marks - by path relative to the workspace
   */
  markFrozen(marks: ReadonlyMap<string, FrozenMark | undefined>): void {
    if (marks.size === 0) return;
    this.#change((record) => {
      const frozen = new Map(record.frozen);
      for (const [path, mark] of marks) {
        if (mark === undefined) frozen.delete(path);
        else frozen.set(path, mark);
      }
      return { ...record, frozen };
    });
  }

  /** Count a wake. */
  bump(): void {
    this.#change((record) => ({ ...record, woke: record.woke + 1 }));
  }

  /**
   * Move the lineage and further files to `<into>/<time>/` and start empty.
   * @param into - folder for what is put aside
   * @param options - `extra`: further files, absolute paths
   * @returns the folder, or undefined when there was nothing to move.
   */
  archive(
    into: string,
    options: { readonly extra?: readonly string[] | undefined } = {},
  ): string | undefined {
    rejectUnknownKeys(options, ["extra"], "archive");
    const files = [this.path, ...(options.extra ?? [])].filter((file) => existsSync(file));
    this.#record = NOTHING;
    if (files.length === 0) return undefined;
    let folder = join(into, timestamp());
    for (let n = 2; existsSync(folder); n += 1) folder = join(into, `${timestamp()}-${n}`);
    mkdirSync(folder, { recursive: true });
    for (const file of files) renameSync(file, join(folder, basename(file)));
    rmSync(`${this.path}.lock`, { force: true });
    return folder;
  }

  #read(): LineageRecord {
    const read = readJson(this.path);
    if (read.kind === "absent") return NOTHING;
    const record = read.kind === "value" ? toRecord(read.value, this.workspace) : undefined;
    if (record !== undefined) return record;
    return this.#recover();
  }

  /** Put a damaged file aside and go by the books. */
  #recover(): LineageRecord {
    const aside = keepAside(this.path);
    const record = { ...NOTHING, steps: sessionsInBooks(dirname(this.path)) };
    const names = [...record.steps.keys()].join(", ");
    this.#tell(damagedWords(this.path, names, aside));
    try {
      // At once: with the damaged file gone, the next reader would find nothing.
      if (record.steps.size > 0) this.#write(record);
    } catch {
      // The next change writes it.
    }
    return record;
  }

  #tell(words: Words): void {
    this.#onFault(inEnglish(words), words);
  }

  #write(record: LineageRecord): void {
    const text = {
      workspace: this.workspace,
      woke: record.woke,
      steps: Object.fromEntries(record.steps),
      ...(record.frozen.size === 0 ? {} : { frozen: Object.fromEntries(record.frozen) }),
    };
    writeAtomic(this.path, `${JSON.stringify(text, null, 1)}\n`);
  }

  #change(change: (record: LineageRecord) => LineageRecord): void {
    this.#record = change(this.#record);
    try {
      withLock(this.path, () => this.#write(change(this.#read())));
    } catch (error) {
      if (!this.#warned) this.#tell(wordsOf("notice.books", { reason: reasonOf(error) }));
      this.#warned = true;
    }
  }
}
