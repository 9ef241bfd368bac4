// Standard input line by line, from the first byte on: what is typed is heard when it is typed, not when it is wanted.

import { createInterface, type Interface } from "node:readline";
import { PassThrough } from "node:stream";
import { StringDecoder } from "node:string_decoder";

/** Largest request taken from standard input. */
export const MAX_REQUEST_BYTES = 1_000_000;

/** How long a silent pipe is listened to for a request; after the first byte it may take its time. */
const FIRST_BYTE_MS = 5_000;

/** All of standard input, or why not. */
export type WholeInput =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "too_large" }
  /** Open, and nothing came. */
  | { readonly kind: "silent" };

/** Read all of a stream that is no terminal. Never throws; a pipe that stays silent is not waited for. */
export async function readWhole(stdin: NodeJS.ReadStream, firstByteMs = FIRST_BYTE_MS): Promise<WholeInput> {
  const decoder = new StringDecoder("utf8");
  let text = "";
  let bytes = 0;
  return await new Promise((resolve) => {
    const end = (whole: WholeInput) => {
      clearTimeout(timer);
      stdin.off("data", take).off("end", finish).off("error", finish).pause();
      resolve(whole);
    };
    const timer = setTimeout(() => end({ kind: "silent" }), firstByteMs);
    const take = (chunk: Buffer) => {
      clearTimeout(timer);
      bytes += chunk.length;
      if (bytes > MAX_REQUEST_BYTES) end({ kind: "too_large" });
      else text += decoder.write(chunk);
    };
    const finish = () => end({ kind: "text", text: text + decoder.end() });
    stdin.on("data", take).on("end", finish).on("error", finish);
  });
}

/** Lines as they arrive. */
export class LineSource {
  readonly #lines: string[] = [];
  readonly #stdin: NodeJS.ReadStream;
  readonly #through = new PassThrough();
  readonly #reader: Interface;
  #intercepted: ((chunk: string) => void) | undefined;
  #listener: ((line: string) => void) | undefined;
  #ended = false;
  #onEnd: (() => void) | undefined;

  constructor(stdin: NodeJS.ReadStream) {
    this.#stdin = stdin;
    // Not in raw mode: the terminal itself edits the line, and a pipe has no such mode.
    this.#reader = createInterface({ input: this.#through, terminal: false });
    this.#reader.on("line", (line) => this.#take(line));
    this.#reader.on("close", () => this.#end());
    stdin.on("data", this.#hear).on("end", this.#finish).on("error", this.#finish);
  }

  /** Whether no line can come any more. */
  get ended(): boolean {
    return this.#ended;
  }

  /** Lines that came while nobody listened. */
  get waiting(): number {
    return this.#lines.length;
  }

  /** Take the oldest line that came while nobody listened. */
  shift(): string | undefined {
    return this.#lines.shift();
  }

  /** Put a line behind those that wait: whoever listens has no use for it yet. */
  hold(line: string): void {
    this.#lines.push(line);
  }

  /** Hear every further line at once; undefined lets them wait again. */
  listen(listener: ((line: string) => void) | undefined): void {
    this.#listener = listener;
  }

  /** The next line, or undefined when the input ended. */
  async next(): Promise<string | undefined> {
    const line = this.shift();
    if (line !== undefined || this.#ended) return line;
    return await new Promise((resolve) => {
      const done = (value: string | undefined) => {
        this.#listener = undefined;
        this.#onEnd = undefined;
        resolve(value);
      };
      this.#listener = done;
      this.#onEnd = () => done(undefined);
    });
  }

  /** Resolves when the input has ended, or after `ms`. */
  async settle(ms: number): Promise<void> {
    if (this.#ended) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms);
      this.#onEnd = () => {
        clearTimeout(timer);
        resolve();
      };
    });
    this.#onEnd = undefined;
  }

  /** Take what arrives as it is, not as lines, until undefined is given. */
  intercept(taker: ((chunk: string) => void) | undefined): void {
    this.#intercepted = taker;
  }

  close(): void {
    this.#listener = undefined;
    this.#stdin.off("data", this.#hear).off("end", this.#finish).off("error", this.#finish).pause();
    this.#reader.close();
  }

  readonly #hear = (chunk: Buffer): void => {
    if (this.#intercepted === undefined) this.#through.write(chunk);
    else this.#intercepted(chunk.toString("utf8"));
  };

  readonly #finish = (): void => {
    this.#through.end();
  };

  #take(line: string): void {
    if (this.#listener === undefined) this.#lines.push(line);
    else this.#listener(line);
  }

  #end(): void {
    this.#ended = true;
    this.#onEnd?.();
  }
}
