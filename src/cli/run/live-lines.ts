// Lines a person types at a terminal that can do more than print: one line to edit below everything else, and above it
// whatever a desk wants to stand there.

import { displayWidth, fitCells } from "../../core/cells.ts";
import type { Paint } from "../screen/paint.ts";
import { type Editor, EMPTY_EDITOR, edit, submitted } from "../terminal/editor.ts";
import { type InputRows, inputRows } from "../terminal/input-rows.ts";
import type { Key } from "../terminal/key-reader.ts";
import { LiveTerminal, type Size } from "../terminal/live-terminal.ts";
import type { Frame, Row } from "../terminal/painter.ts";
import type { TerminalStreams } from "../terminal/terminal-modes.ts";
import { LineQueue } from "./line-queue.ts";
import type { LineSource } from "./line-source.ts";

/** A paste that is not marked as one comes faster than anybody types: an Enter this close to more text is part of it. */
const PASTE_MS = 40;
/** Most rows of the line being typed. */
const INPUT_ROWS = 8;

/** What stands round the line while a run goes on, and hears its keys first. */
export interface Surroundings {
  /** Rows above the line, no more than `height`. */
  rows(size: Size, height: number): readonly Row[];
  /** Before the line. */
  mark(): string;
  /** Behind the mark while nothing is typed. */
  hint(): string;
  /** A key, before it changes the line. @returns true when it means something else. */
  key(key: Key, line: Editor): boolean;
  /** The line was changed. */
  changed(before: Editor, after: Editor): void;
}

/** A question put before the line. */
interface Asking {
  readonly mark: string;
  readonly finish: (line: string | undefined) => void;
}

/** Lines typed at a terminal. */
export class LiveLines implements LineSource {
  /** Told once the terminal was given back. */
  onClosed: (() => void) | undefined;

  readonly #terminal: LiveTerminal;
  readonly #queue = new LineQueue();
  #editor: Editor = EMPTY_EDITOR;
  #surroundings: Surroundings | undefined;
  #asking: Asking | undefined;
  #enter: NodeJS.Timeout | undefined;
  #drawn: { readonly key: string; readonly editor: Editor; readonly rows: InputRows } | undefined;

