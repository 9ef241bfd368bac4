// Files below a folder as what they take on the disk. Links are never followed: what they lead to is not flower's.

import { lstatSync, readdirSync, rmdirSync, rmSync, type Stats } from "node:fs";
import { join } from "node:path";

/** A file. */
export interface FoundFile {
  readonly path: string;
  /** What it takes on the disk; a file of one byte takes a block. */
  readonly bytes: number;
  /** Epoch seconds of its last change. */
  readonly changedAt: number;
}

const BLOCK_BYTES = 512;

function look(path: string): Stats | undefined {
  try {
    return lstatSync(path);
  } catch {
    return undefined;
  }
}

/** The file at a path; undefined for a folder, or when nothing is there. */
export function fileAt(path: string): FoundFile | undefined {
  const stats = look(path);
  if (stats === undefined || stats.isDirectory()) return undefined;
  return { path, bytes: stats.blocks * BLOCK_BYTES, changedAt: stats.mtimeMs / 1000 };
}

/** Names in a folder that is one itself, not a link to one; none when it cannot be read. */
export function namesIn(folder: string): readonly string[] {
  try {
    return look(folder)?.isDirectory() === true ? readdirSync(folder) : [];
  } catch {
    return [];
  }
}

/** Every file below a folder, one at a time. */
export function* filesBelow(folder: string): Generator<FoundFile> {
  for (const name of namesIn(folder)) {
    const path = join(folder, name);
    const file = fileAt(path);
    if (file === undefined) yield* filesBelow(path);
    else yield file;
  }
}

/** What everything below a folder takes on the disk. */
export function diskUse(folder: string): number {
  let bytes = 0;
  for (const file of filesBelow(folder)) bytes += file.bytes;
  return bytes;
}

/** Remove a file. @returns false when it could not be. */
export function removeFile(path: string): boolean {
  try {
    rmSync(path, { force: true });
    return true;
  } catch {
    return false;
  }
}

/** Remove the folders below one that hold nothing any more, and with `itself` that one too. */
export function removeEmptyFolders(folder: string, itself = false): void {
  for (const name of namesIn(folder)) {
    const path = join(folder, name);
    if (look(path)?.isDirectory() === true) removeEmptyFolders(path, true);
  }
  if (!itself) return;
  try {
    // Fails for a folder that holds something, and that is what decides.
    rmdirSync(folder);
  } catch {
    // It stays.
  }
}
