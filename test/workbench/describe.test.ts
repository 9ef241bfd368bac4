import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { describeFile } from "../../src/workbench/describe.ts";

describe("what a file says about itself", () => {
  it.each([
    ["a.sh", "#!/bin/sh\n# desc: build it all\nset -e", "build it all"],
    ["a.ts", "// DESC:  count lines ", "count lines"],
    ["a.sql", "-- desc: monthly totals", "monthly totals"],
    ["a.py", "import os\n\n\n\n\n\n\n# desc: in line eight", "in line eight"],
    ["a.py", "import os\n\n\n\n\n\n\n\n# desc: in line nine", ""],
    ["a.py", "# first comment\n# desc: the real one", "the real one"],
    ["a.py", "# desc:\n# said below", "desc:"],
    ["a.sh", "#!/usr/bin/env bash\n\n# Runs the tests", "Runs the tests"],
    ["a.py", "# -*- coding: utf-8 -*-\n# vim: ts=4\n# Parses logs", "Parses logs"],
    ["a.py", '"""Does one thing.\n\nAnd more.\n"""', "Does one thing."],
    ["a.py", "'''\n\n  On the next line\n'''", "On the next line"],
    ["a.js", "/** Adds numbers. */\nexport {}", "Adds numbers."],
    ["a.js", "/*\n * Starts here\n */", "Starts here"],
    ["a.html", "<!-- A page -->", "A page"],
    ["a.md", "# Decision: use tabs\n\nBecause.", "Decision: use tabs"],
    ["a.md", "---\n\nPlain first line\nsecond", "Plain first line"],
    ["a.txt", "\ufeffhello\r\nworld", "hello"],
    ["a.json", '{"a": 1}', ""],
    ["a.bin", "# desc: x\0y", ""],
    ["a.sh", "# ------\n# ======\necho", ""],
    ["a.sh", "", ""],
    ["a.sh", "# desc: \u001b[31mred\u001b[0m\u202e text", "red text"],
    ["a.sh", `# desc: ${"x".repeat(300)}`, `${"x".repeat(100)}…`],
  ])("in %s, %j, is %j", (name, head, expected) => {
    expect(describeFile(name, head)).toBe(expected);
  });

  it("is one line of at most 100 characters for any text", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (head) => {
        const text = describeFile("a.md", head);
        expect([...text].length).toBeLessThanOrEqual(101);
        for (const char of ["\n", "\r", "\u001b"]) expect(text).not.toContain(char);
      }),
    );
  });
});
