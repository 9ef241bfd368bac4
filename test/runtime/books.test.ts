import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { inEnglish } from "../../src/config/locale/words.ts";
import { readTurnResult } from "../../src/harness/turn-result.ts";
import { Books } from "../../src/runtime/books.ts";
import { readManifest } from "../../src/runtime/manifest.ts";
import type { StartPoint } from "../../src/runtime/run-step.ts";
import { startDraft } from "../../src/runtime/step-result.ts";

const FRESH: StartPoint = { resume: undefined, fork: false, resumeAt: undefined };

function folder(): string {
  return mkdtempSync(join(tmpdir(), "flower-books-"));
}

function stands(session: string, total: number, increment = 0) {
  return readTurnResult({
    type: "result",
    session_id: session,
    total_cost_usd: total,
    usage: { input_tokens: 33, output_tokens: 904 },
    model_usage_since_last_result: { m: { costUSD: increment } },
  });
}

/** One step in a process of its own: its totals in turn. @returns what the step cost. */
function book(
  runDir: string,
  run: string,
  totals: readonly [string, number, number?][],
  start = FRESH,
): number {
  const books = new Books(runDir, run, () => {});
  const draft = startDraft("work");
  books.open(draft);
  for (const [session, total, increment] of totals)
    books.charge(draft, stands(session, total, increment), start);
  return books.close(draft).costUsd;
}

describe("the books", () => {
  it("charge a step the harness's own total, workers included, not what the tokens would cost", () => {
    expect(book(folder(), "A", [["s1", 1.84]])).toBeCloseTo(1.84, 9);
  });

  it("charge three results of one query once", () => {
    expect(
      book(folder(), "A", [
        ["s1", 0.1],
        ["s1", 0.25],
        ["s1", 0.4],
      ]),
    ).toBeCloseTo(0.4, 9);
  });

  it("charge a session that a later process resumes only the difference", () => {
    const runDir = folder();
    book(runDir, "A", [["s1", 0.25]]);
    expect(book(runDir, "B", [["s1", 0.4, 0.15]])).toBeCloseTo(0.15, 9);
  });

  it("charge a resumed session whose total was lost what is new", () => {
    const runDir = folder();
    book(runDir, "A", [["s1", 0.25]]);
    expect(book(runDir, "B", [["s1", 0.1, 0.1]])).toBeCloseTo(0.1, 9);
  });

  it("charge a fork only what it adds to its parent", () => {
    const runDir = folder();
    book(runDir, "A", [["s1", 0.25]]);
    const start = { resume: "s1", fork: true, resumeAt: undefined };
    expect(book(runDir, "B", [["s2", 0.3, 0.05]], start)).toBeCloseTo(0.05, 9);
    expect(book(runDir, "C", [["s2", 0.37, 0.07]])).toBeCloseTo(0.07, 9);
  });

  it.each(["costs.json", "manifest.json"])("charge nothing twice although %s was lost", (name) => {
    const runDir = folder();
    book(runDir, "A", [["s1", 0.25]]);
    rmSync(join(runDir, name));
    expect(book(runDir, "B", [["s1", 0.4, 0.15]])).toBeCloseTo(0.15, 9);
  });

  it.each(["costs.json", "manifest.json"])("charge nothing twice although %s is damaged", (name) => {
    const runDir = folder();
    book(runDir, "A", [["s1", 0.25]]);
    writeFileSync(join(runDir, name), '{"sessions": {"s1"');
    expect(book(runDir, "B", [["s1", 0.4, 0.15]])).toBeCloseTo(0.15, 9);
    expect(book(runDir, "C", [["s1", 0.5, 0.1]])).toBeCloseTo(0.1, 9);
  });

  it("say it once when the manifest was damaged, and where it is kept", () => {
    const runDir = folder();
    const told: string[] = [];
    writeFileSync(join(runDir, "manifest.json"), "[{");
    const books = new Books(runDir, "A", (words) => told.push(inEnglish(words)));
    books.write();
    books.write();
    expect(told).toHaveLength(1);
    expect(told[0]).toMatch(/damaged.*manifest\.json\./);
  });

  it("show a step in flight as unfinished, and as killed when told to save what there is", () => {
    const runDir = folder();
    const books = new Books(runDir, "A", () => {});
    const draft = startDraft("work");
    books.open(draft);
    const errors = () => readManifest(books.manifestPath).rows.map((row) => row.error);
    books.charge(draft, stands("s1", 0.1), FRESH);
    expect(errors()).toEqual(["unfinished"]);
    books.rescue();
    expect(errors()).toEqual(["killed-by-signal"]);
    expect(books.totalCost()).toBe(0.1);
    draft.ok = true;
    books.close(draft);
    expect(errors()).toEqual([null]);
  });

  it("go on when the disk cannot be written, and tell each fault once", () => {
    const runDir = join(folder(), "file");
    writeFileSync(runDir, "");
    const told: string[] = [];
    const books = new Books(runDir, "A", (words) => told.push(inEnglish(words)));
    const draft = startDraft("work");
    books.open(draft);
    books.charge(draft, stands("s1", 0.1), FRESH);
    expect(books.close(draft).costUsd).toBeCloseTo(0.1, 9);
    expect(told.length).toBeGreaterThan(0);
  });

  it("hold what others note of a step, and keep it with every later write", () => {
    const runDir = folder();
    const books = new Books(runDir, "A", () => {});
    const steps = ["work", "work:verdict#1", "work"].map((step) => {
      const draft = startDraft(step);
      books.open(draft);
      return books.close(draft).step;
    });
    expect(books.note("work:verdict#1", { verdict: { state: "achieved" } })).toBe(true);
    expect(books.note("work", { remark: "the last of that name" })).toBe(true);
    expect(books.note("goal", { verdict: {} })).toBe(false);
    books.close(startDraft("later"));
    const rows = readManifest(join(runDir, "manifest.json")).rows;
    expect(rows.map((row) => row.step)).toEqual([...steps, "later"]);
    expect(rows.map((row) => row.verdict ?? row.remark)).toEqual([
      undefined,
      { state: "achieved" },
      "the last of that name",
      undefined,
    ]);
  });
});
