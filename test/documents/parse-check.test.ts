import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, describe, expect, it } from "vitest";
import { type Expectation, isLeftToJudge, type Part, partsOf } from "../../src/documents/check.ts";
import { Goal } from "../../src/documents/goal.ts";
import { parseCheck } from "../../src/documents/parse-check.ts";

const RUN = "node wc.mjs a.txt";
const prints = (text: string): Part => ({ kind: "prints", text });
const exactly = (text: string): Part => ({ kind: "prints_exactly", text });
const not = (text: string): Part => ({ kind: "prints_not", text });
const exits = (code: number): Part => ({ kind: "exits", code });
const creates = (path: string): Part => ({ kind: "creates", path });
const matches = (pattern: string, flags = ""): Part => ({ kind: "matches", pattern, flags });
const prose = (text: string): Part => ({ kind: "prose", text });
const open = (text: string): Part => ({ kind: "prose", text, anyExit: true });
const fails: Part = { kind: "fails" };
const all = (...parts: Part[]): Expectation => ({ kind: "all", parts });

function expected(words: string): Expectation | undefined {
  const check = parseCheck(`\`${RUN}\` -> ${words}`);
  expect(check.command).toBe(RUN);
  return check.expect;
}

describe("the command of a check", () => {
  it.each([
    [`\`${RUN}\` -> prints 3`],
    [`\`${RUN}\` => prints 3`],
    [`\`${RUN}\` → prints 3`],
    [`\`${RUN}\`-> prints 3`],
    [`\`${RUN}\` －＞ prints 3`],
    [`**\`${RUN}\`** -> prints 3`],
    [`\`$ ${RUN}\` -> prints 3`],
    [`Three words: \`${RUN}\` -> prints 3`],
    [`\`wc.mjs\` counts: \`${RUN}\` -> prints 3`],
    [`Without options: \`${RUN}\` -> prints 3`],
    [`run \`${RUN}\`, see 3`],
    [`Run \`${RUN}\` and see 3.`],
    [`Running \`${RUN}\` prints 3`],
    [`Run: \`${RUN}\`; it should print 3`],
    [`运行 \`${RUN}\`，看到 3`],
    [`执行命令：\`${RUN}\`，应输出 3。`],
    [`统计：\`${RUN}\` → 输出 3`],
    [`execute \`${RUN}\`, veja 3`],
    [`Rode \`${RUN}\` e veja 3`],
    [`Conta: \`${RUN}\` → deve imprimir 3`],
    [`\`${RUN}\` -> prints 3 [cannot verify here: no disk]`],
  ])("is found in %s", (text) => {
    expect(parseCheck(text)).toEqual({ text, command: RUN, expect: prints("3") });
  });

  it.each([
    ["code in two backticks that holds some", "``echo `date` | cat`` -> prints 20", "echo `date` | cat"],
    [
      "arrows and pipes of its own",
      '`node -e "x => x -> 1" | sort` -> prints 3',
      'node -e "x => x -> 1" | sort',
    ],
    ["one word", "`make` -> exits 0", "make"],
    ["a path", "`./wc` -> prints 3", "./wc"],
    ["a script with its folder", "`scripts/test.sh` -> exits 0", "scripts/test.sh"],
    ["a program with a version", "`python3.12` -> prints 3", "python3.12"],
    ["blanks that count", "`printf 'a  b'` -> prints `a  b`", "printf 'a  b'"],
  ])("may be %s", (_, text, command) => {
    expect(parseCheck(text).command).toBe(command);
  });

  it.each([
    "`node wc.mjs a.txt` prints 3",
    "`wc.mjs` is there",
    "`wc.mjs` -> prints 3",
    "`foo()` -> prints 3",
    "`Counter.count(text)` -> prints 3",
    "`README.md` -> matches /install/",
    "`./docs/use.md` -> matches /install/",
    "`--json` -> prints JSON",
    "`config.key` is set",
    "`old` -> `new` is renamed",
    "`node wc.mjs <file>` -> prints 3",
    "`node wc.mjs …` -> prints 3",
    "node wc.mjs a.txt -> prints 3",
    "`node wc.mjs a.txt -> prints 3",
    "\\`node wc.mjs a.txt` -> prints 3",
    "`` -> prints 3",
    "Run the tests, see 3",
    "Do not run `rm -rf out` -> prints 3",
    "After `npm ci`, run `npm test`, see 3",
    "After the build: `node wc.mjs a.txt` -> prints 3",
    "In `packages/a`, run `npm test`, see 3",
    "In a fresh clone, run `npm test`, see 3",
    "构建后运行 `node wc.mjs a.txt`，看到 3",
    "Run `npm test` in `packages/a`, see 3",
    "Run `npm test` with FOO=1, see 3",
    "Run `make` and `./app`, see 3",
    "Run `make`, then run `./app`, see 3",
    "It builds; `make` -> exits 0; `./app` -> prints 3",
    "",
    "`",
    `\`${RUN}\` -> prints 3${" ".repeat(3000)}x`,
  ])("is not found in %s", (text) => {
    expect(parseCheck(text)).toEqual({ text });
  });

  it("stands alone where nothing is said of its result", () => {
    expect(parseCheck("Run `npm test`.")).toEqual({ text: "Run `npm test`.", command: "npm test" });
    expect(parseCheck("`npm test` ->")).toEqual({ text: "`npm test` ->", command: "npm test" });
  });
});

