// What can go wrong with a store's file, told to a person: driver errors become StoreErrors that name the file.

import { accessSync, constants, existsSync } from "node:fs";
import { dirname } from "node:path";
import { errorText, StoreError } from "../core/errors.ts";
import { isRecord } from "../core/json.ts";

/** Primary result codes of SQLite; the extended ones carry them in their low byte. */
const SQLITE = {
  busy: 5,
  locked: 6,
  readonly: 8,
  io: 10,
  corrupt: 11,
  full: 13,
  cannotOpen: 14,
  notADb: 26,
} as const;

/** Failed writes that mean "no room": a quota and a file-size limit are I/O errors to SQLite, not `SQLITE_FULL`. */
const NO_ROOM_IO: readonly number[] = [778 /* IOERR_WRITE */, 4874 /* IOERR_SHMSIZE */];

function rawCode(error: unknown): number | undefined {
  const raw = isRecord(error) ? error.rawCode : undefined;
  return typeof raw === "number" ? raw : undefined;
}

/** True when another connection holds the lock and trying again can help. */
export function isBusy(error: unknown): boolean {
  const primary = (rawCode(error) ?? 0) & 0xff;
  return primary === SQLITE.busy || primary === SQLITE.locked;
}

/** True when there is no room: a full disk, a quota, a limit on the size of files. */
export function isFull(error: unknown): boolean {
  const raw = rawCode(error) ?? 0;
  return (raw & 0xff) === SQLITE.full || NO_ROOM_IO.includes(raw);
}

interface Failure {
  readonly code: string;
  readonly says: string;
  readonly hint: string;
}

function failureOf(raw: number, path: string): Failure {
  if (NO_ROOM_IO.includes(raw)) return noRoom(path);
  switch (raw & 0xff) {
    case SQLITE.busy:
    case SQLITE.locked:
      return {
        code: "store_locked",
        says: "is locked by another process",
        hint: `end the program that holds ${path}, or wait for it, and run again`,
      };
    case SQLITE.readonly:
      return readOnly(path);
    case SQLITE.full:
      return noRoom(path);
    case SQLITE.corrupt:
    case SQLITE.notADb:
      return {
        code: "store_corrupt",
        says: "is damaged or not a session store",
        hint: `it was left as it is; move ${path} aside to start an empty one, or restore a copy`,
      };
    case SQLITE.cannotOpen:
      return isReadOnly(path) ? readOnly(path) : cannotOpen(path);
    case SQLITE.io:
      return {
        code: "store_io_failed",
        says: "could not be read or written",
        hint: `check the disk that holds ${path}`,
      };
    default:
      return { code: "store_failed", says: "refused a statement", hint: `check ${path} with a SQLite tool` };
  }
}

function readOnly(path: string): Failure {
  return {
    code: "store_readonly",
    says: "cannot be written",
    hint: `make ${path} and the folder around it writable for this user`,
  };
}

function isWritable(path: string): boolean {
  try {
    accessSync(path, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

/** SQLite says "cannot open" of a file on a read-only disk when it has no room for its log. */
function isReadOnly(path: string): boolean {
  return existsSync(path) && !(isWritable(path) && isWritable(dirname(path)));
}

function noRoom(path: string): Failure {
  return {
    code: "store_full",
    says: "cannot grow: disk, quota or file-size limit reached",
    hint: `free space where ${path} lives; what was stored before is intact`,
  };
}

function cannotOpen(path: string): Failure {
  return {
    code: "store_cannot_open",
    says: "cannot be opened",
    hint: `check that ${path} is a file in a folder this user may read and write`,
  };
}

function build(failure: Failure, path: string, cause: unknown): StoreError {
  return new StoreError(`${path} ${failure.says} (${errorText(cause)})`, {
    code: failure.code,
    values: { path, reason: errorText(cause) },
    hint: failure.hint,
    cause,
  });
}

/** A driver error as a StoreError naming the file; anything that is not the driver's comes back unchanged. */
export function asStoreFailure(error: unknown, path: string): unknown {
  const raw = rawCode(error);
  return raw === undefined ? error : build(failureOf(raw, path), path, error);
}

/** The same while opening, when whatever the driver throws means that there is no store. */
export function asOpenFailure(error: unknown, path: string): unknown {
  if (error instanceof StoreError) return error;
  const failure = failureOf(rawCode(error) ?? SQLITE.cannotOpen, path);
  return build(failure.code === "store_failed" ? cannotOpen(path) : failure, path, error);
}

/** The store was closed before this call. */
export function storeClosed(path: string): StoreError {
  return new StoreError(`${path} was closed`, {
    code: "store_closed",
    values: { path },
    hint: "open a new SqliteSessionStore on the same path",
  });
}

/** A row holds what is not an entry. */
export function damagedRow(path: string, storeKey: string, cause: unknown): StoreError {
  const failure = { ...failureOf(SQLITE.corrupt, path), says: `is damaged in transcript ${storeKey}` };
  return build(failure, path, cause);
}
