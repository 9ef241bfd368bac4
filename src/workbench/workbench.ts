// Workbench: the folder that outlives every conversation, and its index. What goes into it is decided by agents;
// who may write where is decided by guards.

import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { isAbsolute, join, relative, resolve, sep } from "node:path";
import { DiskError, errorText, OptionError } from "../core/errors.ts";
import { writeAtomic } from "../core/json.ts";
import { withLock } from "../core/lock.ts";
import { rejectUnknownKeys, requireObject } from "../core/options.ts";
import { ignoreWorkbench } from "./git-ignore.ts";
import { type IndexEntry, renderIndex, renderPromptBlock } from "./index-text.ts";
import { type ScannedFile, Scanner } from "./scan.ts";

/** Where a workbench is and how much of it a prompt shows. */
export interface WorkbenchOptions {
  /** Folder the agents work in; a relative one is resolved against the process's. */
  readonly workspace: string;
  /** Name of the folder inside the workspace. @defaultValue `.flower` */
  readonly dirname?: string | undefined;
  /** Entries a folder in the prompt. @defaultValue 40: about 1,000 tokens a folder, paid on every turn */
  readonly maxIndexEntries?: number | undefined;
  /** The folder itself, inside the workspace or outside; overrides `dirname`. @defaultValue `<workspace>/<dirname>` */
  readonly home?: string | undefined;
}

const KEYS = ["workspace", "dirname", "maxIndexEntries", "home"] as const;
const DEFAULT_DIRNAME = ".flower";
const DEFAULT_MAX_ENTRIES = 40;
/** A refresh takes milliseconds; a holder that needs longer is stuck, and an index is not worth waiting for it. */
const LOCK_WAIT_MS = 1_000;

function bad(key: string, wants: string): OptionError {
  return new OptionError(`Workbench: ${key} must be ${wants}`, {
    code: "bad_option",
    hint: `give ${key} ${wants}`,
  });
}

function textOption(value: unknown, key: string): string | undefined {
  if (value === undefined) return undefined;
  if (typeof value !== "string" || value === "") throw bad(key, "a path that is not empty");
  return value;
}

function dirnameOption(value: unknown): string {
  const name = textOption(value, "dirname") ?? DEFAULT_DIRNAME;
  if (/[/\\\0]/.test(name) || name === "." || name === "..") throw bad("dirname", "the name of one folder");
  return name;
}

function maxEntriesOption(value: unknown): number {
  if (value === undefined) return DEFAULT_MAX_ENTRIES;
  if (typeof value !== "number" || !Number.isInteger(value) || value < 0) {
    throw bad("maxIndexEntries", "a whole number from 0 up");
  }
  return value;
}

/** The parts of `path` below `base`, or undefined when it is not inside; the base itself has none. */
function partsBelow(base: string, path: string): readonly string[] | undefined {
  const below = relative(base, path);
  if (below === "") return [];
  const parts = below.split(sep);
  return parts[0] === ".." || isAbsolute(below) ? undefined : parts;
}

/** Old documents are the last thing a prompt needs to show. */
function isArchived(file: ScannedFile): boolean {
  return file.path.includes(`${sep}archive${sep}`);
}

/**
 * The workbench of one workspace.
 * @example
 * ```ts
 * import { Runtime, Workbench } from "flower-agent";
 *
 * const workbench = new Workbench({ workspace: "." });
 * const runtime = new Runtime({ workspace: ".", workbench });
 * console.log(workbench.notes);
 * ```
 */
export class Workbench {
  /** Real path of the project. */
  readonly workspace: string;
  readonly maxIndexEntries: number;
  /** The folder. */
  readonly root: string;
  /** Whether the folder lies outside the workspace. */
  readonly external: boolean;
  /** Scripts that run more than once. */
  readonly scripts: string;
  /** Long output. */
  readonly artifacts: string;
  /** Decisions and documents. */
  readonly notes: string;
  /** Tool results too long for a conversation; not in the index. */
  readonly spill: string;
  /** `INDEX.md`. */
  readonly indexPath: string;
  readonly #scanner: Scanner;
  /** A file that did not change keeps its record, so its entry is made once. */
  readonly #entries = new WeakMap<ScannedFile, IndexEntry>();

