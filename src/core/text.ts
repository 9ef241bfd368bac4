// Text as a terminal or a person meets it: escape sequences, cutting. No I/O.

// biome-ignore lint/suspicious/noControlCharactersInRegex: these patterns exist to remove control characters
const STRING_SEQUENCE = /(?:\x1b[PX\]^_]|[\x90\x98\x9d-\x9f])[^\x07\x1b\x9c]*(?:\x07|\x1b\\|\x9c)?/g;
// biome-ignore lint/suspicious/noControlCharactersInRegex: as above
const CSI_SEQUENCE = /(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]?/g;
// biome-ignore lint/suspicious/noControlCharactersInRegex: as above
const SHORT_SEQUENCE = /\x1b[ -/]*[0-~]?/g;
// biome-ignore lint/suspicious/noControlCharactersInRegex: as above
const CONTROL = /[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/**
 * Remove every escape sequence, bidirectional override and control character except newline and tab.
 * A bare carriage return becomes a newline, so it cannot overwrite what stands before it.
 */
export function stripEscapes(text: string): string {
  return text
    .replace(STRING_SEQUENCE, "")
    .replace(CSI_SEQUENCE, "")
    .replace(SHORT_SEQUENCE, "")
    .replace(/\r\n?/g, "\n")
    .replace(CONTROL, "");
}

/** The first `max` characters (whole code points), with an ellipsis when something was cut. */
export function cut(text: string, max: number): string {
  if (text.length <= max) return text;
  const points = [...text.slice(0, max * 2)];
  return points.length <= max && text.length <= max * 2 ? text : `${points.slice(0, max).join("")}…`;
}

/** One line for a log: escapes gone, white space folded, cut. */
export function oneLine(text: string, max = 200): string {
  return cut(stripEscapes(text).replace(/\s+/g, " ").trim(), max);
}
