// Walks a tool's answer and replaces its long texts, keeping the shape the harness checks. Pure.

import { isRecord } from "../core/json.ts";

/** What counts as long, and what comes in its place. */
export interface LongTexts {
  /** Characters. */
  readonly limit: number;
  readonly replace: (text: string) => string;
}

/** No tool nests its texts deeper. */
const MAX_DEPTH = 8;
const MEDIA_TYPES: readonly unknown[] = ["image", "pdf", "document", "audio", "video"];

/** Whether the texts in here are not for reading: a picture, or a file in base64. */
function isMedia(value: Readonly<Record<string, unknown>>): boolean {
  return value.isImage === true || typeof value.base64 === "string" || MEDIA_TYPES.includes(value.type);
}

/**
 * A copy of `value` with its long texts replaced, or the very same value when there are none. Lists are left alone: they
 * may hold pictures, and the harness refuses a list of another shape. A replacement that is not shorter is not used.
 */
export function replaceLongTexts(value: unknown, rule: LongTexts, depth = 0): unknown {
  if (typeof value === "string") {
    if (value.length <= rule.limit) return value;
    const shorter = rule.replace(value);
    return shorter.length < value.length ? shorter : value;
  }
  if (!isRecord(value) || isMedia(value) || depth > MAX_DEPTH) return value;
  let changed = false;
  const entries = Object.entries(value).map(([key, part]): [string, unknown] => {
    const replaced = replaceLongTexts(part, rule, depth + 1);
    changed ||= replaced !== part;
    return [key, replaced];
  });
  return changed ? Object.fromEntries(entries) : value;
}
