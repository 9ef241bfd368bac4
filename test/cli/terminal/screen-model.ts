// A small terminal: takes the bytes flower writes and knows what a person would see. Like most of today's it folds what
// stands on it when its width changes.

import { displayWidth, graphemes } from "../../../src/core/cells.ts";

/** A row of cells; a wide character is followed by an empty cell. */
interface Line {
  cells: string[];
  /** Went on in the next row because it was full. */
  folded: boolean;
}

const BLANK = " ";

function textOf(line: Line): string {
  return line.cells.join("").trimEnd();
}

/** What a terminal of a size shows. */
export class ScreenModel {
  columns: number;
  rows: number;
  /** Every mode that was set and not reset, by its number. */
  readonly modes = new Set<string>();
  #lines: Line[] = [{ cells: [], folded: false }];
  /** First line of the screen among all lines. */
  #top = 0;
  #row = 0;
  #column = 0;
  /** The last column was filled: the next character goes to the next row. */
  #full = false;
  #wrap = true;
  #rest = "";

  constructor(columns: number, rows: number) {
    this.columns = columns;
    this.rows = rows;
  }

  /** Everything that was printed, scrollback included, one string a row. */
  get all(): string[] {
    const rows = this.#lines.map(textOf);
    while (rows.length > 1 && rows.at(-1) === "") rows.pop();
    return rows;
  }

  /** The rows of the screen alone, empty ones at its end left out. */
  get screen(): string[] {
    const rows = this.#lines.slice(this.#top, this.#top + this.rows).map(textOf);
    while (rows.length > 0 && rows.at(-1) === "") rows.pop();
    return rows;
  }

  /** Everything that was printed, what was folded put together again. */
  get unfolded(): string[] {
    const whole: string[] = [];
    let open = false;
    for (const line of this.#lines) {
      if (open) whole[whole.length - 1] += line.cells.join("");
      else whole.push(line.cells.join(""));
      open = line.folded;
    }
    return whole.map((text) => text.trimEnd());
  }

