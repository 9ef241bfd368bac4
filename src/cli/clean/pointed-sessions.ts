// Which sessions something still points at: the lineage, steps that need not run again, runs that are young or at work.
// Reads only.

import { join } from "node:path";
import { StoreError } from "../../core/errors.ts";
import { isRecord, readJson } from "../../core/json.ts";
import { manifestPath, readManifest } from "../../runtime/manifest.ts";
import type { ManifestRow } from "../../runtime/step-result.ts";
import { readAttempt } from "../../workflow/attempt-name.ts";
import { bookedState } from "../../workflow/lapse/verdict-record.ts";
import { sessionsInBooks } from "../../workflow/recover-lineage.ts";

/** What the books of a run folder say about what is needed. */
export interface Pointed {
  readonly sessions: ReadonlySet<string>;
  /** Runs that are young or at work: nothing of them may be removed. */
  readonly runs: ReadonlySet<string>;
  /** The run of the last verdict, however old: what that was based on can be looked up as long as it stands. */
  readonly judged: string | undefined;
}

function texts(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === "string") : [];
}

/** Sessions of a row: the one it ended with, those that handed over, those that were charged. */
function sessionsOf(row: ManifestRow): string[] {
  const charged = isRecord(row.session_totals) ? Object.keys(row.session_totals) : [];
  return [...(row.session_id === null ? [] : [row.session_id]), ...texts(row.retired), ...charged];
}

/** Epoch seconds a row speaks of; of one without a time nobody knows how old it is. */
function timeOf(row: ManifestRow): number {
  const times = [row.started_at, row.ended_at].filter((time) => typeof time === "number");
  return times.length === 0 ? Number.POSITIVE_INFINITY : Math.max(...times);
}

/** Sessions of the lineage of whichever workspace keeps it here; of a damaged one, what the books tell. */
function sessionsInLineage(runDir: string): string[] {
  const read = readJson(join(runDir, "lineage.json"));
  if (read.kind === "absent") return [];
  if (read.kind === "value" && isRecord(read.value) && isRecord(read.value.steps)) {
    return Object.values(read.value.steps).filter((id) => typeof id === "string");
  }
  return [...sessionsInBooks(runDir).values()];
}

function sessionsOfFinishedSteps(runDir: string): string[] {
  const read = readJson(join(runDir, "finished.json"));
  if (read.kind !== "value" || !isRecord(read.value) || !isRecord(read.value.steps)) return [];
  const ids = Object.values(read.value.steps).map((step) => (isRecord(step) ? step.session_id : undefined));
  return ids.filter((id) => typeof id === "string");
}

/** The run of the last verdict; older books tell it by the name of the judge alone. */
function lastJudged(rows: readonly ManifestRow[]): string | undefined {
  const last =
    rows.findLast((row) => bookedState(row) !== undefined) ??
    rows.findLast((row) => readAttempt(row.step).kind === "verdict");
  return last?.run;
}

/**
 * What is pointed at. `since` is in epoch seconds; runs that ended before it are old.
 * @throws StoreError `books_damaged` when the manifest cannot be read: without it nobody knows.
 */
export function pointedSessions(runDir: string, since: number, live: readonly string[]): Pointed {
  const path = manifestPath(runDir);
  const { rows, damaged } = readManifest(path);
  if (damaged !== undefined) {
    throw new StoreError(
      `${path} cannot be read (${damaged}), so that nobody knows which sessions are needed`,
      {
        code: "books_damaged",
        values: { path, damaged },
        hint: `run \`flower\` here, which puts it aside, or move ${path} away yourself`,
      },
    );
  }
  const young = rows.filter((row) => timeOf(row) >= since).map((row) => row.run);
  const runs = new Set([...young, ...live]);
  const fromRuns = rows.filter((row) => runs.has(row.run)).flatMap(sessionsOf);
  const sessions = [...fromRuns, ...sessionsInLineage(runDir), ...sessionsOfFinishedSteps(runDir)];
  return { sessions: new Set(sessions), runs, judged: lastJudged(rows) };
}
