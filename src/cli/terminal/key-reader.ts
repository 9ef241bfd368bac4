// What a terminal sends -> keys. Sequences may come in any number of pieces; what is unknown is dropped, never typed.

/** Keys that are no text. */
export type KeyName =
  | "enter"
  | "newline"
  | "left"
  | "right"
  | "up"
  | "down"
  | "home"
  | "end"
  | "word-left"
  | "word-right"
  | "backspace"
  | "delete"
  | "delete-or-end"
  | "erase-word"
  | "erase-before"
  | "erase-after"
  | "put-back"
  | "redraw"
  | "escape"
  | "interrupt"
  | "suspend";

/** One thing a person did at the keyboard. */
export type Key =
  | { readonly kind: "text"; readonly text: string }
  /** A paste that the terminal marked as one. */
  | { readonly kind: "paste"; readonly text: string }
  | { readonly kind: "key"; readonly name: KeyName };

/** Longest paste that is kept, in characters; the rest of it is dropped. */
export const MAX_PASTE = 100_000;
/** A sequence longer than this is none. */
const MAX_SEQUENCE = 256;

const CONTROLS: Readonly<Record<string, KeyName>> = {
  "\r": "enter",
  "\n": "enter",
  "\u0001": "home",
  "\u0002": "left",
  "\u0003": "interrupt",
  "\u0004": "delete-or-end",
  "\u0005": "end",
  "\u0006": "right",
  "\b": "backspace",
  "\u007f": "backspace",
  "\u000b": "erase-after",
  "\u000c": "redraw",
  "\u000e": "down",
  "\u0010": "up",
  "\u0015": "erase-before",
  "\u0017": "erase-word",
  "\u0019": "put-back",
  "\u001a": "suspend",
};

/** The key after an escape, as Alt and a key send it. */
const ALT: Readonly<Record<string, KeyName>> = {
  "\r": "newline",
  "\n": "newline",
  b: "word-left",
  f: "word-right",
  "\b": "erase-word",
  "\u007f": "erase-word",
};

/** By last letter of a sequence. */
const LETTERS: Readonly<Record<string, KeyName>> = {
  A: "up",
  B: "down",
  C: "right",
  D: "left",
  H: "home",
  F: "end",
};
/** By number of a sequence that ends in `~`. */
const NUMBERS: Readonly<Record<string, KeyName>> = {
  "1": "home",
  "3": "delete",
  "4": "end",
  "7": "home",
  "8": "end",
};

const PASTE_START = "\u001b[200~";
const PASTE_END = "\u001b[201~";

function isText(char: string): boolean {
  const code = char.codePointAt(0) ?? 0;
  return code >= 0x20 && code !== 0x7f && !(code >= 0x80 && code < 0xa0);
}

/** The key of a whole control sequence `ESC [ …`; undefined for one that means nothing here. */
function keyOfSequence(parameters: string, last: string): KeyName | undefined {
  const [number = "", modifier = "1"] = parameters.split(";");
  const name = last === "~" ? NUMBERS[number] : LETTERS[last];
  // Any of Ctrl, Alt and Shift moves by words.
  if (modifier !== "1" && name === "left") return "word-left";
  if (modifier !== "1" && name === "right") return "word-right";
  return name;
}

