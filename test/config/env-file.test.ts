import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { normaliseEnvText, parseEnvFile, renderEnvLine, scanEnv } from "../../src/config/env-file.ts";
import { caseOf } from "./cases.ts";

function values(text: string): Record<string, string> {
  return { ...parseEnvFile(text) };
}

describe("the published cases", () => {
  it.each(["D-env-01", "D-env-02", "D-env-04", "D-env-05"])("%s reads as expected", (id) => {
    const { input, expected } = caseOf(id);
    expect(values(input as string)).toEqual(expected);
  });

  it("D-env-06: an unmatched quote does not swallow the following lines", () => {
    expect(values(caseOf("D-env-06").input as string)).toEqual({ B: "2" });
  });
});

const TABLE: readonly (readonly [string, string, Record<string, string>])[] = [
  ["a double-quoted value may span lines", 'A="x\ny"\nB=1', { A: "x\ny", B: "1" }],
  ["a single-quoted value may span lines", "A='x\r\ny' # c\r\nB=1", { A: "x\ny", B: "1" }],
  ["an escaped quote does not close", 'A="x\\"y"\nB=1', { A: 'x"y', B: "1" }],
  ["an unknown escape stays", 'A="x\\dy"', { A: "x\\dy" }],
  ["nothing is interpolated", 'A=1\nB=$A\nC="$A"', { A: "1", B: "$A", C: "$A" }],
  ["a hash at once after the sign belongs to the value", "A=#x\nB= # c", { A: "#x", B: "" }],
  ["a tab opens a comment as a space does", "A=x\t# c", { A: "x" }],
  ["a quoted hash is no comment", 'A="x # y" # z', { A: "x # y" }],
  ["a quote inside a value is a character", "A=it's\nB=2", { A: "it's", B: "2" }],
  ["export needs white space", "exportA=1\nexport\tB=2\nexport=3", { exportA: "1", B: "2", export: "3" }],
  ["indented lines count", "  A=1\n\t# c\n\n", { A: "1" }],
  ["a lone carriage return ends a line", "A=1\rB=2", { A: "1", B: "2" }],
  ["the last assignment wins", "A=1\nA=2", { A: "2" }],
  ["empty values are kept as empty", "A=\nB=\"\"\nC=''", { A: "", B: "", C: "" }],
  ["lines without a key are passed over", 'hello\n=x\n1A=2\n"A=3\nB=1', { B: "1" }],
  ["text after the closing quote spoils only its line", 'A="x"y\nB=1', { B: "1" }],
  ["an unmatched quote meets the opening quote of the next value", 'A="abc\nB="x"\nC=1', { B: "x", C: "1" }],
  ["an unmatched quote far above another value", "A='abc\nB=2\nC='x'\nD=it's", { B: "2", C: "x", D: "it's" }],
  ["an unmatched quote at the end of the file", "B=1\nA='", { B: "1" }],
];

describe("parseEnvFile", () => {
  it.each(TABLE)("%s", (_name, text, expected) => {
    expect(values(text)).toEqual(expected);
  });

  it("takes the names of an object's own members as ordinary keys", () => {
    const parsed = parseEnvFile("__proto__=1\nconstructor=2\ntoString=3");
    expect(Object.entries(parsed)).toEqual([
      ["__proto__", "1"],
      ["constructor", "2"],
      ["toString", "3"],
    ]);
    expect(parseEnvFile("").toString).toBeUndefined();
  });

  it("answers any text", () => {
    const bits = fc.constantFrom('"', "'", "\\", "\n", "\r", "=", "#", " ", "A", "export ", "\ufeff", "\0");
    const texts = fc.oneof(
      fc.string(),
      fc.array(bits).map((parts) => parts.join("")),
    );
    fc.assert(fc.property(texts, (text) => typeof parseEnvFile(text) === "object"));
  });

  it("reads a plain line whatever stands above it, unless that is inside a closed quote", () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('"', "x", " ", "\\", "#", "=") }), (line) => {
        expect(parseEnvFile(`A=${line}\nB=2`).B).toBe("2");
      }),
    );
  });

  it("stays quick on a file full of stray quotes", () => {
    const text = "A=\"x\nB='y\n".repeat(20_000);
    const started = performance.now();
    parseEnvFile(text);
    expect(performance.now() - started).toBeLessThan(2_000);
  });
});

describe("scanEnv", () => {
  it("says on which line a value could not be read, and why", () => {
    const text = normaliseEnvText('A="x\ny"\nB="z\nC="q"r');
    expect(
      scanEnv(text).map((each) => [each.line, each.key, each.kind, "reason" in each && each.reason]),
    ).toEqual([
      [1, "A", "value", false],
      [3, "B", "problem", "unmatched quote"],
      [4, "C", "problem", "text after the closing quote"],
    ]);
  });
});

describe("renderEnvLine", () => {
  it("round-trips any value", () => {
    const awkward = fc.string({
      unit: fc.constantFrom('"', "'", "\\", "\n", "\r", "\t", "#", " ", "$", "n", "=", "\ufeff"),
    });
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: "binary" }), awkward), (value) => {
        expect(values(`${renderEnvLine("KEY", value)}\nNEXT=1`)).toEqual({ KEY: value, NEXT: "1" });
      }),
    );
  });

  it("writes an ordinary token bare", () => {
    expect(renderEnvLine("K", "sk-ant-api03-a_b")).toBe("K=sk-ant-api03-a_b");
  });
});
