import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createPaint } from "../../../src/cli/screen/paint.ts";
import { type Frame, NO_FRAME, Painter } from "../../../src/cli/terminal/painter.ts";
import { displayWidth, fitCells } from "../../../src/core/cells.ts";
import { ScreenModel } from "./screen-model.ts";

const frame = (...texts: string[]): Frame => ({
  rows: texts.map((text) => ({ tone: "faint", text })),
  cursor: { row: texts.length - 1, column: Math.min(2, displayWidth(texts.at(-1) ?? "")) },
});

/** Printable text of any width, as a row of at most so many cells. */
const words = fc.string({
  unit: fc.constantFrom("a", "b ", "你", "é", "🌷", "-"),
  maxLength: 60,
  size: "max",
});

function stage(columns = 40, rows = 12, colours = true) {
  const painter = new Painter(createPaint(colours));
  const screen = new ScreenModel(columns, rows);
  const change = (lines: readonly string[], next: Frame) => {
    const bytes = painter.change({ lines, frame: next, columns: screen.columns });
    screen.write(bytes);
    return bytes;
  };
  return { painter, screen, change };
}

describe("what is painted", () => {
  it("has the lines above and the region below, whatever is printed and however the region changes", () => {
    const step = fc.record({
      lines: fc.array(words, { maxLength: 4 }),
      rows: fc.array(words, { maxLength: 5 }),
    });
    fc.assert(
      fc.property(fc.array(step, { minLength: 1, maxLength: 12 }), (steps) => {
        const { screen, change } = stage(20, 8);
        const printed: string[] = [];
        for (const { lines, rows } of steps) {
          const next = frame(...rows.map((row) => fitCells(row, 19)));
          change(lines, rows.length === 0 ? NO_FRAME : next);
          printed.push(...lines);
          const expected = [...printed, ...(rows.length === 0 ? [] : next.rows.map(({ text }) => text))];
          const trimmed = expected.map((line) => line.trimEnd());
          while (trimmed.length > 1 && trimmed.at(-1) === "") trimmed.pop();
          const shown = screen.unfolded;
          while (shown.length > 1 && shown.at(-1) === "") shown.pop();
          expect(shown).toEqual(trimmed.length === 0 ? [""] : trimmed);
        }
      }),
    );
  });

  it("leaves the cursor where what is typed goes on", () => {
    const { screen, change } = stage();
    change(["one", "two"], { ...frame("status", "> ab"), cursor: { row: 1, column: 3 } });
    expect(screen.cursor).toEqual({ row: 3, column: 3 });
    change([], { ...frame("status", "> ab"), cursor: { row: 1, column: 2 } });
    expect(screen.cursor).toEqual({ row: 3, column: 2 });
    change([], NO_FRAME);
    expect(screen.all).toEqual(["one", "two"]);
    expect(screen.cursor).toEqual({ row: 2, column: 0 });
    expect([...screen.modes].sort()).toEqual(["25", "7"]);
  });

  it("is nothing where nothing changed, and no more than what did where one row changed", () => {
    const { change } = stage();
    const before = frame("- context 71.4K · $0.30 · 1:02:03", "> also add tests");
    change(["a line"], before);
    expect(change([], before)).toBe("");
    const bytes = change([], frame("- context 71.4K · $0.30 · 1:02:04", "> also add tests"));
    expect(bytes).toContain("4");
    expect(bytes).not.toContain("context");
    expect(bytes).not.toContain("also");
    expect(bytes.length).toBeLessThan(70);
  });

  it("wipes a row before it is overwritten and never the whole screen: nothing flickers", () => {
    const { change } = stage();
    change(["a"], frame("status", "> "));
    const bytes = change(["b"], frame("status", "> "));
    // biome-ignore lint/suspicious/noControlCharactersInRegex: what is written holds them
    expect(bytes).not.toMatch(/\x1b\[2J|\x1b\[H|\x1bc/);
    expect(bytes.startsWith("\u001b[?2026h")).toBe(true);
    expect(bytes.endsWith("\u001b[?2026l")).toBe(true);
  });
});

describe("another width", () => {
  const sizes = fc.array(fc.integer({ min: 12, max: 60 }), { minLength: 1, maxLength: 5 });

  it("leaves neither remains of the region nor holes in what was printed", () => {
    fc.assert(
      fc.property(
        sizes,
        fc.array(words, { maxLength: 6 }),
        fc.array(words, { minLength: 1, maxLength: 3 }),
        (widths, lines, rows) => {
          const { screen, change } = stage(40, 40);
          const fitting = () => frame(...rows.map((row) => `>${fitCells(row, screen.columns - 2)}`));
          change(lines, fitting());
          for (const [i, width] of widths.entries()) {
            screen.resize(width, 40);
            change([`line ${i}`], fitting());
          }
          const expected = [
            ...lines,
            ...widths.map((_width, i) => `line ${i}`),
            ...fitting().rows.map(({ text }) => text),
          ];
          expect(screen.unfolded).toEqual(expected.map((line) => line.trimEnd()));
        },
      ),
    );
  });

  it("folds the typed line's row under the cursor too", () => {
    const { screen, change } = stage(40, 20);
    const typed = "> 你好世界你好世界ab and some more";
    const at = (column: number): Frame => ({ ...frame("status", typed), cursor: { row: 1, column } });
    change(["printed"], at(displayWidth(typed)));
    screen.resize(20, 20);
    change(["next"], frame("status", "> 你好世界"));
    expect(screen.all).toEqual(["printed", "next", "status", "> 你好世界"]);
  });
});

describe("a terminal somebody else wrote on", () => {
  it("gets the whole region below what stands there", () => {
    const { painter, screen, change } = stage();
    change(["a"], frame("status", "> x"));
    change([], NO_FRAME);
    painter.forget();
    screen.write("$ fg\r\n");
    change([], frame("status", "> x"));
    expect(screen.all).toEqual(["a", "$ fg", "status", "> x"]);
  });
});
