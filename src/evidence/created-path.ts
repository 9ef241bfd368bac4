// Whether a command made a path that may have been there before. A file is put aside while the command runs, so that
// only the command can have made what is found then; a tool that rebuilds nothing that is up to date makes it anew.

import {
  type BigIntStats,
  type Dirent,
  lstatSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmSync,
} from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { isInside } from "../core/paths.ts";

/** What became of a path. */
export type Creation = "made" | "missing" | "untouched";

/** A path under watch; it must be settled, whatever the command did. */
export interface WatchedPath {
  /** Ends the watch: what the command did not make again is put back. */
  readonly settle: () => Creation;
}

/** Entries of a folder that are looked at. */
const MAX_ENTRIES = 5000;

function statOf(path: string): BigIntStats | undefined {
  try {
    return lstatSync(path, { bigint: true });
  } catch {
    return undefined;
  }
}

function stamp(path: string): string {
  const found = statOf(path);
  return found === undefined ? "" : `${path} ${found.ino} ${found.size} ${found.mtimeNs} ${found.ctimeNs}`;
}

function entriesOf(folder: string): readonly Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}

/** What a file or a folder with everything in it looks like: any writing changes it. */
function stampAll(path: string): string {
  const stamps = [stamp(path)];
  const folders = statOf(path)?.isDirectory() === true ? [path] : [];
  for (
    let folder = folders.pop();
    folder !== undefined && stamps.length < MAX_ENTRIES;
    folder = folders.pop()
  ) {
    for (const entry of entriesOf(folder)) {
      const inner = join(folder, entry.name);
      stamps.push(stamp(inner));
      if (entry.isDirectory()) folders.push(inner);
    }
  }
  return stamps.join("\n");
}

function isReallyInside(path: string, folder: string): boolean {
  try {
    return isInside(realpathSync(dirname(path)), realpathSync(folder));
  } catch {
    return false;
  }
}

/** Put back what a watch that never ended (flower was killed) left beside its place. */
function putBack(path: string, aside: string): void {
  if (statOf(aside) === undefined) return;
  try {
    if (statOf(path) === undefined) renameSync(aside, path);
    else rmSync(aside, { force: true });
  } catch {
    // It stays beside its place, under a name that says whose doing that is; the next watch tries again.
  }
}

function watchInPlace(path: string): WatchedPath {
  const before = stampAll(path);
  return {
    settle: () => {
      if (statOf(path) === undefined) return "missing";
      return stampAll(path) === before ? "untouched" : "made";
    },
  };
}

/** Watch a path, given against the folder the command runs in. Only files inside that folder are ever put aside. */
export function watchPath(given: string, folder: string): WatchedPath {
  const path = resolve(folder, given);
  const aside = join(dirname(path), `.${basename(path)}.flower-aside`);
  try {
    if (isReallyInside(path, folder)) putBack(path, aside);
    const before = statOf(path);
    if (before === undefined) {
      return { settle: () => (statOf(path) === undefined ? "missing" : "made") };
    }
    if (before.isDirectory() || !isReallyInside(path, folder)) return watchInPlace(path);
    renameSync(path, aside);
  } catch {
    // It cannot be moved or looked at: then its time of writing is all there is to go by.
    return watchInPlace(path);
  }
  return {
    settle: () => {
      const isMade = statOf(path) !== undefined;
      putBack(path, aside);
      return isMade ? "made" : "untouched";
    },
  };
}
