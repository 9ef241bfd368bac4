import { mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { createTranslator } from "../../../src/config/locale/translator.ts";
import { sha256 } from "../../../src/core/ids.ts";
import type { Fingerprint } from "../../../src/evidence/fingerprint.ts";
import { fingerprintWork, workTreeOf } from "../../../src/evidence/work-tree.ts";
import { planWake, type WakePlan } from "../../../src/workflow/lapse/plan-wake.ts";
import { isSettled, lookAtVerdict, type Standing, standingOf } from "../../../src/workflow/lapse/standing.ts";
import { describeStanding } from "../../../src/workflow/lapse/standing-words.ts";
import { type LastVerdict, readLastVerdict, verdictName } from "../../../src/workflow/lapse/verdict-files.ts";
import { bookedFacts, renderRecord, type VerdictRecord } from "../../../src/workflow/lapse/verdict-record.ts";
import { wakeState } from "../../../src/workflow/wake-state.ts";
import { record } from "./records.ts";

const made: string[] = [];
afterEach(() => {
  for (const path of made.splice(0)) rmSync(path, { recursive: true, force: true });
});

function write(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

const ENV = { PATH: process.env.PATH, HOME: "/nonexistent" };
const DOCUMENTS = { ".flower/notes/brief.md": sha256("brief"), ".flower/notes/goal.md": sha256("goal") };

/** A folder with these verdicts, each in the books unless it is named among the others. */
function folder(
  records: readonly VerdictRecord[],
  more: { unbooked?: readonly number[]; rows?: object[] } = {},
) {
  const workspace = realpathSync(mkdtempSync(join(tmpdir(), "flower-last-")));
  made.push(workspace);
  write(join(workspace, ".flower/notes/brief.md"), "brief");
  write(join(workspace, ".flower/notes/goal.md"), "goal");
  write(join(workspace, "a.txt"), "a\n");
  for (const each of records)
    write(join(workspace, ".flower/notes/verdicts", verdictName(each)), renderRecord(each));
  const rows = records
    .filter((_, index) => more.unbooked?.includes(index) !== true)
    .map((each) => ({
      run: each.run,
      step: each.judge,
      started_at: each.at - 1,
      verdict: bookedFacts(each, ""),
    }));
  write(join(workspace, "runs/manifest.json"), JSON.stringify([...rows, ...(more.rows ?? [])]));
  const place = {
    workspace,
    runDir: join(workspace, "runs"),
    notes: join(workspace, ".flower/notes"),
    steps: ["clarify", "goal", "work"],
  };
  return { workspace, last: () => readLastVerdict(place) };
}

describe("the last verdict", () => {
  it("is the latest the books confirm, whatever its file is called", () => {
    const [first, second] = [
      record({ state: "not_yet", judged: "not_yet" }),
      record({ round: 2, judge: "work:verdict#2", at: 2000 }),
    ];
    expect(folder([first, second]).last()).toMatchObject({ state: "achieved", round: 2 });
    expect(folder([second, first]).last()).toMatchObject({ round: 2 });
    const later = record({ run: "20260101-101011-000000", at: 3000, state: "unclear", judged: "" });
    expect(folder([later, second]).last()).toMatchObject({ state: "unclear" });
  });

  it("is none that an agent wrote: the books do not know it, or know another", () => {
    const [old, forged] = [
      record({ state: "not_yet", judged: "not_yet" }),
      record({ round: 2, judge: "work:verdict#2", at: 2000 }),
    ];
    expect(folder([old, forged], { unbooked: [1] }).last()).toMatchObject({ state: "not_yet" });
    expect(folder([forged], { unbooked: [0] }).last()).toBeUndefined();
    const changed = folder([old]);
    write(
      join(changed.workspace, ".flower/notes/verdicts", verdictName(old)),
      renderRecord({ ...old, state: "achieved" }),
    );
    expect(changed.last()).toBeUndefined();
    expect(folder([]).last()).toBeUndefined();
  });

  it("says which documents are others now, and whether work went on after it", () => {
    const here = folder([record({ documents: DOCUMENTS })]);
    expect(here.last()).toMatchObject({ changedDocuments: [], workedOn: false });
    write(join(here.workspace, ".flower/notes/goal.md"), "goal!");
    expect(here.last()?.changedDocuments).toEqual([".flower/notes/goal.md"]);
    rmSync(join(here.workspace, ".flower/notes/brief.md"));
    expect(here.last()?.changedDocuments).toEqual([".flower/notes/brief.md", ".flower/notes/goal.md"]);

    const row = (step: string, at: number) => [{ run: "later", step, started_at: at }];
    const on = (step: string, at: number) => folder([record()], { rows: row(step, at) }).last()?.workedOn;
    expect(
      ["clarify", "goal", "work", "work#round2", "work:verdict#2"].map((step) => on(step, 1001)),
    ).toEqual([true, true, true, true, true]);
    expect([on("work", 900), on("once", 1001), on("workshop", 1001)]).toEqual([false, false, false]);
  });

  it("is part of the wake state, which writes not one byte and needs no folder to be there", () => {
    const { workspace } = folder([record({ evidence: "x/y" })]);
    const times = () =>
      readdirSync(workspace, { recursive: true, encoding: "utf8" }).map(
        (name) => `${name} ${statSync(join(workspace, name)).mtimeMs}`,
      );
    const before = times();
    expect(wakeState(workspace).verdict).toMatchObject({
      state: "achieved",
      evidence: join(workspace, "x/y"),
    });
    expect(JSON.parse(JSON.stringify(wakeState(workspace))).verdict.state).toBe("achieved");
    expect(times()).toEqual(before);
    expect(wakeState(join(workspace, "gone")).verdict).toBeUndefined();
  });
});

const SEEN: Fingerprint = { kind: "seen", hash: "abc" };
const OTHER: Fingerprint = { kind: "seen", hash: "xyz" };
const BLIND: Fingerprint = { kind: "blind", why: "too much" };

function verdict(more: Partial<LastVerdict> = {}): LastVerdict {
  const { documents: _documents, work: _work, judge: _judge, ...said } = record();
  const work = workTreeOf({ workspace: "/w", runDir: "/w/runs" });
  return { ...said, path: "/w/x.md", work, changedDocuments: [], workedOn: false, ...more };
}

describe("a verdict", () => {
  const goal = { changedDocuments: [".flower/notes/goal.md"] };
  const brief = { changedDocuments: [".flower/notes/brief.md", ".flower/notes/goal.md"] };
  it.each<[string, Partial<LastVerdict>, Fingerprint, Standing["kind"], WakePlan, string]>([
    ["unchanged", {}, SEEN, "holds", "nothing", "achieved"],
    ["accepted", { state: "accepted" }, SEEN, "holds", "nothing", "accepted by you"],
    ["another tree", {}, OTHER, "tree_changed", "judge", "achieved, for a tree that has changed since"],
    ["another goal", goal, SEEN, "documents_changed", "judge", "achieved, before goal.md changed"],
    ["another brief", brief, SEEN, "documents_changed", "work", "achieved, before brief.md, goal.md changed"],
    [
      "worked on",
      { workedOn: true, ...goal },
      OTHER,
      "worked_on",
      "work",
      "achieved, and work has gone on since",
    ],
    [
      "not seen now",
      {},
      BLIND,
      "unknown",
      "judge",
      "achieved; whether anything has changed since cannot be seen: too much",
    ],
    [
      "not seen then",
      { tree: BLIND },
      SEEN,
      "unknown",
      "judge",
      "achieved; whether anything has changed since cannot be seen: too much",
    ],
    ["not yet", { state: "not_yet" }, SEEN, "holds", "work", "not yet"],
    [
      "not yet, another tree",
      { state: "not_yet" },
      OTHER,
      "tree_changed",
      "work",
      "not yet, for a tree that has changed since",
    ],
    ["unreachable", { state: "unreachable" }, SEEN, "holds", "work", "cannot be verified here"],
    [
      "unclear",
      { state: "unclear" },
      SEEN,
      "holds",
      "work",
      "the verdict could not be read; counted as not yet",
    ],
  ])("%s", (_what, more, tree, kind, plan, words) => {
    const last = verdict(more);
    const standing = standingOf(last, tree);
    expect(standing.kind).toBe(kind);
    expect(planWake({ look: { last, standing }, goal: ".flower/notes/goal.md" })).toBe(plan);
    expect(isSettled(last, standing)).toBe(plan === "nothing");
    expect(describeStanding(createTranslator("en"), last, standing)).toBe(words);
  });

  it("is nothing to plan by where there is none", () => {
    expect(planWake({ look: undefined, goal: "goal.md" })).toBe("work");
  });

  it("lapses with the first file that is another one, and holds again once that is undone", async () => {
    const here = folder([]);
    const work = workTreeOf({ workspace: here.workspace, runDir: join(here.workspace, "runs") });
    const last = verdict({ work, tree: await fingerprintWork(work, ENV) });
    const look = async () => (await lookAtVerdict(last, ENV)).kind;
    expect(await look()).toBe("holds");
    write(join(here.workspace, ".flower/notes/later.md"), "x");
    write(join(here.workspace, "runs/events.jsonl"), "x");
    expect(await look()).toBe("holds");
    write(join(here.workspace, "a.txt"), "b\n");
    expect(await look()).toBe("tree_changed");
    write(join(here.workspace, "a.txt"), "a\n");
    expect(await look()).toBe("holds");
  });

  it("holds for the workspace once the same files are there and the place it was judged in is gone", async () => {
    const here = folder([]);
    const { workspace } = here;
    const apart = join(workspace, ".claude", "worktrees", "flower-1");
    write(join(apart, "a.txt"), "new\n");
    const work = workTreeOf({ workspace, runDir: join(workspace, "runs"), folder: apart });
    const last = verdict({ work, tree: await fingerprintWork(work, ENV) });
    const look = async () => (await lookAtVerdict(last, ENV)).kind;
    expect(await look()).toBe("holds");
    rmSync(apart, { recursive: true });
    expect(await look()).toBe("tree_changed");
    write(join(workspace, "a.txt"), "new\n");
    expect(await look()).toBe("holds");
  });
});
