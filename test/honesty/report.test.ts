import { describe, expect, it } from "vitest";

const load = (name: string) => import(new URL(`../../honesty/${name}`, import.meta.url).href);
const { renderDemands, renderLast, renderMarkdown, renderTable } = await load("report.mjs");

const WORKS = [
  { name: "script", says: "a program", finished: true },
  { name: "flaky", says: "fails at times", finished: false },
];
const RESULTS = [
  { work: WORKS[0], judge: "lenient", evidence: true, end: "achieved", record: { questions: [] } },
  { work: WORKS[1], judge: "lenient", evidence: true, end: "rejected", record: { questions: [] } },
  { work: WORKS[1], judge: "lenient", evidence: false, end: "achieved", record: { questions: [] } },
];
const DEMANDS = [
  { says: "this holds", runs: 2, holds: true, wrong: [] },
  { says: "that does not", runs: 1, holds: false, wrong: ["flaky x lenient: ended as achieved"] },
];

describe("what the runs say", () => {
  it("has a row for each judge and side there are runs of, and counts out of those", () => {
    const lines = renderTable(RESULTS).split("\n");
    expect(lines).toHaveLength(3);
    expect(lines[1].split(/ {2,}/)).toEqual(["lenient", "on", "0 of 1", "0 of 1", "0 of 1", "0 of 1"]);
    expect(lines[2].split(/ {2,}/)).toEqual(["lenient", "off", "1 of 1", "0 of 0", "0 of 0", "0 of 1"]);
  });

  it("names every demand, and below it what speaks against it", () => {
    expect(renderDemands(DEMANDS)).toBe(
      "ok     this holds (2 runs)\nFAILED that does not (1 runs)\n         flaky x lenient: ended as achieved",
    );
  });

  it("ends with how many demands hold", () => {
    expect(renderLast(DEMANDS)).toBe("1 passed, 1 failed");
  });

  it("is a page with the table and every work", () => {
    const text = renderMarkdown(WORKS, RESULTS);
    expect(text).toContain("| lenient | on | 0 of 1 |");
    expect(text).toMatch(/Finished:\n\n- `script`: a program\n\n.*\n\n- `flaky`: fails at times/);
  });
});
