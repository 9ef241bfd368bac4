import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { clipCells, displayWidth, fitCells, graphemes } from "../../src/core/cells.ts";

describe("displayWidth", () => {
  it.each([
    ["abc", 3],
    ["你好ab", 6],
    ["e\u0301", 1],
    ["🌷", 2],
    ["🚀✅", 4],
    ["👩‍👩‍👧", 2],
    ["👍🏽", 2],
    ["🇧🇷", 2],
    ["\u1112\u1161\u11ab", 2],
    ["a\u200bb", 2],
    ["", 0],
  ])("counts %j as %i cells", (text, width) => {
    expect(displayWidth(text)).toBe(width);
  });

  it("is the sum of the graphemes' widths", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), (text) => {
        const parts = graphemes(text);
        expect(parts.join("")).toBe(text);
        expect(parts.reduce((sum, part) => sum + displayWidth(part), 0)).toBe(displayWidth(text));
      }),
    );
  });
});

describe("graphemes", () => {
  it("are what the language's own rules make of a text, several lines of plain text and their tabs too", () => {
    const rules = new Intl.Segmenter(undefined, { granularity: "grapheme" });
    const piece = fc.constantFrom(
      "a",
      " ",
      "\t",
      "\n",
      "\r",
      "\r\n",
      "~",
      "\u0301",
      "\u200d",
      "é",
      "你",
      "👩",
    );
    fc.assert(
      fc.property(fc.array(piece), (pieces) => {
        const text = pieces.join("");
        expect(graphemes(text)).toEqual(Array.from(rules.segment(text), ({ segment }) => segment));
      }),
    );
  });
});

describe("fitting into cells", () => {
  it("keeps whole graphemes and never takes more room than there is", () => {
    expect(fitCells("a你b", 2)).toBe("a");
    expect(clipCells("你好世界", 6)).toBe("你好…");
    expect(clipCells("abc", 3)).toBe("abc");
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), fc.integer({ min: -2, max: 30 }), (text, width) => {
        for (const made of [fitCells(text, width), clipCells(text, width)]) {
          expect(displayWidth(made)).toBeLessThanOrEqual(Math.max(0, width));
        }
        expect(text.startsWith(fitCells(text, width))).toBe(true);
      }),
    );
  });
});