  /** Where the cursor stands, counted from the first line ever printed. */
  get cursor(): { row: number; column: number } {
    return { row: this.#top + this.#row, column: this.#column };
  }

  write(bytes: string): void {
    let input = this.#rest + bytes;
    this.#rest = "";
    while (input !== "") {
      // biome-ignore lint/suspicious/noControlCharactersInRegex: a terminal reads control characters
      const text = /^[^\x00-\x1f\x7f]+/.exec(input)?.[0];
      if (text !== undefined) {
        for (const grapheme of graphemes(text)) this.#put(grapheme);
        input = input.slice(text.length);
        continue;
      }
      const length = this.#control(input);
      if (length === undefined) {
        this.#rest = input;
        return;
      }
      input = input.slice(length);
    }
  }

  /** Another size: what was folded is folded anew, and the cursor stays with its character. */
  resize(columns: number, rows: number): void {
    const at = this.#top + this.#row;
    const folded: Line[] = [];
    let cursor = { row: 0, column: 0 };
    for (let first = 0; first < this.#lines.length; ) {
      let last = first;
      while (this.#lines[last]?.folded === true) last += 1;
      const cells = this.#lines.slice(first, last + 1).flatMap((line) => line.cells);
      const before = this.#lines.slice(first, at).reduce((sum, line) => sum + line.cells.length, 0);
      const made = fold(cells, columns);
      if (at >= first && at <= last) cursor = place(made, before + this.#column, folded.length);
      folded.push(...made);
      first = last + 1;
    }
    while (folded.length <= cursor.row) folded.push({ cells: [], folded: false });
    this.#lines = folded;
    this.columns = columns;
    this.rows = rows;
    this.#top = Math.max(0, cursor.row - rows + 1, Math.min(this.#top, cursor.row));
    this.#row = cursor.row - this.#top;
    this.#column = Math.min(cursor.column, columns - 1);
    this.#full = false;
  }

  #line(): Line {
    const at = this.#top + this.#row;
    while (this.#lines.length <= at) this.#lines.push({ cells: [], folded: false });
    const line = this.#lines[at];
    if (line === undefined) throw new Error("no line");
    return line;
  }

  #put(grapheme: string): void {
    const width = displayWidth(grapheme);
    if (width === 0) return;
    if (this.#full || this.#column + width > this.columns) {
      if (this.#wrap) {
        this.#line().folded = true;
        this.#column = 0;
        this.#down();
      } else this.#column = this.columns - width;
      this.#full = false;
    }
    const { cells } = this.#line();
    while (cells.length < this.#column) cells.push(BLANK);
    cells.splice(this.#column, width, grapheme, ...(width === 2 ? [""] : []));
    this.#column += width;
    if (this.#column >= this.columns) {
      this.#column = this.columns - 1;
      this.#full = true;
    }
  }

  #down(): void {
    if (this.#row + 1 < this.rows) this.#row += 1;
    else this.#top += 1;
    this.#line();
  }

  /** @returns how much of the input was read; undefined when more must come. */
  #control(input: string): number | undefined {
    const first = input.charAt(0);
    if (first === "\r") this.#moveTo(this.#row, 0);
    else if (first === "\n") {
      this.#full = false;
      this.#down();
    } else if (first === "\u001b") {
      // biome-ignore lint/suspicious/noControlCharactersInRegex: as above
      const sequence = /^\x1b\[([?]?)([0-9;]*)([A-Za-z])/.exec(input);
      if (sequence === null) {
        if (input.length < 12) return undefined;
        throw new Error(`unknown sequence ${JSON.stringify(input.slice(0, 12))}`);
      }
      const [whole, mark, parameters = "", letter = ""] = sequence;
      if (mark === "?") this.#mode(parameters, letter);
      else this.#sequence(Number(parameters || "0"), letter);
      return whole.length;
    } else throw new Error(`unknown control ${JSON.stringify(first)}`);
    return 1;
  }

  #mode(number: string, letter: string): void {
    if (letter === "h") this.modes.add(number);
    else this.modes.delete(number);
    if (number === "7") this.#wrap = letter === "h";
  }

  #moveTo(row: number, column: number): void {
    this.#row = Math.max(0, Math.min(row, this.rows - 1));
    this.#column = Math.max(0, Math.min(column, this.columns - 1));
    this.#full = false;
  }

  #sequence(number: number, letter: string): void {
    const count = Math.max(1, number);
    if (letter === "A") this.#moveTo(this.#row - count, this.#column);
    else if (letter === "B") this.#moveTo(this.#row + count, this.#column);
    else if (letter === "G") this.#moveTo(this.#row, count - 1);
    else if (letter === "K" || letter === "J") {
      this.#eraseRow();
      if (letter === "J") this.#lines.splice(this.#top + this.#row + 1);
    } else if (letter !== "m") throw new Error(`unknown sequence ${number}${letter}`);
  }

  #eraseRow(): void {
    const line = this.#line();
    line.cells.splice(this.#column);
    line.folded = false;
  }
}

/** Cells as rows of a width. */
function fold(cells: readonly string[], columns: number): Line[] {
  const lines: Line[] = [{ cells: [], folded: false }];
  for (let i = 0; i < cells.length; ) {
    const width = cells[i + 1] === "" ? 2 : 1;
    let line = lines.at(-1) as Line;
    if (line.cells.length + width > columns) {
      line.folded = true;
      line = { cells: [], folded: false };
      lines.push(line);
    }
    line.cells.push(...cells.slice(i, i + width));
    i += width;
  }
  return lines;
}

/** Where a cell of an unfolded line stands among its rows. */
function place(lines: readonly Line[], cell: number, from: number): { row: number; column: number } {
  let left = cell;
  for (const [i, line] of lines.entries()) {
    if (left < line.cells.length || i === lines.length - 1) return { row: from + i, column: left };
    left -= line.cells.length;
  }
  return { row: from, column: left };
}
