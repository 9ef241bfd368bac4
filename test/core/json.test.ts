import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { readJson } from "../../src/core/json.ts";

it("says in one line, without escapes, why a damaged file cannot be read", () => {
  const folder = mkdtempSync(join(tmpdir(), "flower-json-"));
  try {
    const path = join(folder, "a.json");
    writeFileSync(path, "g\u001b[2J{\n\nx");
    const read = readJson(path);
    expect(read).toMatchObject({ kind: "damaged", reason: expect.stringMatching(/not valid JSON/) });
    expect(JSON.stringify(read)).not.toMatch(/\\n|\\u001b/);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
