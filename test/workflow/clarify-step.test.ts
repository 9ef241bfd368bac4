import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { Brief } from "../../src/documents/brief.ts";
import { HumanChannel } from "../../src/people/human-channel.ts";
import { startDraft } from "../../src/runtime/step-result.ts";
import { clarifyStep } from "../../src/workflow/clarify-step.ts";
import type { Ctx } from "../../src/workflow/context.ts";

const BRIEF =
  "## Goal\nCount.\n\n## Acceptance criteria\nIt counts.\n\n## Boundaries\nNone.\n\n## Unknowns and assumptions\nNone.\n";

function gateOf(briefPath: string) {
  const channel = new HumanChannel({ timeoutS: 0, amendPath: briefPath });
  const step = clarifyStep(channel, { briefPath, prompt: "count" });
  return async (text: string, ctx: Ctx) =>
    step.options.gate?.({ ...startDraft("clarify"), ok: true, text, lastText: text }, ctx);
}

describe("freezing the brief", () => {
  it("keeps what a person said meanwhile, whatever stands in the file already", async () => {
    const briefPath = join(mkdtempSync(join(tmpdir(), "flower-clarify-")), "brief.md");
    writeFileSync(briefPath, "## Goal\nOld.\n");
    Brief.load(briefPath)?.amend("also count lines", "at noon");
    const ctx: Ctx = {};
    expect(await gateOf(briefPath)(BRIEF, ctx)).toBe(true);
    const frozen = Brief.load(briefPath);
    expect(frozen?.goal).toBe("Count.");
    expect(frozen?.amendments).toContain("also count lines");
    expect(ctx.clarify).toContain("also count lines");
  });

  it("refuses a brief that lacks a section and says which", async () => {
    const briefPath = join(mkdtempSync(join(tmpdir(), "flower-clarify-")), "brief.md");
    const ctx: Ctx = {};
    expect(await gateOf(briefPath)("## Goal\nCount.\n", ctx)).toBe(false);
    expect(ctx._brief_missing).toEqual(["Acceptance criteria", "Boundaries", "Unknowns and assumptions"]);
  });
});
