// What it takes to make a store smaller: how large a session is, what its entries mention, and giving room back.

import { statfsSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname } from "node:path";
import type { Connection } from "./connection.ts";
import { isBusy, isFull } from "./store-failure.ts";
import { wholeSession } from "./transcript-rows.ts";

/** Entries held in memory at once while a session is searched. */
const PAGE_ROWS = 100;

/** Bytes of a session's entries, its workers' included. */
export function sessionBytes(connection: Connection, mainKey: string): number {
  const sql = `SELECT coalesce(sum(length(CAST(payload AS BLOB))), 0) AS bytes FROM entries WHERE ${wholeSession}`;
  return Number(connection.get(sql, mainKey)?.bytes ?? 0);
}

/** Entries of a session, its workers' included, that hold these words; a page of them in memory at a time. */
export function* payloadsWith(
  next: <T>(work: (connection: Connection) => T) => T,
  mainKey: string,
  words: string,
): Generator<string> {
  const sql =
    `SELECT rowid AS id, payload FROM entries WHERE (${wholeSession}) ` +
    `AND rowid > ?2 AND instr(payload, ?3) > 0 ORDER BY rowid LIMIT ${PAGE_ROWS}`;
  let last = -1;
  for (;;) {
    const after = last;
    const rows = next((connection) => connection.all(sql, mainKey, after, words));
    for (const row of rows) yield String(row.payload);
    if (rows.length < PAGE_ROWS) return;
    last = Number(rows.at(-1)?.id);
  }
}

function freeBytes(folder: string): number {
  try {
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize;
  } catch {
    return 0;
  }
}

/** What became of an attempt to give room back to the disk. */
export type Compaction = "nothing_free" | "done" | "in_use" | "no_room";

/**
 * Give freed room back to the disk. SQLite makes a copy among the temporary files and writes it over the file through
 * the write-ahead log, so that a kill in the middle leaves the old file; that takes room for two copies.
 */
export function compactFile(connection: Connection, path: string): Compaction {
  const number = (name: string) => Number(connection.get(`PRAGMA ${name}`)?.[name] ?? 0);
  const free = number("freelist_count");
  if (free === 0) return "nothing_free";
  const needed = (number("page_count") - free) * number("page_size");
  if (freeBytes(dirname(path)) < 2 * needed || freeBytes(tmpdir()) < needed) return "no_room";
  try {
    connection.exec("VACUUM");
    return "done";
  } catch (error) {
    if (isBusy(error)) return "in_use";
    if (isFull(error)) return "no_room";
    throw error;
  }
}