/** What was read from the beginning of the input; `undefined` length means that more of it must come. */
interface Taken {
  readonly length: number | undefined;
  readonly name?: KeyName | undefined;
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: escape sequences begin with one
const SEQUENCE = /^\x1b\[([0-?]*)[ -/]*([@-~])/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: as above
const SEQUENCE_SO_FAR = /^\x1b\[[0-?]*[ -/]*$/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: answers of the terminal end in BEL or ESC \
const STRING_SEQUENCE = /^\x1b[P\]^_X][^\x07\x1b]*(?:\x07|\x1b\\)/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: as above
const STRING_SO_FAR = /^\x1b[P\]^_X][^\x07\x1b]*\x1b?$/;

function takeEscape(input: string): Taken {
  const sequence = SEQUENCE.exec(input);
  if (sequence !== null) {
    const [whole, parameters = "", last = ""] = sequence;
    return { length: whole.length, name: keyOfSequence(parameters, last) };
  }
  const answer = STRING_SEQUENCE.exec(input);
  if (answer !== null) return { length: answer[0].length };
  const open = input.length === 1 || SEQUENCE_SO_FAR.test(input) || STRING_SO_FAR.test(input);
  if (open && input.length < MAX_SEQUENCE) return { length: undefined };
  const second = input.charAt(1);
  if (second === "O") {
    const third = input.charAt(2);
    return third === "" ? { length: undefined } : { length: 3, name: LETTERS[third] };
  }
  if (second in ALT) return { length: 2, name: ALT[second] };
  // A second escape is a key of its own; of a broken sequence only the beginning is dropped.
  return second === "\u001b" ? { length: 1, name: "escape" } : { length: 2 };
}

/** Reads keys out of what arrives, keeping the beginning of what is not complete. */
export class KeyReader {
  #rest = "";
  #paste: string | undefined;

  /** True while the beginning of a sequence or of a paste waits for its end: flush when nothing follows. */
  get isOpen(): boolean {
    return this.#rest !== "" || this.#paste !== undefined;
  }

  /** True in the middle of a paste, whose pieces may take their time. */
  get isPasting(): boolean {
    return this.#paste !== undefined;
  }

  /** Take in what arrived. */
  read(chunk: string): Key[] {
    const keys: Key[] = [];
    let input = this.#rest + chunk;
    this.#rest = "";
    while (input !== "") {
      const before = input.length;
      input = this.#paste === undefined ? this.#next(input, keys) : this.#fill(input, keys);
      if (input.length === before) {
        this.#rest = input;
        break;
      }
    }
    return keys;
  }

  /** Nothing followed: a lone escape is the key, an unfinished paste ends here. */
  flush(): Key[] {
    const rest = this.#rest;
    const paste = this.#paste;
    this.#rest = "";
    this.#paste = undefined;
    if (paste !== undefined) return [{ kind: "paste", text: paste }];
    return rest === "\u001b" ? [{ kind: "key", name: "escape" }] : [];
  }

  /** Read one key off the beginning. @returns what is left; all of it when more must come first. */
  #next(input: string, keys: Key[]): string {
    if (input.startsWith(PASTE_START)) {
      this.#paste = "";
      return input.slice(PASTE_START.length);
    }
    if (input.startsWith("\u001b")) {
      const { length, name } = takeEscape(input);
      if (length === undefined) return input;
      if (name !== undefined) keys.push({ kind: "key", name });
      return input.slice(length);
    }
    let end = 0;
    for (const char of input) {
      if (!isText(char)) break;
      end += char.length;
    }
    if (end > 0) {
      keys.push({ kind: "text", text: input.slice(0, end) });
      return input.slice(end);
    }
    const name = CONTROLS[input.charAt(0)];
    if (name !== undefined) keys.push({ kind: "key", name });
    // Enter is one key even where it sends two characters.
    return input.slice(input.startsWith("\r\n") ? 2 : 1);
  }

  #fill(input: string, keys: Key[]): string {
    const at = input.indexOf(PASTE_END);
    if (at >= 0) {
      const text = ((this.#paste ?? "") + input.slice(0, at)).slice(0, MAX_PASTE);
      keys.push({ kind: "paste", text });
      this.#paste = undefined;
      return input.slice(at + PASTE_END.length);
    }
    // The end mark may have come in half.
    const keep = Math.min(input.length, PASTE_END.length - 1);
    const tail = input.slice(input.length - keep);
    const from = [...tail].findIndex((_char, i) => PASTE_END.startsWith(tail.slice(i)));
    const held = from < 0 ? "" : tail.slice(from);
    this.#paste = ((this.#paste ?? "") + input.slice(0, input.length - held.length)).slice(0, MAX_PASTE);
    return held;
  }
}
