// JSON and text on disk: atomic replacement, tolerant reading, and keeping a damaged file aside.

import { randomBytes } from "node:crypto";
import {
  closeSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { dirname } from "node:path";
import { cannotWrite, errorText } from "./errors.ts";
import { timestamp } from "./ids.ts";
import { oneLine } from "./text.ts";

/** A plain JSON value. */
export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

/** True for an object that is neither null nor an array. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Remove a file if that is possible at all: below a path that is no folder even a forced removal throws. */
function discard(path: string): void {
  try {
    rmSync(path, { force: true });
  } catch {
    // Nothing was made there, so nothing is left behind.
  }
}

/**
 * Replace a file in one step: readers see the old text or the new one, never half of it.
 * Creates the folders above it.
 * @throws DiskError `write_failed`, naming the path; the old file is then still whole.
 */
export function writeAtomic(path: string, text: string, mode = 0o644): void {
  const temporary = `${path}.${process.pid}.${randomBytes(4).toString("hex")}.tmp`;
  try {
    mkdirSync(dirname(path), { recursive: true });
    const file = openSync(temporary, "wx", mode);
    try {
      // By descriptor, this writes on until all of it is there; a single write may stop short on a full disk.
      writeFileSync(file, text);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    renameSync(temporary, path);
  } catch (error) {
    discard(temporary);
    throw cannotWrite(path, error);
  }
}

/** The file's text, or undefined when it is absent or cannot be read. */
export function readText(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
}

/** What reading a JSON file gave. */
export type JsonRead =
  | { readonly kind: "absent" }
  | { readonly kind: "damaged"; readonly reason: string }
  | { readonly kind: "value"; readonly value: unknown };

/** Read a JSON file without throwing. */
export function readJson(path: string): JsonRead {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (error) {
    const code = isRecord(error) ? error.code : undefined;
    return code === "ENOENT" || code === "ENOTDIR"
      ? { kind: "absent" }
      : { kind: "damaged", reason: errorText(error) };
  }
  try {
    return { kind: "value", value: JSON.parse(text) };
  } catch (error) {
    // The engine quotes what it read, line breaks included.
    return { kind: "damaged", reason: oneLine(errorText(error)) };
  }
}

/** Move a damaged file to `<path>.damaged-<time>` and say where it went; undefined when it could not be moved. */
export function keepAside(path: string): string | undefined {
  const aside = `${path}.damaged-${timestamp()}-${randomBytes(2).toString("hex")}`;
  try {
    renameSync(path, aside);
    return aside;
  } catch {
    return undefined;
  }
}
