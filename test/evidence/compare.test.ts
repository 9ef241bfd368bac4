import { describe, expect, it } from "vitest";
import { createTranslator } from "../../src/config/locale/translator.ts";
import { parseCheck } from "../../src/documents/parse-check.ts";
import { faultOf } from "../../src/evidence/compare.ts";
import type { CommandRun } from "../../src/evidence/run-command.ts";

const RUN: CommandRun = {
  ...{ stdout: "", isStdoutCut: false, stderr: "", tail: "", sha256: "", durationS: 0 },
  ...{ exitCode: 0, signal: undefined, cut: undefined, startError: undefined },
};

function fault(words: string, run: Partial<CommandRun>): string {
  const { expect: expectation } = parseCheck(`\`a b\` -> ${words}`);
  return faultOf({
    expect: expectation,
    run: { ...RUN, ...run },
    creations: new Map(),
    say: createTranslator("en"),
  });
}

describe("a result", () => {
  it.each<[string, string, Partial<CommandRun>]>([
    [
      "contains a text, colours and carriage returns aside",
      "prints `a b`",
      { stdout: "\u001b[1ma\u001b[0m b\r\n" },
    ],
    ["is a text, blanks around it aside", "prints exactly 3", { stdout: "\n 3\n" }],
    ["is nothing", "prints nothing", { stdout: "\n" }],
    ["holds no text", "does not print `Error`", { stdout: "error" }],
    ["matches as a whole", "matches /^a\\nb$/", { stdout: "a\nb\n" }],
    ["matches without regard to case", "matches /ERR/i", { stdout: "err" }],
    ["has an exit code", "exits 2", { exitCode: 2 }],
    ["fails", "exits non-zero", { exitCode: 2 }],
    ["has any exit code beside words of an error", "says that it is an error", { exitCode: 2 }],
    ["is all of it", "exits 2 and prints `a`", { exitCode: 2, stdout: "a" }],
  ])("%s", (_, words, run) => {
    expect(fault(words, run)).toBe("");
  });

  it.each<[string, string, Partial<CommandRun>, RegExp]>([
    ["in another case", "prints `Done`", { stdout: "done" }, /not as expected/],
    ["on standard error", "prints `Done`", { stderr: "Done" }, /on standard error/],
    ["beside something else", "prints exactly 3", { stdout: "3 words" }, /not as expected/],
    ["where nothing is expected", "prints nothing", { stdout: "x" }, /not as expected/],
    ["that is forbidden", "does not print `Error`", { stdout: "an Error" }, /not as expected/],
    ["with an exit code", "prints `a`", { stdout: "a", exitCode: 1 }, /^exit code 1, not 0$/],
    ["with another exit code", "exits 2", { exitCode: 0 }, /^exit code 0, not 2$/],
    ["without failing", "exits non-zero", {}, /where it should fail/],
    ["by a signal", "exits non-zero", { exitCode: undefined, signal: "SIGSEGV" }, /ended by SIGSEGV/],
    ["not at all", "exits 0", { exitCode: undefined, startError: "no folder" }, /could not be started/],
    ["in one of two parts", "prints `a` and `b`", { stdout: "a" }, /^[^;]*prints "b"; it printed "a"$/],
    ["with nothing at all", "prints exactly 3", { stdout: " \n" }, /; it printed nothing$/],
    ["with more than a line", "prints exactly 3", { stdout: "1\n2" }, /^[^;]*prints exactly "3"$/],
    ["with a long line", "prints exactly 3", { stdout: "1".repeat(61) }, /^[^;]*prints exactly "3"$/],
    ["beyond what is kept", "prints exactly 3", { stdout: "3", isStdoutCut: true }, /not as expected/],
    ["past what is kept", "does not print `b`", { stdout: "a", isStdoutCut: true }, /more output/],
    ["longer than what is matched", "matches /a/", { stdout: "a", isStdoutCut: true }, /more output/],
    ["with words and an exit code", "shows the list", { exitCode: 1 }, /exit code 1, not 0/],
  ])("is a fault %s", (_, words, run, why) => {
    expect(fault(words, run)).toMatch(why);
  });

  it("is matched in time that goes with its length, wherever its line ends stand", () => {
    const start = performance.now();
    expect(fault("matches /x$/", { stdout: `${"\n".repeat(200_000)}x\n\n` })).toBe("");
    expect(performance.now() - start).toBeLessThan(2_000);
  });

  it("is not decided by an expression that takes too long, and the run goes on", () => {
    const start = performance.now();
    expect(fault("matches /^(a+)+$/", { stdout: `${"a".repeat(60)}b` })).toMatch(/within a second/);
    expect(performance.now() - start).toBeLessThan(10_000);
  });
});
