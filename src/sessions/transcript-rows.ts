// Transcripts as rows: append, load, list, delete. Plain SQL on a connection; turns and errors are the store's.

import type { Connection } from "./connection.ts";
import type { SessionStoreEntry } from "./session-store.ts";
import { damagedRow } from "./store-failure.ts";

/** Everything below `prefix/`: `0` is the character after `/`, so this is a range the index knows. */
const BELOW = "store_key >= ?1 || '/' AND store_key < ?1 || '0'";

/** A main transcript, named by the first parameter, and those of its workers. */
export const wholeSession = `store_key = ?1 OR (${BELOW})`;

/** One entry as it will lie in the file. */
export interface EncodedEntry {
  readonly uid: string | null;
  readonly payload: string;
}

/** Freeze entries as text at the moment they are handed over; the caller may change them while they wait. */
export function encodeEntries(entries: readonly SessionStoreEntry[]): EncodedEntry[] {
  return entries.map((entry) => ({
    uid: typeof entry.uuid === "string" && entry.uuid !== "" ? entry.uuid : null,
    payload: JSON.stringify(entry),
  }));
}

/** Insert what is new, by uid; the entries that were. Runs inside the caller's transaction. */
export function insertFresh(
  connection: Connection,
  storeKey: string,
  entries: readonly EncodedEntry[],
): { readonly fresh: readonly EncodedEntry[]; readonly nextSeq: number } {
  const first = Number(
    connection.get("SELECT next_seq FROM meta WHERE store_key = ?", storeKey)?.next_seq ?? 0,
  );
  const fresh: EncodedEntry[] = [];
  for (const entry of entries) {
    const changed = connection.run(
      "INSERT INTO entries (store_key, seq, uid, payload) VALUES (?, ?, ?, ?) " +
        "ON CONFLICT (store_key, uid) WHERE uid IS NOT NULL DO NOTHING",
      storeKey,
      first + fresh.length,
      entry.uid,
      entry.payload,
    );
    if (changed > 0) fresh.push(entry);
  }
  return { fresh, nextSeq: first + fresh.length };
}

/** Move a transcript's time and next number. */
export function touchTranscript(
  connection: Connection,
  storeKey: string,
  at: { readonly mtime: number; readonly nextSeq: number },
): void {
  connection.run(
    "INSERT INTO meta (store_key, mtime, next_seq) VALUES (?, ?, ?) " +
      "ON CONFLICT (store_key) DO UPDATE SET mtime = excluded.mtime, next_seq = excluded.next_seq",
    storeKey,
    at.mtime,
    at.nextSeq,
  );
}

/** The latest time in the file, 0 when it is empty: what another process wrote counts too. */
export function latestMtime(connection: Connection): number {
  return Number(connection.get("SELECT max(mtime) AS latest FROM meta")?.latest ?? 0);
}

/** When a transcript last grew, or undefined when there is none. Reads no payload. */
export function transcriptMtime(connection: Connection, storeKey: string): number | undefined {
  const row = connection.get("SELECT mtime FROM meta WHERE store_key = ?", storeKey);
  return row === undefined ? undefined : Number(row.mtime);
}

/** The entries in order, or null when there are none. */
export function loadTranscript(
  connection: Connection,
  storeKey: string,
  path: string,
): SessionStoreEntry[] | null {
  const rows = connection.all("SELECT payload FROM entries WHERE store_key = ? ORDER BY seq", storeKey);
  if (rows.length === 0) return null;
  try {
    return rows.map((row) => JSON.parse(String(row.payload)) as SessionStoreEntry);
  } catch (error) {
    throw damagedRow(path, storeKey, error);
  }
}

/** Payloads of the last `count` entries, newest first. */
export function lastPayloads(connection: Connection, storeKey: string, count: number): string[] {
  return connection
    .all("SELECT payload FROM entries WHERE store_key = ? ORDER BY seq DESC LIMIT ?", storeKey, count)
    .map((row) => String(row.payload));
}

/** Names and times one level below: the main transcripts of a project. */
export function listMains(
  connection: Connection,
  projectKey: string,
): Array<{ sessionId: string; mtime: number }> {
  return connection
    .all(
      `SELECT substr(store_key, length(?1) + 2) AS name, mtime FROM meta WHERE ${BELOW} ORDER BY 1`,
      projectKey,
    )
    .map((row) => ({ sessionId: String(row.name), mtime: Number(row.mtime) }))
    .filter((session) => !session.sessionId.includes("/"));
}

/** Subpaths below a main transcript. */
export function listBelow(connection: Connection, mainKey: string): string[] {
  return connection
    .all(`SELECT substr(store_key, length(?1) + 2) AS name FROM meta WHERE ${BELOW} ORDER BY 1`, mainKey)
    .map((row) => String(row.name));
}

/** Project keys in the file, sorted. */
export function listProjects(connection: Connection): string[] {
  return connection
    .all("SELECT DISTINCT substr(store_key, 1, instr(store_key, '/') - 1) AS name FROM meta ORDER BY 1")
    .map((row) => String(row.name));
}

/** Remove one transcript, and with `below` those of its workers. Runs inside the caller's transaction. */
export function deleteTranscript(connection: Connection, storeKey: string, below: boolean): void {
  for (const table of ["entries", "meta"]) {
    connection.run(`DELETE FROM ${table} WHERE store_key = ?`, storeKey);
    if (below) connection.run(`DELETE FROM ${table} WHERE ${BELOW}`, storeKey);
  }
}
