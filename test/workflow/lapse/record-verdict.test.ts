import { mkdtempSync, readdirSync, readFileSync, realpathSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { Verdict } from "../../../src/documents/verdict.ts";
import { fingerprintWork, workTreeOf } from "../../../src/evidence/work-tree.ts";
import { VERDICT_KEY } from "../../../src/workflow/context.ts";
import { recordRuling } from "../../../src/workflow/lapse/record-verdict.ts";
import { parseRecord } from "../../../src/workflow/lapse/verdict-record.ts";
import type { Round } from "../../../src/workflow/verdict/goal-guard.ts";

const ENV = { PATH: process.env.PATH };

function folder() {
  const workspace = realpathSync(mkdtempSync(join(tmpdir(), "flower-record-")));
  const runDir = join(workspace, "runs");
  const work = workTreeOf({ workspace, runDir });
  const round = (more: { readonly canRun: boolean; readonly evidence?: unknown }) =>
    ({
      ...{ ctx: {}, number: 1, evidence: more.evidence, place: { folder: workspace, work } },
      guard: { step: { name: "work" }, name: "work:verdict", rounds: 3, canRun: more.canRun },
      runtime: { workspace, runDir, runId: "20260101-000000-abcdef", note: () => true },
    }) as unknown as Round;
  return {
    round,
    write: (text: string) => writeFileSync(join(workspace, "a.txt"), text),
    look: () => fingerprintWork(work, ENV),
    records: () => {
      const at = join(runDir, "verdicts");
      return readdirSync(at).map((name) => parseRecord(readFileSync(join(at, name), "utf8")));
    },
  };
}

function rule(round: Round): true {
  round.ctx[VERDICT_KEY] = new Verdict({ state: "achieved", reason: "It is there." });
  return true;
}

describe("a verdict that is written down", () => {
  it("holds for what a judge that runs commands saw last, not for what came while a person was asked", async () => {
    const it = folder();
    it.write("before");
    const round = it.round({ canRun: true });
    let seen: unknown;
    await recordRuling(round, async (hasRuled) => {
      it.write("left by the judge");
      seen = await it.look();
      await hasRuled();
      it.write("written by the person meanwhile");
      return rule(round);
    });
    expect(it.records()).toMatchObject([{ state: "achieved", tree: seen }]);
  });

  it("holds for what there was before a judge that runs nothing looked", async () => {
    const it = folder();
    it.write("before");
    const round = it.round({ canRun: false });
    const seen = await it.look();
    await recordRuling(round, async (hasRuled) => {
      it.write("after");
      await hasRuled();
      return rule(round);
    });
    expect(it.records()).toMatchObject([{ tree: seen }]);
  });

  it("holds for what the commands of the goal left, where they ran: that was looked at then", async () => {
    const it = folder();
    const after = { kind: "seen", hash: "what the commands left" };
    const round = it.round({ canRun: false, evidence: { folder: "/e", after } });
    await recordRuling(round, async () => rule(round));
    expect(it.records()).toMatchObject([{ tree: after }]);
  });
});
