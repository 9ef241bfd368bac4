import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { writeManifest } from "../../src/runtime/manifest.ts";
import { Lineage, readLineage } from "../../src/workflow/lineage.ts";

const folders: string[] = [];
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

function damagedAfter(
  rows: readonly (readonly [step: string, session: string | null, retired?: string[]])[],
) {
  const runDir = mkdtempSync(join(tmpdir(), "flower-lineage-"));
  folders.push(runDir);
  writeManifest(
    join(runDir, "manifest.json"),
    "r",
    rows.map(([step, session_id, retired = []]) => ({
      run: "r",
      step,
      session_id,
      retired,
      ok: true,
      cost_usd: 0,
    })),
  );
  writeFileSync(join(runDir, "lineage.json"), '{"workspace": "/w", "st');
  return runDir;
}

const WORK = [
  ["clarify", "c1"],
  ["goal", "g1"],
  ["work", "w1"],
  ["work:verdict#1", "v1"],
  ["work#round2", "w2", ["w1"]],
  ["work:verdict#2", "v2"],
] as const;

describe("a damaged lineage", () => {
  it("is made again from the books: the last session of each step, without the judges'", () => {
    const runDir = damagedAfter(WORK.map(([step, id, retired]) => [step, id, [...(retired ?? [])]]));
    expect(readLineage(runDir, "/w").steps).toEqual(
      new Map([
        ["clarify", "c1"],
        ["goal", "g1"],
        ["work", "w2"],
      ]),
    );
    expect(readdirSync(runDir).filter((name) => name.includes("damaged"))).toEqual([]);
    const told: string[] = [];
    const lineage = Lineage.open({ runDir, workspace: "/w", onFault: (text) => told.push(text) });
    expect(lineage.sessionOf("work")).toBe("w2");
    expect(told).toEqual([
      expect.stringMatching(/made again from the books: clarify, goal, work; it was kept as/),
    ]);
    expect(Lineage.open({ runDir, workspace: "/w" }).sessionOf("work")).toBe("w2");
  });

  it("knows a step by its whole name, whatever signs are in it", () => {
    const runDir = damagedAfter([
      ["build:api", "a1"],
      ["build:api:verdict#1", "v1"],
      ["build:api#round2", "a1"],
      ["referee#1", "r1"],
    ]);
    expect(readLineage(runDir, "/w").steps).toEqual(new Map([["build:api", "a1"]]));
  });

  it("takes nothing from the work that stood in the folder before", () => {
    const runDir = damagedAfter([
      ["clarify", "c1"],
      ["goal", "g1"],
      ["work", "w1"],
      ["clarify", "c2"],
      ["goal", null],
    ]);
    expect(Lineage.open({ runDir, workspace: "/w" }).steps).toEqual({ clarify: "c2" });
  });

  it("counts as absent where the books know nothing", () => {
    const runDir = damagedAfter([]);
    expect(Lineage.open({ runDir, workspace: "/w" }).steps).toEqual({});
    expect(existsSync(join(runDir, "lineage.json"))).toBe(false);
  });
});
