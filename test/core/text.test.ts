import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cut, oneLine, stripEscapes } from "../../src/core/text.ts";

// biome-ignore lint/suspicious/noControlCharactersInRegex: the test is about control characters
const CONTROL = /[\x00-\x08\x0b-\x1f\x7f-\x9f]/;

describe("stripEscapes", () => {
  it.each([
    ["colours", "\x1b[31mred\x1b[0m", "red"],
    ["a clipboard write", "ok\x1b]52;c;aGk=\x07!", "ok!"],
    ["a link", "\x1b]8;;http://x\x1b\\click\x1b]8;;\x1b\\", "click"],
    ["eight-bit forms", "a\x9b2Jb\x9d0;title\x9cc", "abc"],
    ["a bare carriage return", "real\rFAKE", "real\nFAKE"],
    ["an unfinished sequence", "text\x1b[", "text"],
    ["overrides of direction", "a\u202eb\u2066c", "abc"],
    ["newlines and tabs, which stay", "a\n\tb", "a\n\tb"],
  ])("removes %s", (_name, dirty, clean) => {
    expect(stripEscapes(dirty)).toBe(clean);
  });

  it("leaves no control character of any string", () => {
    fc.assert(fc.property(fc.string({ unit: "binary" }), (text) => !CONTROL.test(stripEscapes(text))));
  });

  it("takes time in proportion to its input, whatever it is", () => {
    for (const hostile of ["\x90", "\x1b]", "\x1b[", "\x9b1", "\r"]) {
      const started = performance.now();
      stripEscapes(`${hostile.repeat(100_000)}\x1b[m`);
      expect(performance.now() - started).toBeLessThan(2_000);
    }
  });
});

describe("cut and oneLine", () => {
  it("cuts between whole characters", () => {
    expect(cut("🌷🌷🌷", 2)).toBe("🌷🌷…");
    expect(cut("abc", 3)).toBe("abc");
  });

  it("folds a text to one safe line", () => {
    expect(oneLine("a\n\n b\x1b[2J", 10)).toBe("a b");
  });
});
