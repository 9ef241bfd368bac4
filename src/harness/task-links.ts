// What the harness leaves in its temporary folder: for each worker a link to the file its transcript had while it ran.
// That file is gone afterwards, and a link to nothing makes programs that walk the workspace fail: `node --test` does.

import { existsSync, lstatSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";

/** A link younger than this may still get its file, in milliseconds: the two are made within a few. */
const YOUNG_MS = 200;

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** The folders of tasks, one a session: `claude-<user>/<project>/<session>/tasks`. */
function taskFolders(temporary: string): string[] {
  const below = (folder: string) => namesIn(folder).map((name) => join(folder, name));
  return below(temporary)
    .flatMap(below)
    .flatMap(below)
    .map((session) => join(session, "tasks"));
}

/** Remove the links of workers that lead nowhere. Never throws: what cannot be removed stays. */
export function sweepTaskLinks(temporary: string | undefined): void {
  if (temporary === undefined) return;
  for (const folder of taskFolders(temporary)) {
    for (const path of namesIn(folder).map((name) => join(folder, name))) {
      try {
        const found = lstatSync(path);
        const isOld = Date.now() - found.mtimeMs >= YOUNG_MS;
        if (found.isSymbolicLink() && isOld && !existsSync(path)) rmSync(path);
      } catch {
        // Somebody else removed it, or it is not ours to remove.
      }
    }
  }
}
