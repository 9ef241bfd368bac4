// Where trimmed results are kept: a folder inside the workspace, so that the model can read them back.

import { mkdirSync, realpathSync, statSync, writeFileSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { DiskError } from "../core/errors.ts";
import type { SpillFile } from "../transcript/trim.ts";

/** A link can lead anywhere; what is written there would be out of the model's reach, or in somebody's way. */
function requireInside(folder: string, workspace: string): void {
  const way = relative(realpathSync(workspace), realpathSync(folder));
  if (way !== ".." && !way.startsWith(`..${sep}`)) return;
  throw new DiskError(`${folder} leads out of the workspace`, {
    code: "spill_outside",
    values: { path: folder },
    hint: "remove the link, or name another folder as spillDirname",
  });
}

/** Bytes of a plain file, or undefined when there is none. */
function sizeOf(path: string): number | undefined {
  const found = statSync(path, { throwIfNoEntry: false });
  return found?.isFile() ? found.size : undefined;
}

/**
 * Neither forced to the disk nor moved into place, which would take seconds for a long session: one that was left short
 * has the wrong size and is written again at the next load, before anybody is pointed to it.
 */
function writeOnce(path: string, content: string): void {
  if (sizeOf(path) !== Buffer.byteLength(content)) writeFileSync(path, content);
}

/**
 * Write the files that are not there yet; a name stands for one content. The folder keeps itself out of git.
 * @throws DiskError `spill_outside`; errors of the disk as they come.
 */
export function writeSpillFiles(
  files: readonly SpillFile[],
  place: { readonly workspace: string; readonly dirname: string },
): void {
  if (files.length === 0) return;
  const folder = join(place.workspace, place.dirname);
  mkdirSync(folder, { recursive: true });
  requireInside(folder, place.workspace);
  writeOnce(join(folder, ".gitignore"), "*\n");
  for (const { name, content } of files) writeOnce(join(folder, name), content);
}
