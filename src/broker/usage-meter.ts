// Reads token usage out of an answer while it passes. Holds at most one line or one small body; never delays a byte.

import type { IncomingHttpHeaders } from "node:http";
import { isRecord } from "../core/json.ts";
import type { ExchangeUsage } from "./exchange.ts";

/** Longest SSE line looked into, bytes; the events that carry usage are below 2 KB. */
const MAX_LINE_BYTES = 64 * 1024;
/** Largest JSON answer looked into, bytes; the longest message a model can write is about half of it. */
const MAX_BODY_BYTES = 1024 * 1024;

const NEWLINE = 0x0a;

/** Watches one answer. */
export interface UsageMeter {
  feed(chunk: Buffer): void;
  /** What was found so far. */
  usage(): ExchangeUsage | undefined;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** `usage` of an answer, of `message_start` (inside `message`) or of `message_delta`. */
function usageOf(value: unknown): Record<string, unknown> | undefined {
  if (!isRecord(value)) return undefined;
  if (isRecord(value.usage)) return value.usage;
  return isRecord(value.message) && isRecord(value.message.usage) ? value.message.usage : undefined;
}

/** Counts in an SSE stream are totals so far: a later number replaces the earlier one, an absent one leaves it. */
function merge(before: ExchangeUsage | undefined, found: Record<string, unknown>): ExchangeUsage {
  const pick = (name: string, old: number | undefined) => {
    const value = found[name];
    return typeof value === "number" && Number.isFinite(value) ? value : (old ?? 0);
  };
  return {
    input: pick("input_tokens", before?.input),
    output: pick("output_tokens", before?.output),
    cacheRead: pick("cache_read_input_tokens", before?.cacheRead),
    cacheCreation: pick("cache_creation_input_tokens", before?.cacheCreation),
  };
}

class SseMeter implements UsageMeter {
  #parts: Buffer[] = [];
  #held = 0;
  #usage: ExchangeUsage | undefined;

  feed(chunk: Buffer): void {
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, start)) {
      this.#endLine(chunk.subarray(start, end));
      start = end + 1;
    }
    if (start < chunk.length) this.#hold(chunk.subarray(start));
  }

  usage(): ExchangeUsage | undefined {
    return this.#usage;
  }

  #hold(part: Buffer): void {
    this.#held += part.length;
    if (this.#held > MAX_LINE_BYTES) this.#parts = [];
    // A copy: the slice would keep the whole chunk it was cut from.
    else this.#parts.push(Buffer.from(part));
  }

  #endLine(rest: Buffer): void {
    const whole = this.#held + rest.length <= MAX_LINE_BYTES;
    const line = this.#parts.length === 0 ? rest : Buffer.concat([...this.#parts, rest]);
    this.#parts = [];
    this.#held = 0;
    if (whole) this.#read(line);
  }

  #read(line: Buffer): void {
    if (!line.includes('"usage"') || line.toString("latin1", 0, 5) !== "data:") return;
    const found = usageOf(parse(line.toString("utf8", 5)));
    if (found !== undefined) this.#usage = merge(this.#usage, found);
  }
}

class JsonMeter implements UsageMeter {
  #parts: Buffer[] = [];
  #held = 0;

  feed(chunk: Buffer): void {
    this.#held += chunk.length;
    if (this.#held > MAX_BODY_BYTES) this.#parts = [];
    else this.#parts.push(Buffer.from(chunk));
  }

  usage(): ExchangeUsage | undefined {
    if (this.#held > MAX_BODY_BYTES) return undefined;
    const found = usageOf(parse(Buffer.concat(this.#parts).toString("utf8")));
    return found === undefined ? undefined : merge(undefined, found);
  }
}

/** A meter for an answer with these headers; undefined when it is compressed or of another type. */
export function createUsageMeter(headers: IncomingHttpHeaders): UsageMeter | undefined {
  const encoding = headers["content-encoding"] ?? "identity";
  if (encoding.toLowerCase() !== "identity") return undefined;
  const type = (headers["content-type"] ?? "").toLowerCase();
  if (type.startsWith("text/event-stream")) return new SseMeter();
  return type.startsWith("application/json") ? new JsonMeter() : undefined;
}
