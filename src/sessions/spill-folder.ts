// Where trimmed results are kept: a folder inside the workspace, so that the model can read them back.

import { existsSync, mkdirSync, realpathSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { DiskError } from "../core/errors.ts";
import { writeAtomic } from "../core/json.ts";
import type { SpillFile } from "../transcript/trim.ts";

/** A link can lead anywhere; what is written there would be out of the model's reach, or in somebody's way. */
function requireInside(folder: string, workspace: string): void {
  const way = relative(realpathSync(workspace), realpathSync(folder));
  if (way !== ".." && !way.startsWith(`..${sep}`)) return;
  throw new DiskError(`${folder} leads out of the workspace`, {
    code: "spill_outside",
    hint: "remove the link, or name another folder as spillDirname",
  });
}

/**
 * Write the files that are not there yet; a name stands for one content. The folder keeps itself out of git.
 * @throws DiskError `write_failed`, `spill_outside`; other errors of the disk as they come.
 */
export function writeSpillFiles(
  files: readonly SpillFile[],
  place: { readonly workspace: string; readonly dirname: string },
): void {
  if (files.length === 0) return;
  const folder = join(place.workspace, place.dirname);
  mkdirSync(folder, { recursive: true });
  requireInside(folder, place.workspace);
  const ignore = join(folder, ".gitignore");
  if (!existsSync(ignore)) writeAtomic(ignore, "*\n");
  for (const { name, content } of files) {
    const path = join(folder, name);
    if (!existsSync(path)) writeAtomic(path, content);
  }
}
