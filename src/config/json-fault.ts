// Where a text stops being JSON. The engine's own message repeats pieces of the text, which may be a secret, and not
// every version of it says where.

/** What is wrong, as far as it can be named. */
type JsonFaultReason =
  | "comment"
  | "trailing_comma"
  | "quotes"
  | "text"
  | "ended"
  | "more"
  | "deep"
  | "unexpected";

/** The first place that is not JSON; line and column count from 1, columns in characters. */
export interface JsonFault {
  readonly reason: JsonFaultReason;
  readonly line: number;
  readonly column: number;
}

/** Levels of nesting; a configuration has two. */
const MAX_DEPTH = 100;
const SPACE = /[ \t\n\r]*/y;
const LITERAL = /(?:true|false|null)(?![\w$])|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?(?![\w$.])/y;
// biome-ignore lint/suspicious/noControlCharactersInRegex: JSON forbids exactly these inside a string
const STRING = /"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/y;

/** A fault by its index in the text. */
interface Stop {
  readonly reason: JsonFaultReason;
  readonly at: number;
}

class Scanner {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  /** The whole text must be one value. */
  scan(): Stop | undefined {
    const stop = this.#value(0);
    if (stop !== undefined) return stop;
    this.#space();
    return this.#at === this.#text.length ? undefined : this.#stop(this.#isComment() ? "comment" : "more");
  }

  #take(pattern: RegExp): boolean {
    pattern.lastIndex = this.#at;
    if (!pattern.test(this.#text)) return false;
    this.#at = pattern.lastIndex;
    return true;
  }

  #space(): void {
    this.#take(SPACE);
  }

  #peek(): string {
    this.#space();
    return this.#text.charAt(this.#at);
  }

  #isComment(): boolean {
    return /^(?:\/[/*]|#)/.test(this.#text.slice(this.#at, this.#at + 2));
  }

  #stop(reason: JsonFaultReason): Stop {
    if (this.#at >= this.#text.length) return { reason: "ended", at: this.#text.length };
    return { reason: this.#isComment() ? "comment" : reason, at: this.#at };
  }

  #value(depth: number): Stop | undefined {
    const next = this.#peek();
    if (depth > MAX_DEPTH) return this.#stop("deep");
    if (next === "{") return this.#list("}", () => this.#member(depth));
    if (next === "[") return this.#list("]", () => this.#value(depth + 1));
    if (next === '"') return this.#string();
    if (this.#take(LITERAL)) return undefined;
    return this.#stop(next === "'" ? "quotes" : "unexpected");
  }

  #string(): Stop | undefined {
    return this.#take(STRING) ? undefined : this.#stop("text");
  }

  #member(depth: number): Stop | undefined {
    if (this.#peek() !== '"') return this.#stop("quotes");
    const stop = this.#string();
    if (stop !== undefined) return stop;
    if (this.#peek() !== ":") return this.#stop("unexpected");
    this.#at += 1;
    return this.#value(depth + 1);
  }

  /** Items with commas between them, from the opening bracket to the closing one. */
  #list(close: string, item: () => Stop | undefined): Stop | undefined {
    this.#at += 1;
    if (this.#peek() === close) {
      this.#at += 1;
      return undefined;
    }
    for (;;) {
      const stop = item();
      if (stop !== undefined) return stop;
      const next = this.#peek();
      if (next !== close && next !== ",") return this.#stop("unexpected");
      const comma = this.#at;
      this.#at += 1;
      if (next === close) return undefined;
      if (this.#peek() === close) return { reason: "trailing_comma", at: comma };
    }
  }
}

/** The first fault of a text as JSON; undefined for a text that JSON.parse takes, nested up to 100 levels. */
export function findJsonFault(text: string): JsonFault | undefined {
  const stop = new Scanner(text).scan();
  if (stop === undefined) return undefined;
  const before = text.slice(0, stop.at).split("\n");
  return { reason: stop.reason, line: before.length, column: [...(before.at(-1) ?? "")].length + 1 };
}
