// One run, summed up from its rows in the books. Pure.

import { readFailureFacts } from "../../config/locale/words.ts";
import type { FailureFacts } from "../../core/words.ts";
import { Verdict } from "../../documents/verdict.ts";
import type { ManifestRow } from "../../runtime/step-result.ts";
import { readAttempt } from "../../workflow/attempt-name.ts";
import { bookedState, type RuledState } from "../../workflow/lapse/verdict-record.ts";

/** One run, summed up from its rows. */
export interface RunSummary {
  readonly run: string;
  readonly steps: readonly string[];
  /** Judges that are called by a name of their own. */
  readonly judges: readonly string[];
  /** Whether its last row is ok. */
  readonly ok: boolean;
  /** Of its last row; empty when that is ok. */
  readonly error: string;
  /** The same as data; undefined where that row has none. */
  readonly failure: FailureFacts | undefined;
  readonly costUsd: number;
  /** Epoch seconds; undefined where no row says. */
  readonly startedAt: number | undefined;
  /** Undefined while a row is still open, or where no row says. */
  readonly endedAt: number | undefined;
  /** What its last verdict came to, whatever its judge wrote; undefined for a run without one. */
  readonly verdict: RuledState | undefined;
}

/** What rows cost together. */
export function costOf(rows: readonly ManifestRow[]): number {
  return rows.reduce((total, row) => total + (Number.isFinite(row.cost_usd) ? row.cost_usd : 0), 0);
}

function timesOf(rows: readonly ManifestRow[], field: "started_at" | "ended_at"): number[] {
  return rows.map((row) => row[field]).filter((time) => typeof time === "number" && time > 0) as number[];
}

function verdictOf(rows: readonly ManifestRow[]): RunSummary["verdict"] {
  const booked = rows.map(bookedState).findLast((state) => state !== undefined);
  if (booked !== undefined) return booked;
  // Older books know no more than what the judge wrote.
  const judged = rows.findLast((row) => row.ok && readAttempt(row.step).kind === "verdict");
  const state = typeof judged?.text === "string" ? Verdict.parse(judged.text).state : "";
  return state === "" ? undefined : state;
}

function judgesOf(rows: readonly ManifestRow[]): readonly string[] {
  const judged = rows.filter((row) => bookedState(row) !== undefined).map(({ step }) => readAttempt(step));
  return [...new Set(judged.filter(({ kind }) => kind === "other").map(({ step }) => step))];
}

function summarise(run: string, rows: readonly ManifestRow[]): RunSummary {
  const last = rows.at(-1);
  const starts = timesOf(rows, "started_at");
  const ends = timesOf(rows, "ended_at");
  return {
    run,
    steps: rows.map((row) => row.step),
    judges: judgesOf(rows),
    ok: last?.ok === true,
    error: typeof last?.error === "string" ? last.error : "",
    failure: readFailureFacts(last?.failure),
    costUsd: costOf(rows),
    startedAt: starts.length === 0 ? undefined : Math.min(...starts),
    endedAt: ends.length < rows.length ? undefined : Math.max(...ends),
    verdict: verdictOf(rows),
  };
}

/** Rows grouped by run, in the order the runs appear. */
export function summariseRuns(rows: readonly ManifestRow[]): readonly RunSummary[] {
  const groups = new Map<string, ManifestRow[]>();
  for (const row of rows) {
    const own = groups.get(row.run);
    if (own === undefined) groups.set(row.run, [row]);
    else own.push(row);
  }
  return [...groups].map(([run, own]) => summarise(run, own));
}
