// Where paths lie to one another, by their names alone: no link is followed.

import { sep } from "node:path";

/** Whether a path is a folder or lies in it. Both absolute and resolved; everything lies in the root. */
export function isInside(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep);
}
