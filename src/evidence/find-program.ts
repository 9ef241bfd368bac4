// Where a program is, as a shell would find it.

import { accessSync, constants, statSync } from "node:fs";
import { platform } from "node:os";
import { delimiter, join } from "node:path";

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

/** Path of the program in the folders of a PATH; undefined when it is in none. */
export function findProgram(name: string, path: string | undefined): string | undefined {
  const endings = platform() === "win32" ? [".exe", ".cmd", ""] : [""];
  for (const folder of (path ?? "").split(delimiter)) {
    if (folder === "") continue;
    const found = endings.map((ending) => join(folder, name + ending)).find(isExecutable);
    if (found !== undefined) return found;
  }
  return undefined;
}
