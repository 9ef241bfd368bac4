// Lines from whoever is there, as commands see them, and all of a pipe at once. Where the lines come from, a terminal
// or a pipe, is decided in open-lines.

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

/** Standard input line by line. */
export interface LineSource {
  /** No line can come any more. */
  readonly ended: boolean;
  /** Lines that came while nobody listened. */
  readonly waiting: number;
  /** Take the oldest line that came while nobody listened. */
  shift(): string | undefined;
  /** Put a line behind those that wait: whoever listens has no use for it yet. */
  hold(line: string): void;
  /** Hear every further line at once; undefined lets them wait again. */
  listen(listener: ((line: string) => void) | undefined): void;
  /** Ask and take the next line; undefined when the input ended. */
  ask(question: string): Promise<string | undefined>;
  /** Resolves when the input has ended, or after `ms`. */
  settle(ms: number): Promise<void>;
  /** Take what arrives as it is, not as lines, until undefined is given. */
  intercept(taker: ((chunk: string) => void) | undefined): void;
  close(): void;
}
