import { spawn } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { readManifest, writeManifest } from "../../src/runtime/manifest.ts";
import { endDraft, type ManifestRow, startDraft, toManifestRow } from "../../src/runtime/step-result.ts";

function place(): string {
  return join(mkdtempSync(join(tmpdir(), "flower-manifest-")), "manifest.json");
}

function row(run: string, step: string): ManifestRow {
  return { run, step, session_id: "s", ok: true, cost_usd: 1 };
}

function names(path: string): string[] {
  return readManifest(path).rows.map((each) => `${each.run}/${each.step}`);
}

describe("the manifest", () => {
  it("replaces a run's own rows and keeps every other run's, in order", () => {
    const path = place();
    writeManifest(path, "A", [row("A", "1")]);
    writeManifest(path, "B", [row("B", "1")]);
    writeManifest(path, "A", [row("A", "1"), row("A", "2")]);
    expect(names(path)).toEqual(["B/1", "A/1", "A/2"]);
  });

  it.each([
    ["empty", ""],
    ["half written", '[{"run": "A", "st'],
    ["two files in one", '[{"run":"A","step":"x"}][{"run"'],
    ["something else", '{"run":"A"}'],
  ])("keeps a damaged file aside and says where: %s", (_what, text) => {
    const path = place();
    writeFileSync(path, text);
    const aside = writeManifest(path, "B", [row("B", "1")]);
    expect(readFileSync(aside!, "utf8")).toBe(text);
    expect(names(path)).toEqual(["B/1"]);
    expect(writeManifest(path, "B", [row("B", "1")])).toBeUndefined();
    expect(readdirSync(join(path, "..")).filter((name) => name.endsWith(".tmp"))).toEqual([]);
  });

  it("passes over single rows that are none", () => {
    const path = place();
    writeFileSync(path, JSON.stringify([row("A", "1"), null, 3, { run: 1 }]));
    expect(names(path)).toEqual(["A/1"]);
  });

  it("loses no row of three processes that write at once", async () => {
    const path = place();
    const script = fileURLToPath(new URL("children/write-rows.mjs", import.meta.url));
    const ends = ["A", "B", "C"].map(
      (run) =>
        new Promise<number | null>((resolve) => {
          const env = { PATH: process.env.PATH, HOME: tmpdir() };
          spawn(process.execPath, [script, path, run, "25"], { env, stdio: "inherit" }).on("close", resolve);
        }),
    );
    expect(await Promise.all(ends)).toEqual([0, 0, 0]);
    expect(new Set(names(path)).size).toBe(75);
  }, 60_000);
});

describe("a row of the books", () => {
  it("has the field names that every version has written", () => {
    const draft = startDraft("work");
    draft.costUsd = 0.123_456_78;
    draft.totals.set("s1", 0.5);
    const made = toManifestRow(endDraft(draft), "R");
    expect(Object.keys(made).sort()).toEqual(
      [
        ...[
          "run",
          "step",
          "session_id",
          "ok",
          "cost_usd",
          "num_turns",
          "text",
          "error",
          "started_at",
          "ended_at",
        ],
        ...[
          "attempts",
          "errors",
          "resumed",
          "retired",
          "context",
          "duration_s",
          "usage",
          "subagents",
          "denials",
        ],
        "session_totals",
      ].sort(),
    );
    expect(made).toMatchObject({ run: "R", step: "work", cost_usd: 0.123457, session_totals: { s1: 0.5 } });
    expect(JSON.parse(JSON.stringify(made))).toEqual(made);
  });
});
