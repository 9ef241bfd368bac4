// Text as a terminal or a person meets it: escape sequences, width, cutting. No I/O.

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

function isWide(code: number): boolean {
  return (
    (code >= 0x1100 && code <= 0x115f) ||
    (code >= 0x2e80 && code <= 0x303e) ||
    (code >= 0x3041 && code <= 0x33ff) ||
    (code >= 0x3400 && code <= 0x4dbf) ||
    (code >= 0x4e00 && code <= 0x9fff) ||
    (code >= 0xa000 && code <= 0xa4cf) ||
    (code >= 0xac00 && code <= 0xd7a3) ||
    (code >= 0xf900 && code <= 0xfaff) ||
    (code >= 0xfe30 && code <= 0xfe4f) ||
    (code >= 0xff00 && code <= 0xff60) ||
    (code >= 0xffe0 && code <= 0xffe6) ||
    (code >= 0x1f300 && code <= 0x1f64f) ||
    (code >= 0x1f900 && code <= 0x1f9ff) ||
    (code >= 0x20000 && code <= 0x3fffd)
  );
}

/** Cells `text` takes on a terminal: wide characters count two, combining marks none. */
export function displayWidth(text: string): number {
  let width = 0;
  for (const char of text) {
    if (/\p{Mn}|\p{Me}|\p{Cf}/u.test(char)) continue;
    width += isWide(char.codePointAt(0) ?? 0) ? 2 : 1;
  }
  return width;
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
