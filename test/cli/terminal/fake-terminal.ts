// A terminal for one process: what is typed goes in, and what a person would see comes out.

import { PassThrough, Writable } from "node:stream";
import type { TerminalStreams } from "../../../src/cli/terminal/terminal-modes.ts";
import { ScreenModel } from "./screen-model.ts";

/** A terminal that remembers what was written on it. */
export class FakeTerminal {
  readonly screen: ScreenModel;
  readonly streams: TerminalStreams;
  /** Bytes written so far. */
  bytes = 0;
  /** Whether the line editor has the keyboard for itself. */
  raw = false;
  readonly #input = new PassThrough();
  readonly #output: Writable & { columns: number; rows: number };
  readonly #watchers = new Set<() => void>();

  constructor(columns = 80, rows = 24) {
    this.screen = new ScreenModel(columns, rows);
    const write = (chunk: Buffer, _encoding: string, done: () => void) => {
      this.bytes += chunk.length;
      this.screen.write(chunk.toString("utf8"));
      for (const watch of this.#watchers) watch();
      done();
    };
    this.#output = Object.assign(new Writable({ write }), { columns, rows });
    const setRawMode = (raw: boolean) => {
      this.raw = raw;
    };
    this.streams = {
      input: Object.assign(this.#input, { setRawMode }) as unknown as NodeJS.ReadStream,
      output: this.#output as unknown as NodeJS.WriteStream,
    };
  }

  /** Everything a person can read, scrollback included. */
  get text(): string {
    return this.screen.all.join("\n");
  }

  /** Text, or bytes of it that come apart. */
  type(keys: string | Buffer): void {
    this.#input.write(keys);
  }

  /** The keyboard is gone. */
  hangUp(): void {
    this.#input.end();
  }

  resize(columns: number, rows: number): void {
    this.screen.resize(columns, rows);
    Object.assign(this.#output, { columns, rows });
    this.#output.emit("resize");
  }

  /** Resolves once a person can read this, or no longer can. */
  async shown(words: string | RegExp, there = true): Promise<void> {
    const seen = () => (typeof words === "string" ? this.text.includes(words) : words.test(this.text));
    await new Promise<void>((resolve) => {
      const watch = () => {
        if (seen() !== there) return;
        this.#watchers.delete(watch);
        resolve();
      };
      this.#watchers.add(watch);
      watch();
    });
  }
}
