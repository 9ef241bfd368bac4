import { describe, expect, it } from "vitest";

const load = (name: string) => import(new URL(`../../survive/${name}`, import.meta.url).href);
const report = await load("report.mjs");

const POINTS = [
  { name: "here", says: "here" },
  { name: "there", says: "over there" },
];
const FAULTS = [
  { name: "kill", says: "kill -9" },
  { name: "401", says: "401" },
];
const RESULTS = [
  { point: "here", fault: "kill", state: "pass", why: [] },
  { point: "here", fault: "401", state: "not_run", why: ["no request follows"] },
  { point: "there", fault: "kill", state: "fail", why: ["a row was lost", "it hung"] },
];

describe("what the matrix prints", () => {
  it("is a table in which a cell that was not run is no pass", () => {
    expect(report.renderTable(POINTS, FAULTS, RESULTS)).toBe(
      ["       kill  401", "here   ok    -", "there  FAIL  ."].join("\n"),
    );
  });

  it("names every cell that is no pass with its reason, failures first", () => {
    expect(report.renderReasons(RESULTS).split("\n")).toEqual([
      "FAIL there x kill: a row was lost; it hung",
      "- here x 401: no request follows",
    ]);
  });

  it("counts the rate over what could be run, and ends with the counts", () => {
    expect(report.renderRate(RESULTS)).toContain("1 of 2 cells that could be run passed (50.0 %)");
    expect(report.renderLast(RESULTS)).toBe("1 passed, 1 failed, 1 skipped");
    expect(report.renderLast(RESULTS.slice(0, 1))).toBe("1 passed, 0 failed");
    expect(report.renderRate([])).toContain("0 of 0");
  });

  it("is on its page with how often each fault was stood", () => {
    const text = report.renderMarkdown(POINTS, FAULTS, RESULTS);
    expect(text).toContain("| kill -9 | 1 of 2 | 0 |");
  });
});
