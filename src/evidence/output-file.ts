// The output of one command: whole in a file as it came, and as much of it in memory as is compared and shown.

import { createHash } from "node:crypto";
import { closeSync, openSync, writeFileSync } from "node:fs";
import { cannotWrite } from "../core/errors.ts";

/** How much is kept where. */
export interface OutputBounds {
  /** Bytes of the file; a command that says more is ended. */
  readonly fileBytes: number;
  /** Bytes of standard output that are compared. */
  readonly compareBytes: number;
}

/** Bytes of standard error that are kept, from its end: what went wrong is said last. */
const STDERR_BYTES = 64 * 1024;
/** Bytes of everything that are kept, from its end, for the last lines. */
const TAIL_BYTES = 16 * 1024;

/** What was kept. */
export interface Output {
  /** Standard output from its beginning. */
  readonly stdout: string;
  /** Standard output was longer than what is kept of it. */
  readonly isStdoutCut: boolean;
  /** The end of standard error. */
  readonly stderr: string;
  /** The end of both, as they came. */
  readonly tail: string;
}

/** The end of a stream, in bytes. */
class Tail {
  readonly #max: number;
  #parts: Buffer[] = [];
  #bytes = 0;

  constructor(max: number) {
    this.#max = max;
  }

  add(part: Buffer): void {
    this.#parts.push(part);
    this.#bytes += part.length;
    if (this.#bytes > this.#max * 2) this.#parts = [this.#cut()];
  }

  #cut(): Buffer {
    const whole = Buffer.concat(this.#parts);
    const kept = whole.subarray(Math.max(0, whole.length - this.#max));
    this.#bytes = kept.length;
    return kept;
  }

  text(): string {
    return this.#cut()
      .toString("utf8")
      .replace(/^\ufffd+/, "");
  }
}

function opened(path: string): number {
  try {
    return openSync(path, "wx", 0o644);
  } catch (error) {
    throw cannotWrite(path, error);
  }
}

/** Takes a command's output while it runs. */
export class OutputFile {
  readonly #bounds: OutputBounds;
  readonly #path: string;
  readonly #file: number;
  readonly #hash = createHash("sha256");
  readonly #stdout: Buffer[] = [];
  readonly #stderr = new Tail(STDERR_BYTES);
  readonly #tail = new Tail(TAIL_BYTES);
  #stdoutBytes = 0;
  #fileBytes = 0;
  #isCut = false;
  #fault: unknown;

  /**
   * @param head - Stands above the output in the file.
   * @throws DiskError `write_failed`.
   */
  constructor(path: string, head: string, bounds: OutputBounds) {
    this.#bounds = bounds;
    this.#path = path;
    this.#file = opened(path);
    this.#put(Buffer.from(head));
  }

  /** More was said than the file takes. */
  get isCut(): boolean {
    return this.#isCut;
  }

  /** A full disk is told when the file is closed: by then nothing of the command runs any more. */
  #put(part: Buffer): void {
    if (this.#fault !== undefined) return;
    try {
      this.#hash.update(part);
      writeFileSync(this.#file, part);
    } catch (error) {
      this.#fault = error;
    }
  }

  add(stream: "stdout" | "stderr", part: Buffer): void {
    const left = this.#bounds.compareBytes - this.#stdoutBytes;
    if (stream === "stdout") {
      if (left > 0) this.#stdout.push(part.subarray(0, left));
      this.#stdoutBytes += part.length;
    } else {
      this.#stderr.add(part);
    }
    this.#tail.add(part);
    const room = this.#bounds.fileBytes - this.#fileBytes;
    if (room > 0) this.#put(part.subarray(0, room));
    this.#fileBytes += part.length;
    if (part.length > room) this.#isCut = true;
  }

  /**
   * Close the file under its last line.
   * @returns what was kept, and the hash of the file as it was written.
   * @throws DiskError `write_failed` when not all of it could be written.
   */
  close(foot: string): Output & { readonly sha256: string } {
    const note = this.#isCut ? `\n[cut here: more than ${this.#bounds.fileBytes} bytes]` : "";
    this.#put(Buffer.from(`${note}\n${foot}\n`));
    closeSync(this.#file);
    if (this.#fault !== undefined) throw cannotWrite(this.#path, this.#fault);
    return {
      stdout: Buffer.concat(this.#stdout).toString("utf8"),
      isStdoutCut: this.#stdoutBytes > this.#bounds.compareBytes,
      stderr: this.#stderr.text(),
      tail: this.#tail.text(),
      sha256: this.#hash.digest("hex"),
    };
  }
}
