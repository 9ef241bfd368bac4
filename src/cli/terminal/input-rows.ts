// The line being typed as rows of the screen, with the place of the cursor. Pure.

import { displayWidth, graphemes } from "../../core/cells.ts";
import type { Editor } from "./editor.ts";

/** Rows, and where the cursor stands in them. */
export interface InputRows {
  readonly rows: readonly string[];
  readonly row: number;
  /** Cells from the left edge. */
  readonly column: number;
}

/** How the line is drawn. */
export interface InputLayout {
  /** Before the first row; the others are indented by as much. */
  readonly mark: string;
  /** Cells of a row. */
  readonly width: number;
  /** Most rows; what does not fit is scrolled out, never the cursor. */
  readonly height: number;
}

/** Stands where rows were scrolled out of sight. */
const MORE = "…";

/** A tab would move the real cursor as far as the terminal likes; other control characters never come into the line. */
function shown(grapheme: string): string {
  return grapheme === "\t" ? "    " : grapheme;
}

/** Lay out what is typed. */
export function inputRows({ text, cursor }: Editor, { mark, width, height }: InputLayout): InputRows {
  const start = displayWidth(mark);
  const indent = " ".repeat(start);
  const room = Math.max(2, width);
  const rows: string[] = [];
  let row = mark;
  let used = start;
  let place = { row: 0, column: start };
  const breakRow = () => {
    rows.push(row);
    row = indent;
    used = start;
  };
  let at = 0;
  for (const grapheme of graphemes(text)) {
    const cells = shown(grapheme);
    const wide = displayWidth(cells);
    if (grapheme !== "\n" && used + wide > room && used > start) breakRow();
    if (at === cursor) place = { row: rows.length, column: used };
    at += grapheme.length;
    if (grapheme === "\n") breakRow();
    else {
      row += cells;
      used += wide;
    }
  }
  // The cursor stands behind the last character: where that fills its row, on the next one.
  if (used >= room && cursor >= text.length) breakRow();
  if (cursor >= text.length) place = { row: rows.length, column: used };
  return scrolled([...rows, row], place, Math.max(1, height));
}

/** The part of the rows round the cursor that fits, its cut ends marked. */
function scrolled(
  rows: readonly string[],
  place: { readonly row: number; readonly column: number },
  height: number,
): InputRows {
  if (rows.length <= height) return { rows, ...place };
  const first = Math.max(0, Math.min(place.row - Math.floor(height / 2), rows.length - height));
  const seen = rows.slice(first, first + height);
  const marked = seen.map((row, i) => {
    const cut = (i === 0 && first > 0) || (i === height - 1 && first + height < rows.length);
    return cut && row.startsWith(" ") ? MORE + row.slice(1) : row;
  });
  return { rows: marked, row: place.row - first, column: place.column };
}
