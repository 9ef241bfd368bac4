// Summaries as rows: a sidecar of each main transcript, kept by the harness's fold, which alone knows what is in it.

import { isRecord } from "../core/json.ts";
import type { Connection } from "./connection.ts";
import type { FoldSummary, SessionKey, SessionStoreEntry, SessionSummaryEntry } from "./session-store.ts";
import type { EncodedEntry } from "./transcript-rows.ts";

/**
 * A stored summary. The original keeps the same row, but its fold spells the fields in `data` another way, and takes
 * no notice of ours; a row without `sessionId` is from there and cannot be folded on.
 */
function readSummary(row: Readonly<Record<string, unknown>> | undefined): SessionSummaryEntry | undefined {
  if (row === undefined) return undefined;
  try {
    const stored: unknown = JSON.parse(String(row.data));
    if (!isRecord(stored) || !isRecord(stored.data) || typeof stored.sessionId !== "string") return undefined;
    return { sessionId: stored.sessionId, mtime: Number(row.mtime), data: stored.data };
  } catch {
    return undefined;
  }
}

function writeSummary(connection: Connection, key: SessionKey, summary: SessionSummaryEntry): void {
  const { sessionId, mtime, data } = summary;
  connection.run(
    "INSERT INTO summaries (project_key, session_id, mtime, data) VALUES (?, ?, ?, ?) " +
      "ON CONFLICT (project_key, session_id) DO UPDATE SET mtime = excluded.mtime, data = excluded.data",
    key.projectKey,
    key.sessionId,
    mtime,
    // `session_id` is for the original, which hands this object on as it is.
    JSON.stringify({ session_id: sessionId, sessionId, mtime, data }),
  );
}

function parse(payload: string): SessionStoreEntry {
  return JSON.parse(payload) as SessionStoreEntry;
}

/** One append to a main transcript, as its summary needs to know it. */
export interface SummaryStep {
  readonly key: SessionKey;
  readonly storeKey: string;
  readonly fresh: readonly EncodedEntry[];
  /** The transcript's time before this append; undefined when it is new. */
  readonly before: number | undefined;
  /** Its time from now on. */
  readonly mtime: number;
}

/**
 * Bring a summary up to date inside the append's transaction. Folds the new entries onto the stored summary, or all
 * entries afresh when that one is missing, behind, or the original's. False when the fold cannot take the entries: a
 * sidecar must not cost the transcript, so the summary is just behind from now on, and no longer listed.
 */
export function foldIntoSummary(connection: Connection, fold: FoldSummary, step: SummaryStep): boolean {
  const { key, fresh, before, mtime } = step;
  const previous = readSummary(
    connection.get(
      "SELECT mtime, data FROM summaries WHERE project_key = ? AND session_id = ?",
      key.projectKey,
      key.sessionId,
    ),
  );
  const isCurrent = before === undefined || previous?.mtime === before;
  const payloads = isCurrent
    ? fresh.map((entry) => entry.payload)
    : connection
        .all("SELECT payload FROM entries WHERE store_key = ? ORDER BY seq", step.storeKey)
        .map((row) => String(row.payload));
  let folded: SessionSummaryEntry;
  try {
    folded = fold(isCurrent ? previous : undefined, key, payloads.map(parse), { mtime });
  } catch {
    return false;
  }
  writeSummary(connection, key, { sessionId: key.sessionId, mtime, data: folded.data });
  return true;
}

/** The summaries of a project that are up to date; a reader finds the others by loading. */
export function listSummaries(connection: Connection, projectKey: string): SessionSummaryEntry[] {
  return connection
    .all(
      "SELECT s.mtime AS mtime, s.data AS data FROM summaries s JOIN meta m " +
        "ON m.store_key = s.project_key || '/' || s.session_id AND m.mtime <= s.mtime " +
        "WHERE s.project_key = ? ORDER BY s.session_id",
      projectKey,
    )
    .map(readSummary)
    .filter((summary) => summary !== undefined);
}

/** Forget a session's summary. */
export function deleteSummary(connection: Connection, key: SessionKey): void {
  connection.run(
    "DELETE FROM summaries WHERE project_key = ? AND session_id = ?",
    key.projectKey,
    key.sessionId,
  );
}
