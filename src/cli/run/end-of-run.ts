// What there is to say once a run is over, gathered from its books and its folders.

import { existsSync } from "node:fs";
import { join } from "node:path";
import { workTreeOf } from "../../evidence/work-tree.ts";
import { readManifest } from "../../runtime/manifest.ts";
import type { Runtime } from "../../runtime/runtime.ts";
import type { RunEnd } from "../screen/render-end.ts";
import { changedFiles } from "./changed-files.ts";

/** Times of files are a little behind the clock. */
const CLOCK_MS = 20;

/** A run that is over. */
export interface EndedRun {
  readonly runtime: Runtime;
  readonly isDone: boolean;
  /** US dollars of the questions put aside, which are in no row of the run. */
  readonly asideUsd: number;
  /** Epoch milliseconds. */
  readonly startedMs: number;
  readonly verdict: RunEnd["verdict"];
  readonly env: Readonly<Record<string, string>>;
}

/** Papers of the work that are there. */
function papersOf({ workbench, runId }: Runtime): string[] {
  if (workbench === undefined) return [];
  const papers = [
    ...["brief.md", "goal.md"].map((name) => join(workbench.notes, name)),
    join(workbench.artifacts, "evidence", runId),
  ];
  return papers.filter((path) => existsSync(path));
}

/** Gather it; undefined for a run of a single step, of which its last line says everything. */
export async function endOfRun(run: EndedRun): Promise<RunEnd | undefined> {
  const { runtime, isDone, asideUsd, startedMs, verdict, env } = run;
  const rows = readManifest(runtime.manifestPath).rows.filter((row) => row.run === runtime.runId);
  if (rows.length < 2) return undefined;
  const { workspace, runDir, workbench } = runtime;
  const { exclude } = workTreeOf({ workspace, runDir, workbench: workbench?.root });
  const together = runtime.integration.report;
  return {
    isDone,
    seconds: (Date.now() - startedMs) / 1000,
    verdict,
    costs: rows.map(({ step, cost_usd: usd }) => ({ step, usd })),
    asideUsd,
    // Isolated work is not in the workspace.
    files:
      together?.path === undefined
        ? await changedFiles({ workspace, exclude, sinceMs: startedMs - CLOCK_MS, env })
        : together.files,
    papers: papersOf(runtime),
  };
}
