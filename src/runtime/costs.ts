// What has been booked for each session. The harness's total is cumulative per session and survives resume and fork,
// so a step is charged the difference; these figures are where that difference is counted from.

import { isRecord, keepAside, readJson, writeAtomic } from "../core/json.ts";
import { withLock } from "../core/lock.ts";
import type { ManifestRow } from "./step-result.ts";

function numbers(value: unknown): Map<string, number> {
  const entries = isRecord(value) ? Object.entries(value) : [];
  return new Map(entries.filter((entry): entry is [string, number] => typeof entry[1] === "number"));
}

function totalInRows(rows: readonly ManifestRow[], sessionId: string): number {
  return Math.max(0, ...rows.map((row) => numbers(row.session_totals).get(sessionId) ?? 0));
}

/**
 * The cumulative total up to which a session has been booked. The manifest is the truth; costs.json covers a
 * manifest that was lost. A fork starts at its parent's total, so ask for the parent when the fork is unknown.
 */
export function bookedUsd(costsPath: string, rows: readonly ManifestRow[], sessionId: string): number {
  const read = readJson(costsPath);
  const sessions = read.kind === "value" && isRecord(read.value) ? numbers(read.value.sessions) : new Map();
  return Math.max(totalInRows(rows, sessionId), sessions.get(sessionId) ?? 0);
}

/** Record that a session stands at `totalUsd`. A damaged file is moved aside; the manifest still knows. */
export function recordTotal(costsPath: string, sessionId: string, totalUsd: number): void {
  withLock(costsPath, () => {
    const read = readJson(costsPath);
    if (read.kind === "damaged") keepAside(costsPath);
    const before = read.kind === "value" && isRecord(read.value) ? numbers(read.value.sessions) : new Map();
    before.set(sessionId, totalUsd);
    writeAtomic(costsPath, `${JSON.stringify({ sessions: Object.fromEntries(before) }, null, 1)}\n`);
  });
}
