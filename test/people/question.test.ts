import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { MAX_OPTIONS, readQuestion } from "../../src/people/question.ts";

describe("a question as models send it", () => {
  it.each([
    ["a list", ["a", "b"], ["a", "b"]],
    ["nothing", undefined, []],
    ["null", null, []],
    ["an empty list", [], []],
    ["an empty text", "", []],
    ["a list written as JSON", '["a", "b"]', ["a", "b"]],
    ["an object written as JSON", '{"options": ["a", "b"]}', ["a", "b"]],
    ["one choice a line, with bullets", "- a\n* b\n\n", ["a", "b"]],
    ["one plain text", "only this", ["only this"]],
    ["numbers, booleans and holes", [1, true, null, undefined, ""], ["1", "true"]],
    ["objects with labels", [{ label: "A", description: "first" }, { value: "B" }], ["A: first", "B"]],
    ["an object of key and meaning", { a: "red", b: "blue" }, ["a: red", "b: blue"]],
    ["broken JSON", '["a", ', ['["a",']],
    ["choices that repeat", ["a", " a ", "b"], ["a", "b"]],
    ["a choice of several lines", ["a\nb"], ["a b"]],
  ])("takes options given as %s", (_, options, expected) => {
    expect(readQuestion({ question: "?", options })).toEqual({ question: "?", options: expected });
  });

  it.each([
    ["  spaced  ", "spaced"],
    [42, "42"],
    [{ question: "nested?" }, "nested?"],
    [["a", "b"], "a, b"],
    [undefined, ""],
    [null, ""],
    ["\u001b[2J", ""],
  ])("reads the question %j as %j", (question, expected) => {
    expect(readQuestion({ question }).question).toBe(expected);
  });

  it("keeps 50 choices and says how many more there were", () => {
    const choices = (n: number) => Array.from({ length: n }, (_, i) => `choice ${i}`);
    expect(readQuestion({ question: "?", options: choices(50) })).toEqual({
      question: "?",
      options: choices(50),
    });
    const many = readQuestion({ question: "?", options: choices(53) });
    expect(many.options).toHaveLength(MAX_OPTIONS);
    expect(many.question).toBe("?\n(3 more choices were left out)");
  });

  it("never throws, and reading its own result again changes nothing", () => {
    fc.assert(
      fc.property(fc.anything(), fc.anything(), (question, options) => {
        const read = readQuestion({ question, options });
        expect(readQuestion(read)).toEqual(read);
        for (const option of read.options) expect(option).toMatch(/^\S.*$/);
      }),
    );
  });
});
