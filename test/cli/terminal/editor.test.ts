import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Editor, EMPTY_EDITOR, edit, submitted } from "../../../src/cli/terminal/editor.ts";
import { inputRows } from "../../../src/cli/terminal/input-rows.ts";
import { type Key, KeyReader } from "../../../src/cli/terminal/key-reader.ts";
import { displayWidth, graphemes } from "../../../src/core/cells.ts";

const ESC = "\u001b";
const KEYS = {
  left: `${ESC}[D`,
  right: `${ESC}[C`,
  up: `${ESC}[A`,
  down: `${ESC}[B`,
  home: "\u0001",
  end: "\u0005",
  back: "\u007f",
  del: `${ESC}[3~`,
  wordLeft: `${ESC}b`,
  wordRight: `${ESC}f`,
  eraseWord: "\u0017",
  eraseBefore: "\u0015",
  eraseAfter: "\u000b",
  putBack: "\u0019",
  newline: `${ESC}\r`,
};

/** The editor after these bytes; Enter hands the line over. */
function typed(bytes: string, from: Editor = EMPTY_EDITOR): Editor {
  const reader = new KeyReader();
  return [...reader.read(bytes), ...reader.flush()].reduce(
    (editor, key) => (key.kind === "key" && key.name === "enter" ? submitted(editor) : edit(editor, key)),
    from,
  );
}

/** Text with the cursor shown as `|`. */
const seen = ({ text, cursor }: Editor) => `${text.slice(0, cursor)}|${text.slice(cursor)}`;

describe("editing keys", () => {
  const { left, right, home, end, back, del, wordLeft, wordRight } = KEYS;
  it.each([
    ["types where the cursor stands", `ac${left}b`, "ab|c"],
    ["goes to both ends", `abc${home}x${end}y`, "xabcy|"],
    ["erases to both sides", `abcd${left}${left}${back}${del}`, "a|d"],
    ["moves over a wide character at once", `a你${left}b${right}c`, "ab你c|"],
    ["erases a family as the one thing it looks like", `x👩‍👩‍👧${back}`, "x|"],
    ["erases a letter with its accent", `e\u0301${back}`, "|"],
    ["jumps over words", `one two, three${wordLeft}${wordLeft}`, "one |two, three"],
    ["jumps to a word's end", `one two${home}${wordRight}`, "one| two"],
    ["erases a word back to white space", `say --flag=x${KEYS.eraseWord}`, "say |"],
    ["erases a word back to a full-width space", `改一下　这里${KEYS.eraseWord}`, "改一下　|"],
    ["erases a word back to a tab", `${ESC}[200~a\tb c\td${ESC}[201~${KEYS.eraseWord}`, "a\tb c\t|"],
    ["erases a word and the white space behind it", `one two　 ${KEYS.eraseWord}`, "one |"],
    [
      "erases what stands before and behind",
      `abcd${left}${left}${KEYS.eraseBefore}${right}${KEYS.eraseAfter}`,
      "c|",
    ],
    ["puts back what was erased", `one two${KEYS.eraseWord}x ${KEYS.putBack}`, "one x two|"],
    ["stays at the ends", `${left}${back}${right}${del}`, "|"],
    ["breaks the line on Alt-Enter", `a${KEYS.newline}b`, "a\nb|"],
    ["keeps to its line of several", `a${KEYS.newline}bcd${home}x${KEYS.eraseAfter}`, "a\nx|"],
    ["moves between lines of several", `abc${KEYS.newline}d${KEYS.up}x${KEYS.down}y`, "axbc\ndy|"],
    [
      "takes a paste as text, its escapes and last line end left out",
      `${ESC}[200~a\rb${ESC}[2J\n\n${ESC}[201~`,
      "a\nb|",
    ],
  ])("%s", (_name, bytes, result) => expect(seen(typed(bytes))).toBe(result));

  it("goes back through what was said and forward to what is being typed", () => {
    const { up, down } = KEYS;
    const said = typed("first\rsecond\rsecond\r\rthi");
    expect(said.history).toEqual(["first", "second"]);
    expect(seen(typed(up, said))).toBe("second|");
    expect(seen(typed(up + up + up, said))).toBe("first|");
    expect(seen(typed(up + up + down + down + down, said))).toBe("thi|");
    expect(seen(typed(`${up + up}x\r`, said))).toBe("|");
  });

  it("keeps the cursor between graphemes, whatever is pressed", () => {
    const bytes = fc.array(
      fc.oneof(
        fc.constantFrom(...Object.values(KEYS), "\r"),
        fc.constantFrom("a ", "你", "👩‍👧", "e\u0301", "\u0301", "-"),
      ),
    );
    fc.assert(
      fc.property(bytes, (parts) => {
        const { text, cursor } = typed(parts.join(""));
        expect([...graphemes(text.slice(0, cursor)), ...graphemes(text.slice(cursor))]).toEqual(
          graphemes(text),
        );
        expect(cursor).toBeLessThanOrEqual(text.length);
      }),
    );
  });

  it("remembers a hundred lines and takes no more than a paste may hold", () => {
    const many = Array.from({ length: 150 }, (_, i) => `line ${i}\r`).join("");
    expect(typed(many).history).toHaveLength(100);
    const huge: Key = { kind: "paste", text: "x".repeat(99_990) };
    expect(edit(edit(EMPTY_EDITOR, huge), huge).text).toHaveLength(100_000);
  });
});

