// The cells of a terminal: what a person sees as one character, and how wide it is. No I/O.

/** Made when first needed: most lines are plain ASCII and never need it. */
let segmenter: Intl.Segmenter | undefined;

/** Each character by itself, a cell each; without \r, which a line break behind it would join. */
const PLAIN = /^[\t\n\x20-\x7e]*$/;
/** Takes no cell of its own: combining marks, joiners, variation selectors, and the later parts of a Hangul syllable. */
const NO_WIDTH = /^[\p{Mn}\p{Me}\p{Cf}\u1160-\u11ff]$/u;
const EMOJI = /\p{Extended_Pictographic}|\p{Regional_Indicator}/u;

/** What a person sees as characters: a letter with its accents, a family of four joined into one picture. */
export function graphemes(text: string): string[] {
  if (PLAIN.test(text)) return text.split("");
  segmenter ??= new Intl.Segmenter(undefined, { granularity: "grapheme" });
  return Array.from(segmenter.segment(text), ({ segment }) => segment);
}

function isWide(code: number): boolean {
  return (
    (code >= 0x1100 && code <= 0x115f) ||
    (code >= 0x2e80 && code <= 0x303e) ||
    (code >= 0x3041 && code <= 0x33ff) ||
    (code >= 0x3400 && code <= 0x4dbf) ||
    (code >= 0x4e00 && code <= 0x9fff) ||
    (code >= 0xa000 && code <= 0xa4cf) ||
    (code >= 0xa960 && code <= 0xa97c) ||
    (code >= 0xac00 && code <= 0xd7a3) ||
    (code >= 0xf900 && code <= 0xfaff) ||
    (code >= 0xfe30 && code <= 0xfe6f) ||
    (code >= 0xff00 && code <= 0xff60) ||
    (code >= 0xffe0 && code <= 0xffe6) ||
    (code >= 0x20000 && code <= 0x3fffd)
  );
}

function widthOfPoint(char: string): number {
  if (NO_WIDTH.test(char)) return 0;
  return isWide(char.codePointAt(0) ?? 0) || /^\p{Emoji_Presentation}$/u.test(char) ? 2 : 1;
}

/** Cells of one grapheme. A picture joined from several takes two, as on every terminal that joins them. */
function widthOfGrapheme(grapheme: string): number {
  const points = [...grapheme];
  if (points.length > 1 && EMOJI.test(grapheme)) return 2;
  return points.reduce((sum, char) => sum + widthOfPoint(char), 0);
}

/** Cells `text` takes on a terminal: wide characters count two, combining marks none. */
export function displayWidth(text: string): number {
  if (PLAIN.test(text)) return text.length;
  return graphemes(text).reduce((sum, grapheme) => sum + widthOfGrapheme(grapheme), 0);
}

/** As much of the beginning of a text as fits into `width` cells; whole graphemes only. */
export function fitCells(text: string, width: number): string {
  if (PLAIN.test(text)) return text.slice(0, Math.max(0, width));
  let fitted = "";
  let used = 0;
  for (const grapheme of graphemes(text)) {
    used += widthOfGrapheme(grapheme);
    if (used > width) break;
    fitted += grapheme;
  }
  return fitted;
}

/** A text in `width` cells, with an ellipsis where something did not fit. */
export function clipCells(text: string, width: number): string {
  if (displayWidth(text) <= width) return text;
  return `${fitCells(text, width - 1)}${width > 0 ? "…" : ""}`;
}
