// biome-ignore-all lint/suspicious/noTemplateCurlyInString: shell text
import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isEphemeral } from "../../src/shell/is-ephemeral.ts";

interface Case {
  readonly id: string;
  readonly input: string;
  readonly expected: boolean;
  readonly why: string;
}
interface Line {
  readonly command: string;
  readonly readOnly: boolean;
  readonly why: string;
}

function fixture<T>(name: string): readonly T[] {
  return JSON.parse(readFileSync(new URL(`../fixtures/shell/${name}`, import.meta.url), "utf8")) as T[];
}

const CASES = fixture<Case>("bash-readonly.json");
const LINES = fixture<Line>("commands.json");

describe("a command line from a failure report", () => {
  it.each(CASES)("$id: $why", ({ input, expected }) => {
    expect(isEphemeral(input)).toBe(expected);
  });
});

describe("a glance as models write them passes", () => {
  it.each(LINES.filter((line) => line.readOnly))("$why: $command", ({ command }) => {
    expect(isEphemeral(command)).toBe(true);
  });
});

describe("a line that could do more than look is refused", () => {
  it.each(LINES.filter((line) => !line.readOnly))("$why: $command", ({ command }) => {
    expect(isEphemeral(command)).toBe(false);
  });
});

const GLANCES = LINES.filter((line) => line.readOnly).map((line) => line.command);
// Whole commands of plain words, so that nothing around them can change what they are.
const DEEDS = LINES.filter((line) => !line.readOnly && /^[a-z][\w ./:-]*$/.test(line.command)).map(
  (line) => line.command,
);
const SHELL_PIECES = [
  ..." '\"\\$`(){}<>|&;\n#*?[]!=~,.-",
  "ls",
  "echo",
  "git log",
  "2>&1",
  ">/dev/null",
  "$(x)",
  "${x}",
  "$'",
  "<<E",
  "\\\n",
];
const soup = fc.array(fc.constantFrom(...SHELL_PIECES), { maxLength: 30 }).map((pieces) => pieces.join(""));

describe("whatever stands in the line", () => {
  it("answers true or false for any string and never throws", () => {
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: "binary" }), soup), (text) => {
        expect(typeof isEphemeral(text)).toBe("boolean");
      }),
      { numRuns: 2000 },
    );
  });

  it.each([undefined, null, 7, {}, ["ls"], Symbol("ls"), new String("ls")])(
    "is false for %s, which is no text",
    (value) => {
      expect(isEphemeral(value as unknown as string)).toBe(false);
    },
  );

  it.each([
    "; rm x",
    "\nrm x",
    " && rm x",
    " || rm x",
    " | sh",
    "$(x)",
    " `x`",
    " > f",
    " >> f",
    " 2> f",
    " & ",
    " & rm x",
    " <(x)",
    " ${x:=y}",
    " $((x))",
  ])("refuses every glance with %j behind it", (suffix) => {
    for (const glance of GLANCES) expect(isEphemeral(`${glance}${suffix}`), glance).toBe(false);
  });

  it.each(["X=1 ", "rm x; ", "! ", "time ", "sudo ", "(", "{ ", "if ", "exec ", "env ", "$X ", "./"])(
    "refuses every glance with %j before it",
    (prefix) => {
      for (const glance of GLANCES) expect(isEphemeral(`${prefix}${glance}`), glance).toBe(false);
    },
  );

  it("lets glances be joined in any way", () => {
    const separators = fc.constantFrom(
      " && ",
      " || ",
      "; ",
      "\n",
      " | ",
      " |& ",
      " 2>/dev/null; ",
      " 2>&1 | ",
    );
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.constantFrom(...GLANCES), separators), { minLength: 1, maxLength: 5 }),
        (parts) => {
          const line = parts
            .map(([glance, separator]) => `${glance.replace(/[\s;]+$/, "")}${separator}`)
            .join("");
          expect(isEphemeral(`${line}pwd`)).toBe(true);
        },
      ),
    );
  });

  it("refuses a line of glances with one deed among them, wherever it stands", () => {
    const separator = fc.constantFrom(" && ", " || ", "; ", "\n", " | ");
    fc.assert(
      fc.property(
        fc.constantFrom(...GLANCES),
        separator,
        fc.constantFrom(...DEEDS),
        separator,
        (glance, a, deed, b) => {
          const clean = glance.replace(/[\s;]+$/, "");
          expect(isEphemeral(`${clean}${a}${deed}${b}pwd`)).toBe(false);
        },
      ),
      { numRuns: 500 },
    );
  });
});

describe("hostile length", () => {
  const repeated = [
    "'",
    '"',
    "(",
    ")",
    "`",
    "\\",
    "$(",
    "${",
    "{",
    "[",
    "<",
    ">",
    "|",
    ";",
    "\n",
    "ls;",
    "a ",
    '"$x"',
    "{a,",
    "{{..",
    "''",
    "\\\n",
  ];

  it.each(repeated)("decides quickly about very many of %j", (piece) => {
    const start = performance.now();
    for (const size of [19_000, 100_000, 1_000_000]) isEphemeral(`ls ${piece.repeat(size / piece.length)}`);
    expect(performance.now() - start).toBeLessThan(2000);
  });

  it.each([
    "sed 's/[[:' x",
    "sed '{p;' x",
    "awk 'for(i=0;i<1;i++)' x",
    "awk '(a)/' x",
    "jq '..' x",
    "find . -name a",
    "git log --stat",
  ])("decides quickly about very many pieces inside %j", (line) => {
    const start = performance.now();
    const at = line.lastIndexOf(" ");
    isEphemeral(`${line.slice(0, at - 1).repeat(600)}${line}`.slice(0, 19_000));
    const piece = line.slice(line.indexOf(" ") + 1, at).replaceAll("'", "");
    isEphemeral(`${line.slice(0, line.indexOf(" "))} '${piece.repeat(19_000 / piece.length)}' x`);
    expect(performance.now() - start).toBeLessThan(2000);
  });

  it("takes a line of two thousand characters and refuses one longer than any glance", () => {
    expect(isEphemeral(`cat ${"a ".repeat(1000)}`)).toBe(true);
    expect(isEphemeral(`cat ${"a ".repeat(10_001)}`)).toBe(false);
  });
});
