// Standard input line by line, from the first byte on: what is typed is heard when it is typed, not when it is wanted.

import { clearScreenDown, createInterface, cursorTo, type Interface, moveCursor } from "node:readline";
import { PassThrough } from "node:stream";
import { StringDecoder } from "node:string_decoder";
import type { Io, PinnedLine } from "../io.ts";

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

/** Where a person edits the line that is being typed. */
export interface LineTerminal {
  readonly output: NodeJS.WriteStream;
  readonly pin: (line: PinnedLine | undefined) => void;
}

/** Shown before what is typed while a run goes on. */
const PROMPT = "> ";

/** The line source of an invocation: with a line to edit where a person sits, plain lines elsewhere. */
export function openLines(io: Io): LineSource {
  const terminal = io.inIsTty && io.echo !== undefined ? { output: io.echo, pin: io.pin } : undefined;
  return new LineSource(io.stdin, terminal);
}

/** Lines as they arrive. */
export class LineSource {
  readonly #lines: string[] = [];
  readonly #stdin: NodeJS.ReadStream;
  readonly #terminal: LineTerminal | undefined;
  readonly #through = new PassThrough();
  readonly #reader: Interface;
  #intercepted: ((chunk: string) => void) | undefined;
  #listener: ((line: string) => void) | undefined;
  #ended = false;
  #onEnd: (() => void) | undefined;
  #lift: () => void = () => {};

  constructor(stdin: NodeJS.ReadStream, terminal?: LineTerminal) {
    this.#stdin = stdin;
    this.#terminal = terminal;
    // The editor of the line may put the real terminal into raw mode: Ctrl-C then reaches flower alone, not the
    // whole process group, where it would also end the harness.
    const input = Object.assign(this.#through, { setRawMode: (mode: boolean) => stdin.setRawMode?.(mode) });
    const edit = terminal === undefined ? { terminal: false } : { terminal: true, output: terminal.output };
    this.#reader = createInterface({ input, prompt: PROMPT, ...edit });
    this.#reader.on("line", (line) => this.#take(line));
    this.#reader.on("close", () => this.#end());
    this.#reader.on("SIGINT", () => this.#interrupt());
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

  /** On a terminal, keep the line being typed below everything that is printed from now on. */
  pin(): void {
    const reader = this.#reader;
    const output = this.#terminal?.output;
    if (output === undefined || this.#ended) return;
    this.#lift = () => {
      // As many rows up as what was typed takes, by width on the screen and not by length.
      moveCursor(output, 0, -reader.getCursorPos().rows);
      cursorTo(output, 0);
      clearScreenDown(output);
    };
    this.#terminal?.pin({ lift: this.#lift, drop: () => reader.prompt(true) });
    reader.prompt();
  }

  /** Ask and take the next line; undefined when the input ended. */
  async ask(question: string): Promise<string | undefined> {
    this.#reader.setPrompt(`${question} `);
    if (this.#terminal !== undefined && !this.#ended) this.#reader.prompt();
    const line = await this.next();
    this.#reader.setPrompt(PROMPT);
    return line;
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
    this.#unpin();
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

  /** Ctrl-C typed: the same as the signal, which ends the process where nobody watches for it. */
  #interrupt(): void {
    if (process.listenerCount("SIGINT") === 0) this.close();
    process.kill(process.pid, "SIGINT");
  }

  /** Take the prompt off the screen for good. */
  #unpin(): void {
    this.#lift();
    this.#lift = () => {};
    this.#terminal?.pin(undefined);
  }

  #end(): void {
    this.#ended = true;
    this.#unpin();
    this.#onEnd?.();
  }
}
