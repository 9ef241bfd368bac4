// The lines of a log that may grow, be renamed when it is full, or not be there yet; one chunk in memory at a time.

import { closeSync, fstatSync, openSync, readSync, statSync } from "node:fs";
import { StringDecoder } from "node:string_decoder";

const CHUNK_BYTES = 64 * 1024;
/** More than a whole log: text without a line end this long is no log, and is passed over. */
const MAX_LINE_CHARS = 16 * 1024 * 1024;

/** What to read, and how long to go on. */
export interface TailOptions {
  readonly path: string;
  /** What `path` is renamed to when it is full; read first. */
  readonly older: string;
  /** Asked whenever everything was read: false ends it after one more look. */
  readonly goesOn: () => boolean;
  /** Waits before the next look. */
  readonly pause: () => Promise<void>;
}

/** A file that stays the same one when it is renamed. */
class OpenLog {
  readonly id: number;
  readonly #file: number;
  readonly #decoder = new StringDecoder("utf8");
  readonly #chunk = Buffer.alloc(CHUNK_BYTES);
  #rest = "";

  private constructor(file: number) {
    this.#file = file;
    this.id = fstatSync(file).ino;
  }

  /** The file, or undefined when it is not there. */
  static open(path: string): OpenLog | undefined {
    try {
      return new OpenLog(openSync(path, "r"));
    } catch {
      return undefined;
    }
  }

  /** Whole lines that were not read yet. */
  *lines(): Generator<string> {
    for (;;) {
      const bytes = readSync(this.#file, this.#chunk, 0, CHUNK_BYTES, null);
      if (bytes === 0) return;
      const parts = (this.#rest + this.#decoder.write(this.#chunk.subarray(0, bytes))).split("\n");
      const rest = parts.pop() ?? "";
      this.#rest = rest.length > MAX_LINE_CHARS ? "" : rest;
      yield* parts;
    }
  }

  close(): void {
    closeSync(this.#file);
  }
}

function fileAt(path: string): number | undefined {
  try {
    return statSync(path).ino;
  } catch {
    return undefined;
  }
}

/** Every whole line once, in order; half a line at the end waits for its other half. */
export async function* tailLines({ path, older, goesOn, pause }: TailOptions): AsyncGenerator<string> {
  // The newer one first: if it is renamed between the two calls, it is recognised by its number.
  let current = OpenLog.open(path);
  let earlier = OpenLog.open(older);
  try {
    if (earlier !== undefined && earlier.id !== current?.id) yield* earlier.lines();
    earlier?.close();
    earlier = undefined;
    for (;;) {
      const isLast = !goesOn();
      current ??= OpenLog.open(path);
      // Looked at before it is read: once it has been renamed, nothing is written to it any more.
      const there = fileAt(path);
      const isRenamed = current !== undefined && there !== undefined && there !== current.id;
      if (current !== undefined) yield* current.lines();
      if (isRenamed) {
        current?.close();
        current = undefined;
        continue;
      }
      if (isLast) return;
      await pause();
    }
  } finally {
    current?.close();
    earlier?.close();
  }
}
