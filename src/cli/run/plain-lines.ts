// Lines of a pipe, or of a terminal that can do no more than print: what is typed is heard when it is typed, not when
// it is wanted.

import { createInterface, type Interface } from "node:readline";
import { PassThrough } from "node:stream";
import { LineQueue } from "./line-queue.ts";
import type { LineSource } from "./line-source.ts";

/** Lines as they arrive. */
export class PlainLines implements LineSource {
  readonly #queue = new LineQueue();
  readonly #stdin: NodeJS.ReadStream;
  readonly #prompt: ((text: string) => void) | undefined;
  readonly #through = new PassThrough();
  readonly #reader: Interface;
  #intercepted: ((chunk: string) => void) | undefined;

  /** `prompt` writes where a person reads; without it nobody is asked anything. */
  constructor(stdin: NodeJS.ReadStream, prompt?: (text: string) => void) {
    this.#stdin = stdin;
    this.#prompt = prompt;
    this.#reader = createInterface({ input: this.#through, terminal: false });
    this.#reader.on("line", (line) => this.#queue.add(line));
    this.#reader.on("close", () => this.#queue.end());
    stdin.on("data", this.#hear).on("end", this.#finish).on("error", this.#finish);
  }

  get ended(): boolean {
    return this.#queue.ended;
  }

  get waiting(): number {
    return this.#queue.waiting;
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

  async ask(question: string): Promise<string | undefined> {
    if (!this.ended) this.#prompt?.(`${question} `);
    return await this.#queue.next();
  }

  async settle(ms: number): Promise<void> {
    await this.#queue.settle(ms);
  }

  intercept(taker: ((chunk: string) => void) | undefined): void {
    this.#intercepted = taker;
  }

  close(): void {
    this.#queue.listen(undefined);
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
}
