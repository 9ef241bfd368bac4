// A terminal with a region at its bottom: lines are printed above, keys come in, and no more is written than changed.
// What stands in the region is composed by whoever shows it.

import { StringDecoder } from "node:string_decoder";
import type { Paint } from "../screen/paint.ts";
import { type Key, KeyReader } from "./key-reader.ts";
import { type Frame, NO_FRAME, Painter } from "./painter.ts";
import { TerminalModes, type TerminalStreams } from "./terminal-modes.ts";

/** Least time between two changes of the screen: thirty a second are seen as motion. */
const FRAME_MS = 33;
/**
 * A size that has not changed for so long is the new one. A window that is dragged changes dozens of times: whoever paints
 * for a size the terminal no longer has wipes lines that should stay.
 */
const SETTLED_MS = 80;
/** An escape that nothing follows for so long is the key. */
const ESCAPE_MS = 60;
/** A paste whose end mark does not come for so long has ended. */
const PASTE_MS = 1_500;

/** Size of the terminal. */
export interface Size {
  readonly columns: number;
  readonly rows: number;
}

/** Who hears the keyboard. */
export interface Keyboard {
  readonly onKey: (key: Key) => void;
  /** No key can come any more. */
  readonly onEnd: () => void;
}

/** A terminal in flower's hands, from opening to closing. */
export class LiveTerminal {
  readonly #streams: TerminalStreams;
  readonly #modes: TerminalModes;
  readonly #painter: Painter;
  readonly #keyboard: Keyboard;
  readonly #reader = new KeyReader();
  readonly #decoder = new StringDecoder("utf8");
  #compose: ((size: Size) => Frame) | undefined;
  #intercepted: ((chunk: string) => void) | undefined;
  #lines: string[] = [];
  #timer: NodeJS.Timeout | undefined;
  #flush: NodeJS.Timeout | undefined;
  #settling: NodeJS.Timeout | undefined;
  #painted = 0;
  #away = true;
  #broken = false;

  constructor(streams: TerminalStreams, paint: Paint, keyboard: Keyboard) {
    this.#streams = streams;
    this.#painter = new Painter(paint);
    this.#keyboard = keyboard;
    this.#modes = new TerminalModes(streams, {
      onLeave: () => this.#takeOff(),
      onEnter: () => this.#putBack(),
    });
  }

  /** Size now; a terminal that does not say has the size of old ones. */
  get size(): Size {
    const { columns, rows } = this.#streams.output;
    return { columns: columns > 0 ? columns : 80, rows: rows > 0 ? rows : 24 };
  }

  /** False while the job is in the background, or stopped. */
  get isSeen(): boolean {
    return !this.#away && !this.#broken;
  }

  /** Take the terminal and listen. */
  open(): void {
    const { input, output } = this.#streams;
    input.on("data", this.#hear).on("end", this.#end).on("error", this.#end);
    output.on("resize", this.#resize).on("error", this.#lose);
    this.#modes.open();
  }

  /** Give the terminal back, the region taken off it. */
  close(): void {
    const { input, output } = this.#streams;
    clearTimeout(this.#flush);
    this.#modes.close();
    input.off("data", this.#hear).off("end", this.#end).off("error", this.#end).pause();
    output.off("resize", this.#resize).off("error", this.#lose);
    this.#compose = undefined;
  }

  /** Print a line above the region. Without a region it stands there at once. */
  print(line: string): void {
    if (this.#away) {
      this.#write(`${line}\r\n`);
      return;
    }
    this.#lines.push(line);
    if (this.#compose === undefined) this.#frame();
    else this.refresh();
  }

  /** Show a region, or none. */
  show(compose: ((size: Size) => Frame) | undefined): void {
    this.#compose = compose;
    this.#frame();
  }

  /** Something in the region may be different: look soon. */
  refresh(): void {
    if (this.#timer !== undefined || this.#settling !== undefined || this.#away) return;
    const wait = Math.max(0, this.#painted + FRAME_MS - performance.now());
    this.#timer = setTimeout(() => this.#frame(), wait);
  }

  /** Paint everything in the region again, whatever stands there. */
  redraw(): void {
    this.#write(this.#painter.change({ lines: [], frame: NO_FRAME, columns: this.size.columns }));
    this.#frame();
  }

  /** Hand the terminal to the shell until the job is continued. */
  suspend(): void {
    this.#modes.suspend();
  }

  /** Take what arrives as it is, not as keys, until undefined is given. */
  intercept(taker: ((chunk: string) => void) | undefined): void {
    this.#intercepted = taker;
  }

  readonly #hear = (chunk: Buffer): void => {
    const text = this.#decoder.write(chunk);
    if (this.#intercepted !== undefined) {
      this.#intercepted(text);
      return;
    }
    clearTimeout(this.#flush);
    this.#tell(this.#reader.read(text));
    if (!this.#reader.isOpen) return;
    const wait = this.#reader.isPasting ? PASTE_MS : ESCAPE_MS;
    this.#flush = setTimeout(() => this.#tell(this.#reader.flush()), wait);
  };

  #tell(keys: readonly Key[]): void {
    for (const key of keys) this.#keyboard.onKey(key);
  }

  readonly #end = (): void => {
    this.#keyboard.onEnd();
  };

  readonly #resize = (): void => {
    if (this.#away) return;
    clearTimeout(this.#settling);
    this.#settling = setTimeout(() => {
      this.#settling = undefined;
      this.#frame();
    }, SETTLED_MS);
  };

  /** The terminal is gone: what is written from now on goes nowhere. */
  readonly #lose = (): void => {
    this.#broken = true;
  };

  #frame(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#away || this.#settling !== undefined) return;
    this.#painted = performance.now();
    const { columns } = this.size;
    const lines = this.#lines;
    this.#lines = [];
    const frame = this.#compose?.(this.size) ?? NO_FRAME;
    this.#write(this.#painter.change({ lines, frame, columns }));
  }

  #takeOff(): void {
    clearTimeout(this.#timer);
    clearTimeout(this.#settling);
    this.#timer = undefined;
    this.#settling = undefined;
    const lines = this.#lines;
    this.#lines = [];
    this.#write(this.#painter.change({ lines, frame: NO_FRAME, columns: this.size.columns }));
    this.#painter.forget();
    this.#away = true;
  }

  #putBack(): void {
    this.#painter.forget();
    this.#away = false;
    this.#frame();
  }

  #write(bytes: string): void {
    if (bytes !== "" && !this.#broken) this.#streams.output.write(bytes);
  }
}
