// The tools that write one file, and every place the path they are given may mean.

import { isAbsolute, resolve, sep } from "node:path";
import { physicalPath } from "./physical-path.ts";

/** Tools that write one file, with the field that names it. */
export const WRITERS: ReadonlyMap<string, string> = new Map([
  ["Write", "file_path"],
  ["Edit", "file_path"],
  ["MultiEdit", "file_path"],
  ["NotebookEdit", "notebook_path"],
]);

/** Every place a written path may mean: as the kernel walks it, and as a program that tidies it first would. */
export function writtenPlaces(path: string, cwd: string): (string | undefined)[] {
  const spellings = new Set([path, path.normalize("NFC")]);
  return [...spellings].flatMap((spelling) => {
    const whole = isAbsolute(spelling) ? spelling : `${cwd}${sep}${spelling}`;
    return [physicalPath(whole), physicalPath(resolve(whole))];
  });
}
