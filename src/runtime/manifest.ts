// The books on disk: manifest.json, one row a step attempt chain, accumulated over processes and runs.

import { existsSync } from "node:fs";
import { join } from "node:path";
import { keepAside, readJson, writeAtomic } from "../core/json.ts";
import { withLock } from "../core/lock.ts";
import { isManifestRow, type ManifestRow } from "./step-result.ts";

/** What reading a manifest gave. */
export interface ManifestRead {
  readonly rows: readonly ManifestRow[];
  /** Why the file was not usable; undefined when it was, or when there is none. */
  readonly damaged: string | undefined;
}

/** Where a run folder has its books. */
export function manifestPath(runDir: string): string {
  return join(runDir, "manifest.json");
}

/** Read the rows; a damaged file gives none and says why. Writes nothing. */
export function readManifest(path: string): ManifestRead {
  const read = readJson(path);
  if (read.kind === "absent") return { rows: [], damaged: undefined };
  if (read.kind === "damaged") return { rows: [], damaged: read.reason };
  if (!Array.isArray(read.value)) return { rows: [], damaged: "not a list of rows" };
  return { rows: read.value.filter(isManifestRow), damaged: undefined };
}

/**
 * Put a run's rows in place of its earlier ones and keep all others, under a lock, in one atomic replacement.
 * A damaged file is moved aside first. Synchronous: also called from signal handlers.
 * @returns where a damaged file was moved to, or undefined.
 * @throws DiskError `write_failed` or `lock_timeout`.
 */
export function writeManifest(path: string, run: string, rows: readonly ManifestRow[]): string | undefined {
  return withLock(path, () => {
    const before = readManifest(path);
    let aside: string | undefined;
    if (before.damaged !== undefined && existsSync(path))
      aside = keepAside(path) ?? `${path} (could not be moved)`;
    const others = before.rows.filter((row) => row.run !== run);
    writeAtomic(path, `${JSON.stringify([...others, ...rows], null, 1)}\n`);
    return aside;
  });
}
