import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { provenItems } from "../../../src/workflow/verdict/proven-items.ts";

const root = mkdtempSync(join(tmpdir(), "flower-proof-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));
const workspace = join(root, "ws");
const bench = join(root, "bench");
mkdirSync(join(workspace, "src"), { recursive: true });
mkdirSync(join(bench, "artifacts"), { recursive: true });
for (const path of ["ws/src/a.ts", "ws/two words.md", "bench/artifacts/out.txt", "secret.txt"]) {
  writeFileSync(join(root, path), "x");
}
const CHECKS = ["it is written", "it is documented"];

function proven(reason: string): number[] {
  return [...provenItems({ reason, checks: CHECKS, folders: [workspace, bench] })];
}

describe("an item is proven", () => {
  it.each([
    "1: src/a.ts",
    "1: `src/a.ts:3` does it",
    "1: ./src/a.ts",
    "1: `src`",
    '1: "two words.md"',
    "1: artifacts/out.txt",
    `1: ${join(bench, "artifacts", "out.txt")}`,
    "1: nothing.ts no, but src/a.ts",
  ])("by a path that is there: %s", (reason) => {
    expect(proven(reason)).toEqual([1]);
  });

  it.each([
    ["a path that is not there", "1: src/b.ts"],
    ["a path outside the work", `1: ${join(root, "secret.txt")} and ../secret.txt and /etc/passwd`],
    ["a path for another item", "2: src/b.ts\nsrc/a.ts is there"],
    ["words", "1: it is all there"],
    ["a heading", "1: begins with `# Title`"],
    ["a port", '1: listens on ":8080"'],
    ["a full stop", '1: ends with "."'],
    ["what a script begins with", "1: #!/bin/sh"],
    ["a name that no disk can hold", `1: \`a\u0000b\` and ${"x/".repeat(5000)}`],
  ])("not by %s", (_what, reason) => {
    expect(proven(reason)).not.toContain(1);
  });
});