  /** Takes the terminal; {@link close} gives it back. */
  constructor(streams: TerminalStreams, paint: Paint) {
    this.#terminal = new LiveTerminal(streams, paint, {
      onKey: (key) => this.#onKey(key),
      onEnd: () => this.#end(),
    });
    this.#terminal.open();
  }

  get ended(): boolean {
    return this.#queue.ended;
  }

  get waiting(): number {
    return this.#queue.waiting;
  }

  /** Whether what stands round the line is seen: not while the job is in the background. */
  get isSeen(): boolean {
    return this.#terminal.isSeen && this.#surroundings !== undefined;
  }

  get size(): Size {
    return this.#terminal.size;
  }

  shift(): string | undefined {
    return this.#queue.shift();
  }

  hold(line: string): void {
    this.#queue.hold(line);
  }

  listen(listener: ((line: string) => void) | undefined): void {
    this.#queue.listen(listener);
  }

  /** Print a line above the one being typed. */
  print(line: string): void {
    this.#terminal.print(line);
  }

  /** From now on the line stands at the bottom, with this round it; undefined takes it away. */
  surround(surroundings: Surroundings | undefined): void {
    this.#surroundings = surroundings;
    // What is half typed by now was not begun for anything that stands there.
    if (this.#editor.text !== "") surroundings?.changed(EMPTY_EDITOR, this.#editor);
    this.#show();
  }

  /** Something round the line may be different. */
  refresh(): void {
    this.#terminal.refresh();
  }

  async ask(question: string): Promise<string | undefined> {
    if (this.ended || this.waiting > 0) return this.#queue.shift();
    const mark = this.#markOf(question);
    const line = await new Promise<string | undefined>((resolve) => {
      this.#asking = { mark, finish: resolve };
      this.#show();
    });
    this.#asking = undefined;
    this.#show();
    if (line !== undefined) this.print(`${mark}${line.replaceAll("\n", " ")}`);
    return line;
  }

  async settle(): Promise<void> {
    // A person at a terminal is not waited for.
  }

  intercept(taker: ((chunk: string) => void) | undefined): void {
    this.#terminal.intercept(taker);
  }

  close(): void {
    clearTimeout(this.#enter);
    this.#queue.listen(undefined);
    this.#surroundings = undefined;
    this.#terminal.close();
    this.onClosed?.();
    this.onClosed = undefined;
  }

  /** A question that would leave no room for its answer is printed above it. */
  #markOf(question: string): string {
    const { columns } = this.#terminal.size;
    if (displayWidth(question) * 2 < columns) return `${question} `;
    this.print(question);
    return "> ";
  }

  #show(): void {
    const seen = this.#asking !== undefined || this.#surroundings !== undefined;
    this.#terminal.show(seen ? (size) => this.#compose(size) : undefined);
  }

  #compose(size: Size): Frame {
    const asking = this.#asking;
    const around = asking === undefined ? this.#surroundings : undefined;
    const mark = asking?.mark ?? around?.mark() ?? "> ";
    const height = Math.max(1, Math.min(INPUT_ROWS, size.rows - 1));
    const input = this.#inputRows({ mark, width: size.columns - 1, height });
    const hint = this.#editor.text === "" ? (around?.hint() ?? "") : "";
    const above = around?.rows(size, Math.max(0, size.rows - 1 - input.rows.length)) ?? [];
    const rows: Row[] = input.rows.map((text) => ({ tone: "plain", text }));
    const first =
      hint === "" ? [] : [{ tone: "faint" as const, text: fitCells(mark + hint, size.columns - 1) }];
    return {
      rows: [...above, ...(hint === "" ? rows : first)],
      cursor: { row: above.length + input.row, column: input.column },
    };
  }

  /** A long text is laid out once, not at every tick of a clock above it. */
  #inputRows(layout: { readonly mark: string; readonly width: number; readonly height: number }): InputRows {
    const key = `${layout.mark}|${layout.width}|${layout.height}`;
    if (this.#drawn?.key !== key || this.#drawn.editor !== this.#editor) {
      this.#drawn = { key, editor: this.#editor, rows: inputRows(this.#editor, layout) };
    }
    return this.#drawn.rows;
  }

  #onKey(key: Key): void {
    if (this.#enter !== undefined && this.#continuePaste(key)) return;
    if (key.kind === "key" && this.#command(key.name)) return;
    if (this.#asking === undefined && this.#surroundings?.key(key, this.#editor) === true) {
      this.refresh();
      return;
    }
    if (key.kind === "key" && key.name === "enter") this.#awaitMore();
    else this.#change(edit(this.#editor, key));
  }

  /** Keys that mean the same wherever the cursor stands. */
  #command(name: string): boolean {
    switch (name) {
      case "interrupt":
        // The same as the signal, which ends the process where nobody watches for it.
        process.kill(process.pid, "SIGINT");
        return true;
      case "suspend":
        this.#terminal.suspend();
        return true;
      case "redraw":
        this.#terminal.redraw();
        return true;
      case "delete-or-end":
        if (this.#editor.text !== "") return false;
        this.#asking?.finish(undefined);
        return true;
      default:
        return false;
    }
  }

  #awaitMore(): void {
    this.#enter = setTimeout(() => this.#submit(), PASTE_MS);
  }

  /** A key right behind an Enter. @returns true when both are text of one paste. */
  #continuePaste(key: Key): boolean {
    clearTimeout(this.#enter);
    this.#enter = undefined;
    if (key.kind === "key" && key.name !== "enter") {
      this.#submit();
      return false;
    }
    this.#change(edit(this.#editor, { kind: "key", name: "newline" }));
    if (key.kind === "key") this.#awaitMore();
    else this.#change(edit(this.#editor, key));
    return true;
  }

  #change(after: Editor): void {
    const before = this.#editor;
    if (after === before) return;
    this.#editor = after;
    if (this.#asking === undefined) this.#surroundings?.changed(before, after);
    this.refresh();
  }

  #submit(): void {
    clearTimeout(this.#enter);
    this.#enter = undefined;
    const line = this.#editor.text.replace(/^\n+/, "").trimEnd();
    const before = this.#editor;
    this.#editor = submitted(this.#editor);
    this.refresh();
    if (this.#asking !== undefined) this.#asking.finish(line);
    else {
      this.#queue.add(line);
      this.#surroundings?.changed(before, this.#editor);
    }
  }

  #end(): void {
    this.#queue.end();
    this.#asking?.finish(undefined);
    this.surround(undefined);
  }
}
