// Whether what a judge names is there: a reason that names no path that exists proves nothing.

import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { isInside } from "../../core/paths.ts";
import { namedPaths } from "./named-paths.ts";

/** Where the paths of a reason may lead. */
export interface ProofInput {
  /** What the judge wrote. */
  readonly reason: string;
  /** Checks of the goal, in order. */
  readonly checks: readonly string[];
  /** Folders a relative path may stand in, and outside of which a path is no evidence. Absolute. */
  readonly folders: readonly string[];
}

function isThere(path: string, folders: readonly string[]): boolean {
  return folders.some((folder) => {
    const absolute = resolve(folder, path);
    return folders.some((each) => isInside(absolute, each)) && existsSync(absolute);
  });
}

/** Numbers of the items for which the reason names a path that exists inside one of the folders. */
export function provenItems(input: ProofInput): ReadonlySet<number> {
  const named = namedPaths(input.reason, input.checks);
  return new Set(
    [...named]
      .filter(([, paths]) => paths.some((path) => isThere(path, input.folders)))
      .map(([number]) => number),
  );
}
