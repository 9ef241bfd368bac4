// What a payload holds, as far as it holds what it should: events come from a log that anybody may have written. Pure.

import { oneLine } from "../../core/text.ts";

/** A text in one line; empty for anything else. */
export function word(value: unknown, maxChars: number): string {
  return typeof value === "string" ? oneLine(value, maxChars) : "";
}

/** A number; 0 for anything else. */
export function number(value: unknown): number {
  return typeof value === "number" && Number.isFinite(value) ? value : 0;
}

/** The texts of a list; none for anything else. */
export function list(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === "string") : [];
}
