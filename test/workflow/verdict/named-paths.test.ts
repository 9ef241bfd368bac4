import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { namedPaths } from "../../../src/workflow/verdict/named-paths.ts";

const CHECKS = ["README.md says how to run it", "the licence is MIT", "`node wc.mjs a.txt` -> prints 3"];

function named(reason: string, checks: readonly string[] = CHECKS): Record<number, readonly string[]> {
  return Object.fromEntries([...namedPaths(reason, checks)].filter(([, paths]) => paths.length > 0));
}

describe("the paths a reason names", () => {
  it.each<[string, Record<number, readonly string[]>]>([
    ["1: README.md, second section", { 1: ["README.md"] }],
    ["1: seen in `README.md`", { 1: ["README.md"] }],
    ["- **2**: `LICENSE`", { 2: ["LICENSE"] }],
    ["2. the file LICENSE.txt", { 2: ["LICENSE.txt"] }],
    ["Item 2 - see docs/LICENSE.txt.", { 2: ["docs/LICENSE.txt"] }],
    ["第2项：见 docs/LICENSE.txt。", { 2: ["docs/LICENSE.txt"] }],
    ["2：在docs/LICENSE.txt里写着", { 2: ["docs/LICENSE.txt"] }],
    ["| 2 | MIT | `LICENSE` |", { 2: ["LICENSE"] }],
    ["1: README.md:12", { 1: ["README.md:12", "README.md"] }],
    ["1: `README.md:12-14`", { 1: ["README.md:12-14", "README.md"] }],
    ["1: src/a.ts:3:7", { 1: ["src/a.ts:3:7", "src/a.ts"] }],
    ["1: [the file](docs/a.md#L4)", { 1: ["docs/a.md#L4", "docs/a.md"] }],
    ['1: "my notes.md"', { 1: ["my notes.md", "notes.md"] }],
    ["1: (/tmp/ws/README.md)", { 1: ["/tmp/ws/README.md"] }],
    ["1-2: all in README.md", { 1: ["README.md"], 2: ["README.md"] }],
    ["1, 2 and 3: README.md", { 1: ["README.md"], 2: ["README.md"], 3: ["README.md"] }],
    ["1: seen\n   in README.md\n2: LICENSE.md", { 1: ["README.md"], 2: ["LICENSE.md"] }],
    // The words of an item stand for its number.
    ["The licence is MIT: LICENSE.md", { 2: ["LICENSE.md"] }],
    // No item, no proof.
    ["Everything is in README.md", {}],
    ["3 words are printed, see out.txt", {}],
    ["7: README.md", {}],
    ["0: README.md", {}],
    // A word is no path only because a folder may be called so.
    ["1: the test is good and works", {}],
    ["1: done. It works. And so on...", {}],
    ["1: 3.5 seconds, e.g. once", { 1: ["3.5"] }],
    ["", {}],
  ])("%j: %j", (reason, paths) => {
    const found = named(reason);
    for (const [number, wanted] of Object.entries(paths)) {
      expect(found[Number(number)]).toEqual(expect.arrayContaining([...wanted]));
    }
    expect(Object.keys(found)).toEqual(Object.keys(paths));
  });

  it.each([
    "1: begins with `# Title`",
    '1: listens on ":8080"',
    '1: ends with "."',
    "1: #!/bin/sh",
    "1: `./#L3`",
  ])("are never the folder itself: %s", (reason) => {
    for (const path of named(reason)[1] ?? []) expect(path).toMatch(/[^./\\]/);
  });

  it("belong to the only item of a goal, wherever they stand", () => {
    expect(named("It is all in README.md.", ["README says how"])).toEqual({ 1: ["README.md"] });
  });

  it("are found in any text, in time", () => {
    fc.assert(fc.property(fc.string({ unit: "binary" }), (reason) => void namedPaths(reason, CHECKS)));
    for (const part of ["1, ", "`", "1: a.b ", "](", "\n", "1-", "("]) {
      const started = performance.now();
      namedPaths(part.repeat(500_000), CHECKS);
      expect(performance.now() - started).toBeLessThan(2_000);
    }
  });
});
