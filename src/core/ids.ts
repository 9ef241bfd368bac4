// Names made up by flower: run ids, tokens, hashes, file-safe names.

import { createHash, randomBytes } from "node:crypto";

function two(n: number): string {
  return String(n).padStart(2, "0");
}

/** `YYYYMMDD-HHMMSS` in local time, as people read it in folder names. */
export function timestamp(at: Date = new Date()): string {
  const day = `${at.getFullYear()}${two(at.getMonth() + 1)}${two(at.getDate())}`;
  return `${day}-${two(at.getHours())}${two(at.getMinutes())}${two(at.getSeconds())}`;
}

/** Run id, `YYYYMMDD-HHMMSS-<6 hex>`: sorts by time, unique per Runtime. */
export function createRunId(at: Date = new Date()): string {
  return `${timestamp(at)}-${randomBytes(3).toString("hex")}`;
}

/** Epoch seconds at which a run began, by its id; undefined for one made otherwise. */
export function runBegan(run: string): number | undefined {
  const parts = /^(\d{4})(\d\d)(\d\d)-(\d\d)(\d\d)(\d\d)-[0-9a-f]{6}$/.exec(run)?.slice(1).map(Number);
  if (parts === undefined) return undefined;
  const [year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0] = parts;
  return new Date(year, month - 1, day, hour, minute, second).getTime() / 1000;
}

/** A random secret of 32 bytes, hex. */
export function createToken(): string {
  return randomBytes(32).toString("hex");
}

/** SHA-256 of a text, hex. */
export function sha256(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

/** First 16 hex digits of the SHA-256 of `text`: the name of a spilled result. */
export function shortHash(text: string): string {
  return sha256(text).slice(0, 16);
}

/** A step name as part of a file name: no separators, no control characters, never empty, at most 80 characters. */
export function fileSafe(name: string): string {
  const safe = name
    .normalize("NFC")
    .replace(/[^\p{L}\p{N}._#:-]+/gu, "-")
    .replace(/[:#]/g, "-")
    .replace(/^[.-]+|[.-]+$/g, "");
  return [...safe].slice(0, 80).join("") || "step";
}