describe("what a check expects", () => {
  it.each<[string, Expectation]>([
    ["prints 3.", prints("3")],
    ["prints 3 (the words)", prints("3")],
    ["prints 5: blanks do not count", prints("5")],
    ["prints -1.5", prints("-1.5")],
    ["prints hello, world", prints("hello, world")],
    ["prints `a  b`", prints("a  b")],
    ["prints “three”.", prints("three")],
    ["prints 'it's'", prints("it's")],
    ['prints "a\\n\\"b\\""', prints('a\n"b"')],
    ["prints ``a ` b``", prints("a ` b")],
    ["**prints** `3`", prints("3")],
    ["it should print 3", prints("3")],
    ["stdout contains `3`", prints("3")],
    ["prints Error: no file", prints("Error: no file")],
    ["prints Usage", prints("Usage")],
    ["prints exactly 3", exactly("3")],
    ["prints only `3`", exactly("3")],
    ["output is `3`", exactly("3")],
    ["prints `3` and nothing else", exactly("3")],
    ["prints nothing", exactly("")],
    ["no output", exactly("")],
    ["does not print `Error`", not("Error")],
    ["doesn’t print error", not("error")],
    ["must not print `a`", not("a")],
    ["does not print anything", exactly("")],
    ["matches /^\\d+$/", matches("^\\d+$")],
    ["matches /a/b/im", matches("a/b", "im")],
    ["matches /a/g", matches("a")],
    ["matches `/^a, and exits 3$/`.", matches("^a, and exits 3$")],
    ["exits 2", exits(2)],
    ["exits with code `2`", exits(2)],
    ["exit code is 2", exits(2)],
    ["exits non-zero", fails],
    ["does not exit 0", fails],
    ["fails", fails],
    ["creates out/report.html.", creates("out/report.html")],
    ["creates the file `a b.txt`", creates("a b.txt")],
    ['"3"', prints("3")],
  ])("is read from English: %s", (words, expectation) => {
    expect(expected(words)).toEqual(expectation);
  });

  it.each<[string, Expectation]>([
    ["输出 3。", prints("3")],
    ["应打印“三”", prints("三")],
    ["输出 完成", prints("完成")],
    ["输出：完成", prints("完成")],
    ["输出中包含 `3`", prints("3")],
    ["只输出 3", exactly("3")],
    ["输出恰好为“3”", exactly("3")],
    ["不输出任何内容", exactly("")],
    ["没有输出", exactly("")],
    ["不应输出 `错误`", not("错误")],
    ["匹配 /^3$/", matches("^3$")],
    ["输出匹配正则 `/^3$/`", matches("^3$")],
    ["退出码为 2", exits(2)],
    ["以退出码 2 退出", exits(2)],
    ["退出码非零", fails],
    ["失败", fails],
    ["创建 out.txt", creates("out.txt")],
    ["生成文件「报告.html」", creates("报告.html")],
    ["输出 `a` 和 `b`，退出码为 1", all(prints("a"), prints("b"), exits(1))],
  ])("is read from Chinese: %s", (words, expectation) => {
    expect(expected(words)).toEqual(expectation);
  });

  it.each<[string, Expectation]>([
    ["imprime 3.", prints("3")],
    ["deve imprimir “olá”", prints("olá")],
    ["a saída contém `3`", prints("3")],
    ["imprime exatamente 3", exactly("3")],
    ["imprime apenas `3`", exactly("3")],
    ["imprime nada", exactly("")],
    ["não imprime `erro`", not("erro")],
    ["não imprime nada", exactly("")],
    ["corresponde a /^3$/", matches("^3$")],
    ["casa com o padrão /^3$/", matches("^3$")],
    ["sai com 2", exits(2)],
    ["sai com código 2", exits(2)],
    ["código de saída 2", exits(2)],
    ["código de saída diferente de zero", fails],
    ["falha", fails],
    ["cria o arquivo out.txt", creates("out.txt")],
    ["imprime `a` e sai com código 1", all(prints("a"), exits(1))],
  ])("is read from Portuguese: %s", (words, expectation) => {
    expect(expected(words)).toEqual(expectation);
  });

  it.each<[string, Expectation]>([
    ["exits 0 and prints nothing", all(exits(0), exactly(""))],
    ["prints 3, exits 1", all(prints("3"), exits(1))],
    ["prints `a`, `b` and `c`", all(prints("a"), prints("b"), prints("c"))],
    ["exits 0, creates `a.txt` and does not print x", all(exits(0), creates("a.txt"), not("x"))],
    ["prints a usage message and exits 2", all(prose("prints a usage message"), exits(2))],
    ["prints `3` within 2 seconds", all(prints("3"), prose("within 2 seconds"))],
    ["prints 3 on stderr and exits 1", all(prose("prints 3 on stderr"), exits(1))],
    ["exits 2 when no file is given", all(exits(2), prose("when no file is given"))],
    ["creates `out.txt`, which holds 3", all(creates("out.txt"), prose("which holds 3"))],
    ["fails with a message", all(fails, prose("with a message"))],
  ])("is taken apart and never shortened: %s", (words, expectation) => {
    expect(expected(words)).toEqual(expectation);
  });

  it.each<[string, Expectation]>([
    ["shows the list of words", prose("shows the list of words")],
    ["all tests pass", prose("all tests pass")],
    ["prints the number of words", prose("prints the number of words")],
    ["prints usage", prose("prints usage")],
    ["prints 3 lines", prose("prints 3 lines")],
    ["prints 3 and the file", prose("prints 3 and the file")],
    ["prints `a\\nb`", prose("prints `a\\nb`")],
    ["prints exactly Done.", prose("prints exactly Done.")],
    ["prints ``", prose("prints ``")],
    ["matches /(/", prose("matches /(/")],
    ["matches `expected.txt`", prose("matches `expected.txt`")],
    ["creates a report", prose("creates a report")],
    ["creates `dist/*.js`", prose("creates `dist/*.js`")],
    ["输出用法说明", prose("输出用法说明")],
    ["输出3行", prose("输出3行")],
    ["3", prose("3")],
    ["`build/app`", prose("`build/app`")],
    ["runs without errors", prose("runs without errors")],
    ["does not print `a` twice", prose("does not print `a` twice")],
    ["prints `a` ignoring case", prose("prints `a` ignoring case")],
  ])("is left to the judge where it cannot be compared: %s", (words, expectation) => {
    expect(expected(words)).toEqual(expectation);
  });

  it.each<[string, Expectation]>([
    ["prints `3` or `4`", open("prints `3` or `4`")],
    ["prints 3 (or 4)", open("prints 3 (or 4)")],
    ["exits 0 or 1", open("exits 0 or 1")],
    ["exits 0 unless there is no file", open("exits 0 unless there is no file")],
    ["exits 300", open("exits 300")],
    ["says that it is an error", open("says that it is an error")],
    ["拒绝该文件", open("拒绝该文件")],
    ["mostra um erro", open("mostra um erro")],
  ])("leaves the exit code to the judge as well: %s", (words, expectation) => {
    expect(expected(words)).toEqual(expectation);
  });

  it("tells what is left to the judge", () => {
    expect(isLeftToJudge(parseCheck("It is fast."))).toBe(true);
    expect(isLeftToJudge(parseCheck("`a b` -> prints 3"))).toBe(false);
    expect(isLeftToJudge(parseCheck("`a b` -> prints 3 in colour"))).toBe(false);
    expect(isLeftToJudge(parseCheck("`a b` -> prints `3` in colour"))).toBe(true);
    expect(partsOf(undefined)).toEqual([]);
    expect(partsOf(prints("3"))).toEqual([prints("3")]);
  });
});

