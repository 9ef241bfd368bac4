// A folder that flower's Python original left: its names are read as ours, and never written.

import { constants, copyFileSync, existsSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { DiskError, errorText } from "../core/errors.ts";

/** Documents of the starter: our name -> the original's. */
const DOCUMENTS: Readonly<Record<string, string>> = {
  "brief.md": "需求.md",
  "goal.md": "目标.md",
  "qa.md": "问答记录.md",
};

/** Steps of the starter: the original's name -> ours. */
const STEPS: ReadonlyMap<string, string> = new Map([
  ["确认需求", "clarify"],
  ["设定目标", "goal"],
  ["干活", "work"],
]);

/** A step's name in our words. */
export function stepAlias(name: string): string {
  return STEPS.get(name) ?? name;
}

/** A document under our name and under the original's, there or not. */
export function bothNames(path: string): readonly string[] {
  const old = DOCUMENTS[basename(path)];
  return old === undefined ? [path] : [path, join(dirname(path), old)];
}

/** The document itself; where it is absent, the original's under its old name, if that is there. */
export function standingDocument(path: string): string {
  return bothNames(path).find((name) => existsSync(name)) ?? path;
}

/**
 * Copy the original's documents to our names, where ours are absent; from then on ours count.
 * @returns the paths that were written. @throws DiskError when one cannot be.
 */
export function adoptDocuments(paths: readonly string[]): readonly string[] {
  return paths.filter((path) => {
    const left = standingDocument(path);
    if (left === path) return false;
    try {
      copyFileSync(left, path, constants.COPYFILE_EXCL);
      return true;
    } catch (error) {
      throw new DiskError(`${left} cannot be copied to ${path}: ${errorText(error)}`, {
        code: "original_folder",
        values: { left, path, reason: errorText(error) },
        hint: "make the folder writable, or copy it by hand",
      });
    }
  });
}
