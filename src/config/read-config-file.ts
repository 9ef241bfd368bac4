// Reading one small configuration file that may be anything: absent, a folder, a pipe, binary, not ours to read.

import { closeSync, constants, fstatSync, openSync, readFileSync } from "node:fs";
import { errorText } from "../core/errors.ts";
import { isRecord } from "../core/json.ts";

/** Bytes; no configuration is larger, and a mistaken path may be a log of gigabytes. */
const MAX_BYTES = 1_000_000;

/** What reading gave; never an exception. */
export type ConfigRead =
  | { readonly kind: "absent" }
  | { readonly kind: "skipped"; readonly reason: string }
  | { readonly kind: "text"; readonly text: string };

const REASONS: Readonly<Record<string, string>> = { EACCES: "not readable", ELOOP: "a loop of links" };

function failed(error: unknown): ConfigRead {
  const code = isRecord(error) && typeof error.code === "string" ? error.code : "";
  if (code === "ENOENT" || code === "ENOTDIR") return { kind: "absent" };
  return { kind: "skipped", reason: REASONS[code] ?? errorText(error) };
}

/** Read a text file of at most 1 MB; what cannot be read says why. */
export function readConfigFile(path: string): ConfigRead {
  let file: number | undefined;
  try {
    // Without O_NONBLOCK, opening a named pipe would wait for its writer.
    file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
    const stat = fstatSync(file);
    if (stat.isDirectory()) return { kind: "skipped", reason: "a folder" };
    if (!stat.isFile()) return { kind: "skipped", reason: "not a regular file" };
    if (stat.size > MAX_BYTES) return { kind: "skipped", reason: "larger than 1 MB" };
    const text = readFileSync(file, "utf8");
    return text.includes("\0") ? { kind: "skipped", reason: "not text" } : { kind: "text", text };
  } catch (error) {
    return failed(error);
  } finally {
    if (file !== undefined) closeSync(file);
  }
}
