// What the questions put aside cost: they have books of their own, in which each run of them names the run it was beside.

import { join } from "node:path";
import { manifestPath, readManifest } from "../../runtime/manifest.ts";
import { costOf } from "./run-summary.ts";

/** US dollars of what was asked beside `run`, or beside any run of the folder. */
export function asideCost(runDir: string, run?: string): number {
  const { rows } = readManifest(manifestPath(join(runDir, "aside")));
  if (run === undefined) return costOf(rows);
  const beside = new Set(rows.filter((row) => row.beside === run).map((row) => row.run));
  return costOf(rows.filter((row) => beside.has(row.run)));
}