  /** @throws OptionError for an unknown option or a value that cannot be. */
  constructor(options: WorkbenchOptions) {
    requireObject(options, "Workbench");
    rejectUnknownKeys(options, KEYS, "Workbench");
    const workspace = textOption(options.workspace, "workspace");
    if (workspace === undefined) throw bad("workspace", "a path");
    this.workspace = resolve(workspace);
    const home = textOption(options.home, "home");
    const name = dirnameOption(options.dirname);
    this.maxIndexEntries = maxEntriesOption(options.maxIndexEntries);
    this.root = home === undefined ? join(this.workspace, name) : resolve(this.workspace, home);
    this.external = partsBelow(this.workspace, this.root) === undefined;
    this.scripts = join(this.root, "scripts");
    this.artifacts = join(this.root, "artifacts");
    this.notes = join(this.root, "notes");
    this.spill = join(this.root, "spill");
    this.indexPath = join(this.root, "INDEX.md");
    this.#scanner = new Scanner(this.root);
  }

  /**
   * A path as agents use it: relative, with slashes, inside the workspace, else absolute.
   * @param path - absolute, or relative to the workspace
   */
  show(path: string): string {
    const absolute = resolve(this.workspace, path);
    const parts = partsBelow(this.workspace, absolute);
    return parts === undefined ? absolute : parts.join("/") || ".";
  }

  /**
   * Make the folders, and keep them out of the user's git status.
   * @throws DiskError `write_failed`.
   */
  ensure(): void {
    ignoreWorkbench(this.root);
    try {
      for (const dir of [this.scripts, this.artifacts, this.notes, this.spill])
        mkdirSync(dir, { recursive: true });
    } catch (error) {
      throw new DiskError(`cannot make the workbench ${this.root}: ${errorText(error)}`, {
        code: "write_failed",
        values: { path: this.root, reason: errorText(error) },
        hint: "check that the workspace is writable and has free space",
        cause: error,
      });
    }
  }

  /**
   * The files below a folder of the workbench, sorted by path. Links that lead out of it are not followed.
   * @param dir - one of its folders
   */
  scan(dir: string): readonly IndexEntry[] {
    return this.#scanner.scan(resolve(this.workspace, dir)).map((file) => this.#entry(file));
  }

  /**
   * Write INDEX.md anew from what is on disk, and return its text. Safe beside other processes that do the same.
   * @throws DiskError `write_failed`.
   */
  refresh(): string {
    if (!existsSync(this.root)) this.ensure();
    try {
      return withLock(this.indexPath, () => this.#writeIndex(), LOCK_WAIT_MS);
    } catch (error) {
      if (error instanceof DiskError && error.code === "lock_timeout") return this.#writeIndex();
      throw error;
    }
  }

  /** The short form for a system prompt: three rules, and the newest entries of each folder. */
  promptBlock(): string {
    return renderPromptBlock({
      root: `${this.show(this.root)}/`,
      index: this.show(this.indexPath),
      scripts: `${this.show(this.scripts)}/`,
      artifacts: `${this.show(this.artifacts)}/`,
      notes: `${this.show(this.notes)}/`,
      external: this.external,
      sections: this.#folders().map(({ title, dir }) => {
        const files = this.#scanner.scan(dir);
        const entries = this.#newest(files).map((file) => this.#entry(file));
        return { title, folder: this.show(dir), entries, total: files.length };
      }),
    });
  }

  #folders(): readonly { readonly title: string; readonly dir: string }[] {
    return [
      { title: "Scripts", dir: this.scripts },
      { title: "Artifacts", dir: this.artifacts },
      { title: "Notes", dir: this.notes },
    ];
  }

  #entry(file: ScannedFile): IndexEntry {
    const known = this.#entries.get(file);
    if (known !== undefined) return known;
    const entry = { path: this.show(file.path), description: file.description, bytes: file.bytes };
    this.#entries.set(file, entry);
    return entry;
  }

  /** The newest files, in order of path: what was just written is what the next turn looks for. */
  #newest(files: readonly ScannedFile[]): readonly ScannedFile[] {
    if (files.length <= this.maxIndexEntries) return files;
    const newestFirst = [...files].sort((a, b) => b.mtimeMs - a.mtimeMs);
    const archived = new Set(newestFirst.filter(isArchived));
    return [...newestFirst.filter((file) => !archived.has(file)), ...archived]
      .slice(0, this.maxIndexEntries)
      .sort((a, b) => (a.path < b.path ? -1 : 1));
  }

  #writeIndex(): string {
    const sections = this.#folders().map(({ title, dir }) => ({
      title,
      folder: this.show(dir),
      entries: this.scan(dir),
    }));
    const text = renderIndex(sections);
    if (!this.#holds(text)) writeAtomic(this.indexPath, text);
    return text;
  }

  #holds(text: string): boolean {
    try {
      return readFileSync(this.indexPath, "utf8") === text;
    } catch {
      return false;
    }
  }
}
