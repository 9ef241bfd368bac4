import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { programWords } from "../../src/shell/program-words.ts";

function names(text: string): string {
  return programWords(text)
    .programs.map(({ name, isGuarded }) => (isGuarded ? `(${name})` : name))
    .join(" ");
}

describe("the programs of a line", () => {
  it.each([
    ["node wc.mjs a.txt", "node"],
    ["./app", "./app"],
    ["cat a | sort -u | wc -l", "cat sort wc"],
    ["cd a && make; ./app > out", "cd make ./app"],
    ["a || b", "(a) b"],
    ["a && b || c && d", "(a) (b) c d"],
    ["if a; then b; else c; fi", "(a) b c"],
    ["while a; do b; done", "(a) b"],
    ["for x in 1 2; do a $x; done", "a"],
    ["(a; { b; })", "a b"],
    ["! a", "a"],
    ['echo "$(a "$(b)")" `c`', "echo a b c"],
    ["diff <(a) <(b)", "diff a b"],
    ["X=1 Y=2 a", "a"],
    ["X=$(a)", "a"],
    ["env -u FOO X=1 a --b", "env a"],
    ["timeout -k 5 30 a", "timeout a"],
    ["nice -n 10 nohup a", "nice nohup a"],
    ["time a", "a"],
    ["xargs -n 1 a", "xargs a"],
    ["sudo -u me a", "sudo a"],
    ["command a", "command a"],
    ["command -v a", "command"],
    ["bash -c 'a | b'", "bash a b"],
    ["sh -ec 'a || b'", "sh (a) b"],
    ["sh run.sh", "sh"],
    ["f() { a; }; f", "a"],
    ["'my prog' x", "my prog"],
    ['"$X" y', ""],
    ["", ""],
  ])("are found in %j", (text, found) => {
    expect(names(text)).toBe(found);
  });

  it.each([
    ["a b", false],
    ["PATH=$PWD/bin:$PATH a", true],
    ["export PATH=x; a", true],
    ["env PATH=x a", true],
    ["source .venv/bin/activate && a", true],
    [". ./x && a", true],
    ["eval a", true],
    ["$X a", true],
    ["if a; then", true],
    ['echo "$X"', false],
  ])("are told to be open in %j: %s", (text, isOpen) => {
    expect(programWords(text).isOpen).toBe(isOpen);
  });

  it("are found in any text without a throw", () => {
    const pieces = fc.constantFrom(
      ..."a b $( ) ` ' \" | && || ; if then fi { } ( sh -c env X=1 <( << \\ \n".split(" "),
    );
    const text = fc.oneof(
      fc.string({ unit: "binary" }),
      fc.array(pieces, { maxLength: 30 }).map((parts) => parts.join(" ")),
    );
    fc.assert(
      fc.property(text, (line) => {
        programWords(line);
      }),
      { numRuns: 1000 },
    );
    expect(programWords("$(".repeat(500)).isOpen).toBe(true);
  });
});