describe("the rows of the typed line", () => {
  const rows = (bytes: string, width = 10, height = 5) =>
    inputRows(typed(bytes), { mark: "> ", width, height });

  it.each([
    ["a short line", "abc", { rows: ["> abc"], row: 0, column: 5 }],
    ["a full row, its cursor on the next", "abcdefgh", { rows: ["> abcdefgh", "  "], row: 1, column: 2 }],
    ["a longer one", "abcdefghij", { rows: ["> abcdefgh", "  ij"], row: 1, column: 4 }],
    ["a wide character that does not fit", "abcdefg你", { rows: ["> abcdefg", "  你"], row: 1, column: 4 }],
    ["lines of its own", `a${KEYS.newline}b${KEYS.left}`, { rows: ["> a", "  b"], row: 1, column: 2 }],
    ["nothing", "", { rows: ["> "], row: 0, column: 2 }],
  ])("%s", (_name, bytes, result) => expect(rows(bytes)).toEqual(result));

  it("scrolls to the cursor and marks what is out of sight", () => {
    const lines = Array.from({ length: 9 }, (_, i) => `l${i}`).join(KEYS.newline);
    expect(rows(lines, 10, 3)).toEqual({ rows: ["… l6", "  l7", "  l8"], row: 2, column: 4 });
    expect(rows(lines + KEYS.up.repeat(8), 10, 3)).toEqual({
      rows: ["> l0", "  l1", "… l2"],
      row: 0,
      column: 4,
    });
  });

  it("never are wider than the screen nor more than there is room for, and hold the cursor", () => {
    const unit = fc.constantFrom("a", "你", "👩‍👧", "\n", " ", "\t", "e\u0301");
    fc.assert(
      fc.property(
        fc.string({ unit }),
        fc.nat(),
        fc.integer({ min: 8, max: 30 }),
        fc.integer({ min: 1, max: 6 }),
        (text, at, width, height) => {
          const cursor = graphemes(text)
            .slice(0, at % 40)
            .join("").length;
          const made = inputRows({ ...EMPTY_EDITOR, text, cursor }, { mark: "> ", width, height });
          expect(made.rows.length).toBeLessThanOrEqual(height);
          for (const row of made.rows) expect(displayWidth(row)).toBeLessThanOrEqual(width);
          expect(made.row).toBeLessThan(made.rows.length);
          expect(made.column).toBeLessThanOrEqual(width);
        },
      ),
    );
  });
});
