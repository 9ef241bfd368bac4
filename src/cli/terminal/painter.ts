// Bytes that turn what is on the screen into what should be: lines above go into the scrollback for good, the rows of
// the region at the bottom are repainted only where they changed. Holds no stream; every answer is one write.

import { displayWidth, graphemes } from "../../core/cells.ts";
import { stripEscapes } from "../../core/text.ts";
import type { Paint, Tone } from "../screen/paint.ts";

/** A row of the region: no wider than the screen, of one colour. */
export interface Row {
  readonly tone: Tone;
  readonly text: string;
}

/** The region at the bottom of the screen. */
export interface Frame {
  readonly rows: readonly Row[];
  /** Where the cursor stands. */
  readonly cursor: { readonly row: number; readonly column: number };
}

/** Nothing at the bottom: the cursor stands where the next line begins. */
export const NO_FRAME: Frame = { rows: [], cursor: { row: 0, column: 0 } };

/** One change of the screen. */
export interface Change {
  /** Finished lines, colours included, to stand above the region. */
  readonly lines: readonly string[];
  readonly frame: Frame;
  /** Columns of the terminal now. */
  readonly columns: number;
}

const ESC = "\u001b[";
/** Nothing is shown before the end of the change, where the terminal knows how; elsewhere it means nothing. */
const BEGIN = `${ESC}?2026h${ESC}?25l`;
const END = `${ESC}?25h${ESC}?2026l`;
const NO_WRAP = `${ESC}?7l`;
const WRAP = `${ESC}?7h`;
const ERASE_ROW = `${ESC}K`;
const ERASE_BELOW = `${ESC}J`;

function up(rows: number): string {
  return rows > 0 ? `${ESC}${rows}A` : "";
}

function down(rows: number): string {
  return rows > 0 ? `${ESC}${rows}B` : "";
}

function toColumn(column: number): string {
  return column === 0 ? "\r" : `${ESC}${column + 1}G`;
}

/** Rows a text takes where the terminal folds it, and the cells of the last one. */
function folded(text: string, columns: number): { readonly rows: number; readonly used: number } {
  let rows = 1;
  let used = 0;
  for (const grapheme of graphemes(text)) {
    const cells = displayWidth(grapheme);
    if (used + cells > columns) {
      rows += 1;
      used = 0;
    }
    used += cells;
  }
  return { rows, used };
}

/** A line in place of whatever stands in the rows it takes. */
function overwriting(line: string, columns: number): string {
  const mayFold = line.length * 2 > columns;
  const { rows, used } = mayFold ? folded(stripEscapes(line), columns) : { rows: 1, used: 0 };
  // In a row that is full to its edge, erasing would take the last character with it.
  const rest = rows > 1 && used < columns ? ERASE_ROW : "";
  return `${ERASE_ROW}${line}${rest}\r\n`;
}

/** Two rows' common beginning, in whole graphemes. */
function commonStart(a: string, b: string): string {
  const others = graphemes(b);
  let common = "";
  for (const [i, grapheme] of graphemes(a).entries()) {
    if (others[i] !== grapheme) break;
    common += grapheme;
  }
  return common;
}

/** Remembers what stands in the region, and answers with what has to be written to change it. */
export class Painter {
  readonly #paint: Paint;
  #shown: Frame = NO_FRAME;
  #columns = 0;

  constructor(paint: Paint) {
    this.#paint = paint;
  }

  /** The bytes of a change; empty when nothing is different. */
  change({ lines, frame, columns }: Change): string {
    const resized = this.#columns !== 0 && this.#columns !== columns;
    const before = this.#shown;
    const aside = !resized && lines.length === 0 && frame.rows.length === before.rows.length;
    const top = resized ? this.#topAfterResize(columns) : before.cursor.row;
    this.#shown = frame;
    this.#columns = columns;
    return aside ? this.#repaintRows(before, frame) : this.#repaint({ lines, frame, columns }, top, resized);
  }

  /** The terminal was used by somebody else: what is remembered of the region is not there any more. */
  forget(): void {
    this.#shown = NO_FRAME;
    this.#columns = 0;
  }

  /** Rows above the cursor after the terminal folded the region to another width. */
  #topAfterResize(columns: number): number {
    const { rows, cursor } = this.#shown;
    const above = rows.slice(0, cursor.row).reduce((sum, { text }) => sum + folded(text, columns).rows, 0);
    return above + Math.floor(cursor.column / Math.max(1, columns));
  }

  #repaint({ lines, frame, columns }: Change, top: number, resized: boolean): string {
    const above = lines.map((line) => overwriting(line, columns)).join("");
    const rows = frame.rows.map(({ tone, text }) => `${ERASE_ROW}${this.#paint(tone, text)}`).join("\r\n");
    const last = Math.max(0, frame.rows.length - 1);
    const home = `${up(last - frame.cursor.row)}${toColumn(frame.cursor.column)}`;
    // What is left of a taller region stands below; with no row at all the cursor stands at its beginning.
    const region = frame.rows.length === 0 ? ERASE_BELOW : `${NO_WRAP}${rows}${ERASE_BELOW}${WRAP}${home}`;
    return `${BEGIN}${up(top)}\r${resized ? ERASE_BELOW : ""}${above}${region}${END}`;
  }

  /** Same number of rows, nothing above: only what is different. */
  #repaintRows(before: Frame, after: Frame): string {
    let out = "";
    let row = before.cursor.row;
    for (const [i, next] of after.rows.entries()) {
      const old = before.rows[i];
      if (old === undefined || (old.text === next.text && old.tone === next.tone)) continue;
      const same = old.tone === next.tone ? commonStart(old.text, next.text) : "";
      const rest = next.text.slice(same.length);
      const shorter = displayWidth(next.text) < displayWidth(old.text);
      out += `${up(row - i)}${down(i - row)}${toColumn(displayWidth(same))}`;
      out += `${rest === "" ? "" : this.#paint(next.tone, rest)}${shorter ? ERASE_ROW : ""}`;
      row = i;
    }
    const { cursor } = after;
    if (out === "" && cursor.row === row && cursor.column === before.cursor.column) return "";
    const home = `${up(row - cursor.row)}${down(cursor.row - row)}${toColumn(cursor.column)}`;
    return out === "" ? home : `${BEGIN}${NO_WRAP}${out}${WRAP}${home}${END}`;
  }
}
