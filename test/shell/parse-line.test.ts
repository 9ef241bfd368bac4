// biome-ignore-all lint/suspicious/noTemplateCurlyInString: shell text
import fc from "fast-check";
import { parse } from "unbash";
import { describe, expect, it } from "vitest";
import { parseLine } from "../../src/shell/parse-line.ts";
import { scanLine } from "../../src/shell/scan-line.ts";
import type { ShellCommand } from "../../src/shell/shell-word.ts";

function words(line: string): unknown {
  return parseLine(line)?.map((command) => command.words.map(({ kind, text }) => [kind, text]));
}

describe("the words of a line", () => {
  it.each([
    [
      "ls -la",
      [
        ["literal", "ls"],
        ["literal", "-la"],
      ],
    ],
    [
      `l"s" 'a b' c\\ d "e\\"\\x"`,
      [
        ["literal", "ls"],
        ["literal", "a b"],
        ["literal", "c d"],
        ["literal", 'e"\\x'],
      ],
    ],
    [
      "echo $'a\\tb\\n'",
      [
        ["literal", "echo"],
        ["literal", "a\tb\n"],
      ],
    ],
    [
      "echo a\\\nb",
      [
        ["literal", "echo"],
        ["literal", "ab"],
      ],
    ],
    [
      'echo "a$" "$x" "b${x}c" $x a$x',
      [
        ["literal", "echo"],
        ["literal", "a$"],
        ["one", ""],
        ["one", "b"],
        ["any", ""],
        ["any", "a"],
      ],
    ],
    [
      'ls *.ts src/*.ts "$d"/*',
      [
        ["literal", "ls"],
        ["several", ""],
        ["several", "src/"],
        ["several", ""],
      ],
    ],
    [
      "ls a{b,c} HEAD@{0} {{.Names}} {}",
      [
        ["literal", "ls"],
        ["several", "a"],
        ["literal", "HEAD@{0}"],
        ["literal", "{{.Names}}"],
        ["literal", "{}"],
      ],
    ],
    [
      "ls ~ ~/x ~user a~",
      [
        ["literal", "ls"],
        ["one", "~"],
        ["one", "~/x"],
        ["one", "~user"],
        ["literal", "a~"],
      ],
    ],
    [
      'echo "$@" "$*"',
      [
        ["literal", "echo"],
        ["any", ""],
        ["one", ""],
      ],
    ],
    [
      "[ -f x ]",
      [
        ["literal", "["],
        ["literal", "-f"],
        ["literal", "x"],
        ["literal", "]"],
      ],
    ],
  ] as const)("of %j are told with how much of them is known", (line, expected) => {
    expect(words(line)).toEqual([expected]);
  });

  it("are split at every separator of commands, and comments are none", () => {
    expect(words("a;b&&c||d|e|&f\ng # h; i")).toEqual([..."abcdefg"].map((verb) => [["literal", verb]]));
  });
});

describe("two readings of one line", () => {
  // The scanner takes these for words; only the full parser knows better.
  it.each([
    "ls {fd}>/dev/null",
    "ls 10>/dev/null",
    "ls 10</dev/null",
    "X=1",
    "ls; X=1 pwd",
    "if",
    "! ls",
    "time ls",
    "{ ls",
    "ls && ",
    "ls | | cat",
    "then ls",
    "coproc ls",
    "[[ -f x ]]",
  ])("refuse %j, which they read differently", (line) => {
    expect(scanLine(line)).not.toBeNull();
    expect(parseLine(line)).toBeNull();
  });
});

describe("a word whose text alone tells what it means", () => {
  const plain = fc.stringMatching(/^[\w./:=@%+,-]{0,12}$/);
  const single = fc.stringMatching(/^[ -&(-~]{0,12}$/).map((text) => `'${text}'`);
  const double = fc.stringMatching(/^[ !#%-[\]^_a-~]{0,12}$/).map((text) => `"${text}"`);

  it("is read as the full parser reads it", () => {
    fc.assert(
      fc.property(plain, fc.oneof(plain, single, double), (first, last) => {
        fc.pre(first + last !== "");
        const line = `ls ${first}${last}`;
        const command = parse(line).commands[0]?.command;
        const item = command?.type === "Command" ? command.suffix[0] : undefined;
        expect(parseLine(line)?.[0]?.words[1]?.text).toBe(item?.type === "Word" ? item.value : "no word");
      }),
      { numRuns: 1000 },
    );
  });
});

describe("a caller who accepts only some commands", () => {
  it("is asked about each as it is read, and nothing behind a refused one is read", () => {
    const asked: string[] = [];
    const accepts = ({ words: [verb] }: ShellCommand): boolean => {
      asked.push(verb?.text ?? "");
      return verb?.text !== "c";
    };
    expect(parseLine("a x; b && c; d; echo $(id)", accepts)).toBeNull();
    expect(asked).toEqual(["a", "b", "c"]);
    expect(parseLine("a x; b", accepts)).toHaveLength(2);
  });
});

describe("the scanner alone", () => {
  it.each([
    'echo "$\\\n(id)"',
    "echo $\\\n(id)",
    'echo "`id`"',
    "echo $(id)",
    "ls &",
    "ls & pwd",
    "cat <<E",
    "cat <(id)",
    "ls > x",
    "(ls)",
    "ls 'a",
    "echo {1..99}",
    "ls \\",
  ])("refuses %j before the parser sees it", (line) => {
    expect(scanLine(line)).toBeNull();
  });
});
