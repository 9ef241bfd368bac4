// Failures seen elsewhere whose behaviour is held by tests that carry no id: which ones those are, and that they exist.

import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import cases from "./fixtures/held-cases.json" with { type: "json" };

describe("a failure seen elsewhere", () => {
  it.each(cases.map((one) => [one.id, one.scenario, one.heldBy] as const))("%s: %s", (_id, _what, heldBy) => {
    expect(heldBy.length).toBeGreaterThan(0);
    for (const { file, test } of heldBy) expect(readFileSync(file, "utf8"), file).toContain(`"${test}"`);
  });
});
