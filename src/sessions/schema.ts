// The tables of a session store's file, and the check that a file is one before anything is written to it.

import { StoreError } from "../core/errors.ts";
import type { Connection } from "./connection.ts";

/**
 * `PRAGMA user_version` of the files written here. It stays 0, the original's, as long as its tables are enough:
 * either program opens the other's file. Tables it does not know do not disturb it.
 */
const SCHEMA_VERSION = 0;

const TABLES = `
CREATE TABLE IF NOT EXISTS entries (
  store_key TEXT NOT NULL, seq INTEGER NOT NULL, uid TEXT, payload TEXT NOT NULL, PRIMARY KEY (store_key, seq)
);
CREATE UNIQUE INDEX IF NOT EXISTS entries_uid ON entries (store_key, uid) WHERE uid IS NOT NULL;
CREATE TABLE IF NOT EXISTS meta (
  store_key TEXT PRIMARY KEY, mtime INTEGER NOT NULL, next_seq INTEGER NOT NULL
);
CREATE TABLE IF NOT EXISTS summaries (
  project_key TEXT NOT NULL, session_id TEXT NOT NULL, mtime INTEGER NOT NULL, data TEXT NOT NULL,
  PRIMARY KEY (project_key, session_id)
);
CREATE TABLE IF NOT EXISTS workspaces (project_key TEXT PRIMARY KEY, path TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS incomplete (
  project_key TEXT NOT NULL, session_id TEXT NOT NULL, reason TEXT NOT NULL, at INTEGER NOT NULL,
  PRIMARY KEY (project_key, session_id)
);
`;

/** Fail now, not at the first append: on tables of another shape, and on a file that only pretends to be writable. */
const PROBES: readonly string[] = [
  "SELECT store_key, seq, uid, payload FROM entries LIMIT 0",
  "SELECT store_key, mtime, next_seq FROM meta LIMIT 0",
  "SELECT project_key, session_id, mtime, data FROM summaries LIMIT 0",
  "SELECT project_key, path FROM workspaces LIMIT 0",
  "SELECT project_key, session_id, reason, at FROM incomplete LIMIT 0",
  "DELETE FROM meta WHERE 0",
];

/**
 * Refuse a file from a later flower, before it is touched.
 * @throws StoreError `store_newer_schema`.
 */
function refuseNewer(connection: Connection, path: string): void {
  const version = Number(connection.get("PRAGMA user_version")?.user_version ?? 0);
  if (version <= SCHEMA_VERSION) return;
  throw new StoreError(`${path} was written by a newer flower (schema ${version}, known ${SCHEMA_VERSION})`, {
    code: "store_newer_schema",
    values: { path },
    hint: `update flower, or move ${path} aside to start an empty store`,
  });
}

/** Make the file ready for reading and writing; an existing one keeps what it holds. */
export function prepareSchema(connection: Connection, path: string): void {
  refuseNewer(connection, path);
  connection.get("PRAGMA journal_mode = WAL");
  connection.transaction(() => {
    connection.exec(TABLES);
    for (const probe of PROBES) connection.exec(probe);
  });
}
