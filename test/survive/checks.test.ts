import { describe, expect, it } from "vitest";

const load = (name: string) => import(new URL(`../../survive/${name}`, import.meta.url).href);
const { faultsOf } = await load("checks.mjs");
const { smoothMoments } = await load("mind.mjs");

const COSTS = { turnUsd: 0.001, lookUsd: 0.05 };
const DOCUMENTS = { brief: "b", goal: "g" };

function turns(...more: { moment: string; state: string }[]) {
  return [...smoothMoments(false).map((moment: string) => ({ moment, state: "given" })), ...more];
}

/** A kill while the coordinator thought, and a wake that went through. */
function record(changes: Record<string, unknown> = {}) {
  return {
    reached: true,
    handoff: false,
    mayNeedWake: true,
    losesManifest: false,
    stoodAtEnd: false,
    ends: [{ code: null }, { code: 0, said: { failedAt: null, verdict: "achieved" } }],
    prints: "3",
    turns: turns({ moment: "coordinator:check", state: "cut" }),
    before: { rows: [{ run: "a", step: "clarify", cost_usd: 0.002 }], ...DOCUMENTS },
    rows: [
      { run: "a", step: "clarify", cost_usd: 0.002 },
      { run: "b", step: "work", cost_usd: 0.011 },
    ],
    documents: DOCUMENTS,
    bookFiles: ["manifest.json", "sessions.db"],
    parses: { "manifest.json": true, "lineage.json": true },
    store: { unknown: [], integrity: "ok" },
    left: [],
    orphans: 0,
    faults: [],
    ...changes,
  };
}

const given = (moment: string) => ({ moment, state: "given" });

describe("a cell passes", () => {
  it("when it ended right and the turn in flight and one turn of the wake are all that was done again", () => {
    expect(faultsOf(record(), COSTS)).toEqual([]);
    const again = turns(given("coordinator:check"), given("coordinator:report"));
    expect(faultsOf(record({ turns: again }), COSTS)).toEqual([]);
  });
});

describe("a cell fails, and says why", () => {
  it.each([
    ["a place that was never reached", { reached: false }, /never reached/],
    ["a limit nobody waited for", { mustWait: true, waited: false }, /limit was not waited for/],
    ["no end", { ends: [{ code: null }, undefined] }, /did not end in time/],
    ["an end without success", { ends: [{ code: 1, said: { failedAt: "work" } }] }, /did not end well/],
    [
      "a verdict that is not achieved",
      { ends: [{ code: 0, said: { failedAt: null, verdict: "not_yet" } }] },
      /not_yet, not achieved/,
    ],
    ["a program that is wrong", { prints: "" }, /the program prints/],
    ["a wake where none was needed", { mayNeedWake: false }, /by itself/],
    [
      "work that was done again",
      { turns: turns(given("write:file"), given("write:run"), given("write:report")) },
      /done again.*write:file x1/,
    ],
    ["one turn given three times", { turns: turns(given("goal"), given("goal")) }, /goal x2/],
    [
      "a verdict nobody gave",
      { turns: turns().filter(({ moment }) => moment !== "verdict:rule") },
      /never done: verdict:rule/,
    ],
    ["more booked than paid", { rows: [{ run: "a", step: "clarify", cost_usd: 0.5 }] }, /are booked/],
    ["a row that was lost", { rows: [{ run: "b", step: "work", cost_usd: 0.011 }] }, /rows lost.*clarify/],
    ["a book that is torn", { parses: { "lineage.json": false } }, /lineage\.json cannot be read/],
    ["half a file left behind", { bookFiles: ["goal.md.1.00000000.tmp"] }, /left behind/],
    ["a folder still held", { bookFiles: ["active.json"] }, /still held/],
    ["a session nobody has", { store: { unknown: ["work"], integrity: "ok" } }, /nobody has: work/],
    ["a damaged store", { store: { unknown: [], integrity: "row 3 missing" } }, /row 3 missing/],
    ["a brief that was changed", { documents: { brief: "c", goal: "g" } }, /the brief was changed/],
    ["a process that is left", { left: [{ pid: 7, command: "sleep 9" }] }, /still runs: 7 sleep 9/],
    ["an orphan that was answered", { orphans: 1 }, /orphan/],
    ["a history the API refuses", { faults: ["refused: orphan"] }, /refused: orphan/],
  ])("%s", (_what, changes, why) => {
    expect(faultsOf(record(changes), COSTS).join("; ")).toMatch(why);
  });

  it("with money that is missing, where the run was never broken off", () => {
    const ends = [{ code: 0, said: { failedAt: null, verdict: "achieved" } }];
    const rows = [{ run: "a", step: "clarify", cost_usd: 0.002 }];
    expect(faultsOf(record({ ends, rows, turns: turns() }), COSTS).join()).toMatch(
      /only \$0\.0020 of \$0\.0130/,
    );
  });
});
