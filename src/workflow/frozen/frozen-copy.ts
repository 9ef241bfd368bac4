// Copies of frozen documents, in the run folder: what a later process restores when a file was changed under a run that
// was killed.

import { readdirSync, rmSync } from "node:fs";
import { basename, dirname, extname, join } from "node:path";
import { fileSafe, sha256, timestamp } from "../../core/ids.ts";
import { readText, writeAtomic } from "../../core/json.ts";

/** Folder of the copies, in the run folder. */
export const FROZEN_FOLDER = "frozen";

function stemOf(path: string): string {
  return fileSafe(basename(path, extname(path)));
}

function copyName(path: string, hash: string): string {
  return `${stemOf(path)}-${hash.slice(0, 16)}${extname(path)}`;
}

/**
 * Keep a copy of what was frozen.
 * @throws DiskError `write_failed`.
 */
export function keepCopy(runDir: string, path: string, text: string): void {
  const copy = join(runDir, FROZEN_FOLDER, copyName(path, sha256(text)));
  if (readText(copy) !== text) writeAtomic(copy, text);
}

/** The copy of the text with that hash; undefined when it is not there or is not that text any more. */
export function readCopy(runDir: string, path: string, hash: string): string | undefined {
  const text = readText(join(runDir, FROZEN_FOLDER, copyName(path, hash)));
  return text !== undefined && sha256(text) === hash ? text : undefined;
}

/** Remove the copies nobody needs: those of other texts than these. */
export function sweepCopies(
  runDir: string,
  kept: readonly { readonly path: string; readonly hash: string }[],
): void {
  const names = new Set(kept.map(({ path, hash }) => copyName(path, hash)));
  const folder = join(runDir, FROZEN_FOLDER);
  try {
    for (const name of readdirSync(folder)) if (!names.has(name)) rmSync(join(folder, name), { force: true });
  } catch {
    // What cannot be removed now is removed the next time something is frozen.
  }
}

/**
 * Keep the text that was found in place of a frozen document, beside it in `archive/`.
 * @returns its path.
 * @throws DiskError `write_failed`.
 */
export function keepChanged(path: string, text: string): string {
  const folder = join(dirname(path), "archive");
  let kept = join(folder, `${stemOf(path)}.changed-${timestamp()}${extname(path)}`);
  for (let n = 2; readText(kept) !== undefined; n += 1) {
    kept = join(folder, `${stemOf(path)}.changed-${timestamp()}-${n}${extname(path)}`);
  }
  writeAtomic(kept, text);
  return kept;
}
