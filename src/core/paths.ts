// Where paths lie to one another, by their names alone: no link is followed.

import { relative, sep } from "node:path";

/** Whether a path is a folder or lies in it. Both absolute and resolved; everything lies in the root. */
export function isInside(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep);
}

/** How a path is written down: relative to the folder, with slashes on every system. */
export function relativeKey(folder: string, path: string): string {
  return relative(folder, path).split(sep).join("/");
}
