import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { stripEscapes } from "../../src/core/text.ts";
import { Brief } from "../../src/documents/brief.ts";
import { Goal } from "../../src/documents/goal.ts";
import { Handoff } from "../../src/documents/handoff.ts";
import { oneItem } from "../../src/documents/items.ts";
import { safeText } from "../../src/documents/lines.ts";
import { isBlank } from "../../src/documents/placeholders.ts";
import { Verdict } from "../../src/documents/verdict.ts";
import { HEADINGS } from "./headings.ts";

const PARSERS = [Brief.parse, Goal.parse, Verdict.parse, Handoff.parse] as const;

const PIECES = [
  ...Object.values(HEADINGS).flatMap((words) => Object.values(words)),
  ...[
    "#",
    "##",
    "###",
    "**",
    "__",
    "```",
    "````",
    "~~~",
    "```md",
    ":",
    "：",
    "- ",
    "* ",
    "1. ",
    "3、",
    "[ ]",
    "  ",
    "    ",
  ],
  ...[
    "\n",
    "\n",
    "\n",
    "\n\n",
    "\r\n",
    "---",
    "===",
    "(not filled)",
    "(none)",
    "> ",
    "\\",
    "\\#",
    "【",
    "】",
    "[cannot verify here: x]",
  ],
  ...[
    "achieved",
    "not yet",
    "unreachable",
    "### Added by the person (x)",
    "\u001b[31m",
    "\u001b]0;",
    "\ud800",
    "\u2028",
    "word",
    "是",
  ],
];
/** Text made of everything that means something here. */
const hostile = fc
  .array(
    fc.oneof(
      { weight: 4, arbitrary: fc.constantFrom(...PIECES) },
      { weight: 1, arbitrary: fc.string({ unit: "binary" }) },
    ),
    {
      maxLength: 40,
    },
  )
  .map((pieces) => pieces.join(""));

/** A field as a document keeps it: safe, trimmed and not a placeholder. Look-alikes of headings and fences are welcome. */
const field = hostile.map((text) => safeText(text).trim()).filter((text) => !isBlank(text));
const optional = fc.oneof(fc.constant(""), field);
const item = hostile
  .map((text) => oneItem(safeText(text)))
  .filter((text) => !isBlank(text) && !/^\[[ xX]?\](\s|$)/.test(text) && !/^([-*_=])\1{2,}$/.test(text));

describe("any text", () => {
  it("is parsed without a throw, into fields without escapes, to the same result twice", () => {
    fc.assert(
      fc.property(hostile, (text) => {
        for (const parse of PARSERS) {
          const document = parse(text);
          expect(stripEscapes(document.promptBlock())).toBe(document.promptBlock());
          expect(parse(document.toMarkdown())).toEqual(document);
        }
      }),
      { numRuns: 600 },
    );
  });

  it("is parsed alike with any line ends", () => {
    fc.assert(
      fc.property(
        hostile.map((text) => text.replace(/\r/g, "")),
        (text) => {
          for (const parse of PARSERS)
            expect(parse(`\ufeff${text.replaceAll("\n", "\r\n")}`)).toEqual(parse(text));
        },
      ),
      { numRuns: 300 },
    );
  });
});

describe("what is written", () => {
  it("reads back as the same brief", () => {
    fc.assert(
      fc.property(
        fc.tuple(optional, optional, optional, optional, optional),
        ([goal, accept, bounds, unknowns, amendments]) => {
          const brief = new Brief({ goal, accept, bounds, unknowns, amendments });
          expect(Brief.parse(brief.toMarkdown())).toEqual(brief);
        },
      ),
      { numRuns: 300 },
    );
  });

  it("reads back as the same goal", () => {
    fc.assert(
      fc.property(optional, fc.array(item, { maxLength: 6 }), (statement, checks) => {
        const goal = new Goal({ statement, checks });
        expect(Goal.parse(goal.toMarkdown())).toEqual(goal);
      }),
      { numRuns: 300 },
    );
  });

  it("reads back as the same handoff", () => {
    fc.assert(
      fc.property(
        fc.tuple(optional, optional, optional, optional, optional),
        ([doing, decided, deadends, next, scene]) => {
          const handoff = new Handoff({ doing, decided, deadends, next, scene });
          expect(Handoff.parse(handoff.toMarkdown())).toEqual(handoff);
        },
      ),
      { numRuns: 300 },
    );
  });

  it("reads back as the same verdict", () => {
    const state = fc.constantFrom(
      "achieved" as const,
      "not_yet" as const,
      "unreachable" as const,
      "" as const,
    );
    const failed = fc.array(
      item.map((text) => `item ${text}`),
      { maxLength: 4 },
    );
    fc.assert(
      fc.property(state, optional, failed, (ruled, reason, list) => {
        const verdict = new Verdict({ state: ruled, reason, failed: list });
        expect(Verdict.parse(verdict.toMarkdown())).toEqual(verdict);
      }),
      { numRuns: 300 },
    );
  });
});

const SIZE = 5_000_000;
/** Lines cost more than characters, and half a megabyte of them shows a square as well. */
const LINES = 500_000;
const PIECE = "# ` ~ ** _ [ ( 1 1. \\ \u001b[ \u0090 Goal '".split(" ");
const FLOODS: readonly (readonly [string, string])[] = [
  ...[...PIECE, "- ", "not ", "no ", "\n", " ", "\t"].map(
    (piece) => [piece, piece.repeat(SIZE / piece.length)] as const,
  ),
  ["# lines", "#\n".repeat(60_000)],
  ["fence lines", "```\n".repeat(LINES / 4)],
  ["open fences", "```a\n".repeat(LINES / 5)],
  ["headings", "## Next\n".repeat(LINES / 8)],
  ["labels", "Goal: x\n".repeat(LINES / 8)],
  ["short lines", "a\n".repeat(LINES / 2)],
  ["checks", "## Checklist\n- a\n".repeat(LINES / 17)],
  ["one list", `## Checklist\n${"- a\n".repeat(LINES / 4)}`],
  ["one long item", `## Checklist\n- a [cannot verify here: x]\n${"  b]\n".repeat(LINES / 5)}`],
  ["a long conclusion", `## Conclusion\n${"achieved, ".repeat(SIZE / 10)}`],
  ["one-byte introducers", `${"\u0090a".repeat(SIZE / 2)}\u001b`],
  ["escapes", "\u001b]0;x\u001b[".repeat(LINES / 7)],
  ["a wrapper", `\`\`\`\n${"## Doing\nx\n".repeat(LINES / 11)}\`\`\``],
];

describe("a flood", () => {
  it.each(FLOODS)(
    "of %j is read in linear time",
    (_, text) => {
      const start = performance.now();
      for (const parse of PARSERS) parse(text);
      // Generous, for a machine under load; what is quadratic takes minutes.
      expect(performance.now() - start).toBeLessThan(10_000);
    },
    60_000,
  );
});