const PIECES = [
  ..."` `` ``` -> => → ** * ' \" “ ” 「 」 / \\ ( ) ， 。 . , ; :".split(" "),
  ..." |and |or |e |run |Run |运行|执行 |rode |see |veja |看到|prints |prints exactly |does not print |matches /".split(
    "|",
  ),
  ..."exits |creates |输出|退出码为 |imprime |sai com |3|0|a.txt|node x.mjs|./app|[cannot verify here: x]|**".split(
    "|",
  ),
];
const hostile = fc
  .array(fc.oneof({ weight: 6, arbitrary: fc.constantFrom(...PIECES) }, fc.string({ unit: "binary" })), {
    maxLength: 30,
  })
  .map((pieces) => pieces.join(""));

describe("any item", () => {
  it("is read without a throw, keeps its text and has an expectation only beside a command", () => {
    fc.assert(
      fc.property(hostile, (text) => {
        const check = parseCheck(text);
        expect(check.text).toBe(text);
        if (check.command === undefined) expect(check).toEqual({ text });
        else expect(text).toContain(check.command);
        for (const part of partsOf(check.expect)) {
          if (part.kind === "matches") new RegExp(part.pattern, part.flags);
          if (part.kind === "exits") expect(part.code).toBeLessThan(256);
        }
      }),
      { numRuns: 3000 },
    );
  });

  it("is read in little time, however it is built", () => {
    const start = performance.now();
    for (const one of PIECES) {
      for (const other of PIECES) parseCheck(`\`a b\` -> prints ${(one + other).repeat(700)}`.slice(0, 700));
    }
    for (const piece of PIECES) parseCheck(piece.repeat(1_000_000));
    expect(performance.now() - start).toBeLessThan(20_000);
  });

  it("compares the very text in backticks", () => {
    const literal = fc
      .string({ minLength: 1, maxLength: 60 })
      .map((text) => text.replace(/[`\\]/g, ""))
      .filter((text) => text.trim() === text && text !== "");
    fc.assert(
      fc.property(literal, (text) => {
        expect(parseCheck(`\`a b\` -> prints \`${text}\``).expect).toEqual(prints(text));
        expect(parseCheck(`\`a b\` -> 只输出\`${text}\`，退出码为 1`).expect).toEqual(
          all(exactly(text), exits(1)),
        );
      }),
      { numRuns: 500 },
    );
  });
});

describe("a goal on disk", () => {
  const folder = mkdtempSync(join(tmpdir(), "flower-checks-"));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it("has the same checks, and they are read alike", () => {
    fc.assert(
      fc.property(fc.array(hostile, { maxLength: 4 }), (items) => {
        const goal = Goal.parse(`## Goal\nS\n\n## Checklist\n${items.map((item) => `- ${item}`).join("\n")}`);
        const path = join(folder, "goal.md");
        goal.write(path);
        const loaded = Goal.load(path);
        expect(loaded?.checks).toEqual(goal.checks);
        expect(loaded?.checks.map(parseCheck)).toEqual(goal.checks.map(parseCheck));
      }),
      { numRuns: 150 },
    );
  });

  it("keeps the blanks in inline code, and only there", () => {
    const { checks } = Goal.parse(
      "## Goal\nS\n## Checklist\n- `printf 'a  b'`   ->\n  prints `a  b`\n- `a\n  b`  c",
    );
    expect(checks).toEqual(["`printf 'a  b'` -> prints `a  b`", "`a b` c"]);
  });
});
