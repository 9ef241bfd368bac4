import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Key, KeyReader, MAX_PASTE } from "../../../src/cli/terminal/key-reader.ts";

const text = (words: string): Key => ({ kind: "text", text: words });
const key = (name: string): Key => ({ kind: "key", name }) as Key;
const paste = (words: string): Key => ({ kind: "paste", text: words });

const TABLE: [string, Key[]][] = [
  ["abc", [text("abc")]],
  ["你好\r", [text("你好"), key("enter")]],
  ["a\r\nb", [text("a"), key("enter"), text("b")]],
  ["\u0003", [key("interrupt")]],
  ["\u001a", [key("suspend")]],
  ["x\u007f\b", [text("x"), key("backspace"), key("backspace")]],
  ["\u0001\u0005\u0015\u0017\u000b", ["home", "end", "erase-before", "erase-word", "erase-after"].map(key)],
  ["\u001b[A\u001b[B\u001b[C\u001b[D", ["up", "down", "right", "left"].map(key)],
  ["\u001bOA\u001bOH\u001bOF", ["up", "home", "end"].map(key)],
  [
    "\u001b[H\u001b[F\u001b[1~\u001b[4~\u001b[7~\u001b[8~",
    ["home", "end", "home", "end", "home", "end"].map(key),
  ],
  ["\u001b[3~", [key("delete")]],
  [
    "\u001b[1;5D\u001b[1;5C\u001b[1;3D\u001bb\u001bf",
    ["left", "right", "left", "left", "right"].map((side) => key(`word-${side}`)),
  ],
  ["\u001b\r", [key("newline")]],
  ["\u001b\u007f", [key("erase-word")]],
  ["\u001b[200~a\nb\u001b[31m\u001b[201~c", [paste("a\nb\u001b[31m"), text("c")]],
  ["\u001b[200~\u001b[201~", [paste("")]],
  // Answers of the terminal, keys nobody bound, broken sequences: none of it is typed.
  ["\u001b]11;rgb:0000/0000/0000\u0007x", [text("x")]],
  ["\u001b[24~\u001b[?62;c\u001b[12;40Rx", [text("x")]],
  ["\u0000\u0007\u009bx", [text("x")]],
];

describe("keys", () => {
  it.each(TABLE)("%j", (input, keys) => {
    const reader = new KeyReader();
    expect([...reader.read(input), ...reader.flush()]).toEqual(keys);
  });

  it("are the same in however many pieces they come", () => {
    const joined = (keys: readonly Key[]) => {
      const all: Key[] = [];
      for (const next of keys) {
        const last = all.at(-1);
        if (last?.kind === "text" && next.kind === "text") all[all.length - 1] = text(last.text + next.text);
        else all.push(next);
      }
      return all;
    };
    const inputs = fc.array(fc.constantFrom(...TABLE.map(([input]) => input)), { maxLength: 5 });
    fc.assert(
      fc.property(inputs, fc.infiniteStream(fc.integer({ min: 1, max: 4 })), (parts, sizes) => {
        const input = parts.join("");
        const whole = new KeyReader();
        const pieces = new KeyReader();
        const seen: Key[] = [];
        const points = [...input];
        while (points.length > 0) {
          seen.push(...pieces.read(points.splice(0, sizes.next().value).join("")));
        }
        // A carriage return and a line feed apart are two keys, as on a slow line; nothing else may differ.
        fc.pre(!input.includes("\r\n"));
        expect(joined([...seen, ...pieces.flush()])).toEqual(
          joined([...whole.read(input), ...whole.flush()]),
        );
      }),
    );
  });

  it("wait for what an escape begins; when nothing follows it is the key", () => {
    const reader = new KeyReader();
    expect(reader.read("\u001b")).toEqual([]);
    expect(reader.isOpen).toBe(true);
    expect(reader.flush()).toEqual([key("escape")]);
    expect(reader.isOpen).toBe(false);
    reader.read("\u001b[1;");
    expect(reader.flush()).toEqual([]);
    expect(reader.read("x")).toEqual([text("x")]);
  });

  it("of a paste without its end are given up after a while, so that Ctrl-C works again", () => {
    const reader = new KeyReader();
    expect(reader.read("\u001b[200~half")).toEqual([]);
    expect(reader.isPasting).toBe(true);
    expect(reader.flush()).toEqual([paste("half")]);
    expect(reader.read("\u0003")).toEqual([key("interrupt")]);
  });

  it("never throw, never hold back more than a sequence, and cap a paste", () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: "binary" })), (chunks) => {
        const reader = new KeyReader();
        for (const chunk of chunks) reader.read(chunk);
        reader.flush();
        expect(reader.read("\u001b[Dx")).toEqual([key("left"), text("x")]);
      }),
    );
    const reader = new KeyReader();
    const keys = reader.read(`\u001b[200~${"x".repeat(MAX_PASTE + 10)}\u001b[201~`);
    expect(keys).toEqual([paste("x".repeat(MAX_PASTE))]);
  });
});
