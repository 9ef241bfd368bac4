// Looking through a folder of the workbench: every regular file, its size and what it says about itself. Files that
// did not change since the last look are not opened again.

import {
  closeSync,
  constants,
  type Dirent,
  lstatSync,
  openSync,
  readdirSync,
  readSync,
  realpathSync,
  type Stats,
  statSync,
} from "node:fs";
import { basename, join, sep } from "node:path";
import { describeFile } from "./describe.ts";

/** A file of the workbench. */
export interface ScannedFile {
  /** Absolute. */
  readonly path: string;
  readonly description: string;
  readonly bytes: number;
  readonly mtimeMs: number;
}

/** Enough for eight lines of any sane file. */
const HEAD_BYTES = 4096;
/** Machine-made trees that an agent did not write and nobody looks up. */
const SKIPPED = new Set(["node_modules", "__pycache__"]);
/** Files of an unfinished atomic write. */
const TEMPORARY = /\.\d+\.[0-9a-f]{8}\.tmp$/;

function listed(dir: string): readonly Dirent[] {
  try {
    return readdirSync(dir, { withFileTypes: true });
  } catch {
    return [];
  }
}

/** Follows a link only to a regular file inside `root`. */
function linkedFile(path: string, root: string): Stats | undefined {
  try {
    const target = realpathSync(path);
    if (!target.startsWith(root + sep)) return undefined;
    const stat = statSync(target);
    return stat.isFile() ? stat : undefined;
  } catch {
    return undefined;
  }
}

function plainFile(path: string): Stats | undefined {
  const stat = lstatSync(path, { throwIfNoEntry: false });
  return stat?.isFile() ? stat : undefined;
}

const buffer = Buffer.allocUnsafe(HEAD_BYTES);

function readHead(path: string): string {
  try {
    // O_NONBLOCK: a pipe put in the file's place meanwhile must not hang the run.
    const file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
    try {
      return buffer.toString("utf8", 0, readSync(file, buffer, 0, HEAD_BYTES, 0));
    } finally {
      closeSync(file);
    }
  } catch {
    return "";
  }
}

/** Scans folders below one root, remembering what files said about themselves. */
export class Scanner {
  #known = new Map<string, ScannedFile>();
  readonly #root: string;

  constructor(root: string) {
    this.#root = root;
  }

  /** Every file below `dir`, sorted by path; dot files, links that lead out and machine-made trees left out. */
  scan(dir: string): readonly ScannedFile[] {
    let root: string;
    try {
      root = realpathSync(this.#root);
      const real = realpathSync(dir);
      if (real !== root && !real.startsWith(root + sep)) return [];
    } catch {
      return [];
    }
    const found: ScannedFile[] = [];
    const open = [dir];
    for (let at = open.pop(); at !== undefined; at = open.pop()) {
      for (const entry of listed(at)) {
        if (entry.name.startsWith(".") || SKIPPED.has(entry.name) || TEMPORARY.test(entry.name)) continue;
        const path = join(at, entry.name);
        if (entry.isDirectory()) open.push(path);
        else {
          const stat = entry.isSymbolicLink() ? linkedFile(path, root) : plainFile(path);
          if (stat !== undefined) found.push(this.#file(path, stat));
        }
      }
    }
    this.#forget(dir, found);
    return found.sort((a, b) => (a.path < b.path ? -1 : 1));
  }

  #file(path: string, stat: Stats): ScannedFile {
    const known = this.#known.get(path);
    if (known?.bytes === stat.size && known.mtimeMs === stat.mtimeMs) return known;
    const description = stat.size === 0 ? "" : describeFile(basename(path), readHead(path));
    const file = { path, description, bytes: stat.size, mtimeMs: stat.mtimeMs };
    this.#known.set(path, file);
    return file;
  }

  /** Drop what is gone, or a long run would remember every file there ever was. */
  #forget(dir: string, found: readonly ScannedFile[]): void {
    const below = [...this.#known.keys()].filter((path) => path.startsWith(dir + sep));
    if (below.length === found.length) return;
    const alive = new Set(found.map((file) => file.path));
    for (const path of below) if (!alive.has(path)) this.#known.delete(path);
  }
}
