import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { findJsonFault } from "../../src/config/json-fault.ts";

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

describe("findJsonFault", () => {
  it.each([
    ['{"a": 1, // note\n}', "comment", 1, 10],
    ["# settings\n{}", "comment", 1, 1],
    ["{} // end", "comment", 1, 4],
    ['{"a": 1,\n}', "trailing_comma", 1, 8],
    ["[1,]", "trailing_comma", 1, 3],
    ["{'a': 1}", "quotes", 1, 2],
    ["{a: 1}", "quotes", 1, 2],
    ["{\"a\": 'b'}", "quotes", 1, 7],
    ['{"a": "b\nc"}', "text", 1, 7],
    ['{"a": "\\x"}', "text", 1, 7],
    ['{"a": "b', "text", 1, 7],
    ['{\n  "a": 1', "ended", 2, 9],
    ['{"a"', "ended", 1, 5],
    ["", "ended", 1, 1],
    ["{} {}", "more", 1, 4],
    ['{"a" 1}', "unexpected", 1, 6],
    ['{"a": 1 "b": 2}', "unexpected", 1, 9],
    ['{"a": yes}', "unexpected", 1, 7],
    ['{"a": 01}', "unexpected", 1, 7],
    ['{"a": +1}', "unexpected", 1, 7],
    ['{"\u{1f600}": ?}', "unexpected", 1, 7],
    ["[".repeat(200), "deep", 1, 102],
  ])("names what is wrong in %j, and where", (text, reason, line, column) => {
    expect(findJsonFault(text)).toEqual({ reason, line, column });
  });

  it("agrees with the engine on what is JSON", () => {
    const bits = fc.constantFrom(
      ...["{", "}", "[", "]", ",", ":", '"', '"a"', "\\", "\\u00e9", "1", "-0", ".5", "e3", "true", "null"],
      ...[" ", "\n", "\t", "\u0001", "x", "\u00a0", "'", "/", "\ud800"],
    );
    const text = fc.array(bits, { maxLength: 12 }).map((parts) => parts.join(""));
    const damaged = fc
      .tuple(fc.json(), fc.nat(), fc.string({ maxLength: 1 }))
      .map(
        ([json, at, bit]) => json.slice(0, at % (json.length + 1)) + bit + json.slice(at % (json.length + 1)),
      );
    fc.assert(
      fc.property(fc.oneof(text, fc.json(), damaged), (each) => {
        expect(findJsonFault(each) === undefined).toBe(isJson(each));
      }),
      { numRuns: 3000 },
    );
  });
});
