import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { stripEscapes } from "../../src/core/text.ts";
import { parseCheck } from "../../src/documents/parse-check.ts";
import type { Evidence, EvidenceItem } from "../../src/evidence/evidence.ts";
import { evidenceTable } from "../../src/evidence/evidence-table.ts";
import { expectationText } from "../../src/evidence/expectation-text.ts";

function item(number: number, text: string, more: Partial<EvidenceItem> = {}): EvidenceItem {
  return {
    number,
    check: parseCheck(text),
    outcome: "held",
    why: "",
    exitCode: 0,
    durationS: 0.25,
    tail: "3",
    path: `/e/round-1/item-${number}.txt`,
    ...more,
  };
}

function evidence(items: readonly EvidenceItem[], more: Partial<Evidence> = {}): Evidence {
  const tree = { kind: "seen", hash: "a" } as const;
  return {
    round: 1,
    folder: "/e/round-1",
    where: "/w",
    items,
    before: tree,
    after: tree,
    changed: [],
    ...more,
  };
}

describe("the table of evidence", () => {
  it("names item, command, exit code, outcome, what was expected, last lines and path", () => {
    const table = evidenceTable(
      evidence([
        item(1, "`node wc.mjs a.txt` -> prints 3"),
        item(2, "`npm test` -> exits 0", {
          outcome: "failed",
          exitCode: 1,
          why: "exit code 1",
          tail: "a\nbad",
        }),
        item(3, "README says how", {
          outcome: "prose",
          exitCode: undefined,
          path: undefined,
          tail: "",
          durationS: 0,
        }),
        item(4, "`sleep 9` -> exits 0", { outcome: "timed_out", exitCode: undefined, signal: "SIGKILL" }),
        item(5, "`node list.mjs` -> prints 3 rows", { outcome: "ran", tail: "a" }),
      ]),
    );
    expect(table.split("\n").slice(1)).toEqual([
      "1. held, exit 0, 0.3 s: node wc.mjs a.txt",
      '   expected: prints "3"',
      "   output: /e/round-1/item-1.txt",
      "   | 3",
      "2. FAILED, exit 1, 0.3 s: npm test",
      "   expected: exits 0",
      "   why: exit code 1",
      "   output: /e/round-1/item-2.txt",
      "   | a",
      "   | bad",
      "3. no command, look for yourself: README says how",
      "4. FAILED, timed out, ended by SIGKILL, 0.3 s: sleep 9",
      "   expected: exits 0",
      "   output: /e/round-1/item-4.txt",
      "   | 3",
      "5. ran, its words not compared, exit 0, 0.3 s: node list.mjs",
      "   expected: prints 3 rows",
      "   output: /e/round-1/item-5.txt",
      "   | a",
    ]);
  });

  it("says what the commands did to the tree", () => {
    const after = { kind: "seen", hash: "b" } as const;
    const changed = Array.from({ length: 12 }, (_, at) => `f${at}`);
    expect(evidenceTable(evidence([], { after, changed }))).toMatch(/changed: f0, .*f9 and 2 more$/);
    expect(evidenceTable(evidence([], { after }))).toContain("other files behind");
    expect(evidenceTable(evidence([], { after: { kind: "blind", why: "x" } }))).not.toContain("behind than");
    expect(evidenceTable(evidence([]))).not.toContain("behind than");
  });

  it("shortens the last lines before anything else, from their beginning", () => {
    const tail = Array.from({ length: 300 }, (_, at) => `line ${at}`).join("\n");
    const items = Array.from({ length: 10 }, (_, at) =>
      item(at + 1, `\`node ${at}.mjs\` -> prints 3`, { tail }),
    );
    const table = evidenceTable(evidence(items));
    expect(Buffer.byteLength(table)).toBeLessThanOrEqual(12 * 1024);
    for (const { number } of items) expect(table).toContain(`${number}. held, exit 0`);
    expect(table.match(/line 299/g)).toHaveLength(10);
    expect(table).not.toContain("line 0\n");
  });

  it("stays within its bound and safe for a screen, whatever it is made of", () => {
    const text = fc.string({ unit: "binary", maxLength: 400 });
    const row = fc.record({ words: text, tail: text, why: text, path: fc.constant("/e/x") });
    fc.assert(
      fc.property(fc.array(row, { maxLength: 60 }), fc.integer({ min: 200, max: 4000 }), (rows, max) => {
        const items = rows.map(({ words, ...more }, at) => item(at + 1, `\`a ${words}\` -> ${words}`, more));
        const table = evidenceTable(evidence(items, { changed: rows.map(({ words }) => words) }), max);
        expect(Buffer.byteLength(table)).toBeLessThanOrEqual(max);
        expect(stripEscapes(table)).toBe(table);
      }),
      { numRuns: 150 },
    );
  });
});

describe("an expectation in words", () => {
  it.each([
    ["prints 3", 'prints "3"'],
    ["prints exactly `a`", 'prints exactly "a"'],
    ["prints nothing", "prints nothing"],
    ["does not print `a`", 'does not print "a"'],
    ["matches /a b/i", "matches /a b/i"],
    ["exits 2", "exits 2"],
    ["fails", "exits non-zero"],
    ["creates `a.txt`", "creates a.txt"],
    ["it is fast", "it is fast"],
    ["exits 2 and prints `a`", 'exits 2, prints "a"'],
    ["", "exits 0"],
  ])("is that of the goal: %s", (words, said) => {
    expect(expectationText(parseCheck(`\`a b\` -> ${words}`).expect)).toBe(said);
  });
});
