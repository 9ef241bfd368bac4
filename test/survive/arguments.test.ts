import { describe, expect, it } from "vitest";

const load = (name: string) => import(new URL(`../../survive/${name}`, import.meta.url).href);
const { chooseCells, parseArguments, SAMPLE } = await load("arguments.mjs");
const { POINTS } = await load("points.mjs");
const { FAULTS } = await load("faults.mjs");

function names(...args: string[]): string[] {
  return chooseCells(parseArguments(args), POINTS, FAULTS).map((cell: { name: string }) => cell.name);
}

describe("what the matrix is told", () => {
  it("is all cells at least twelve places by twelve faults, without a word", () => {
    expect(POINTS.length).toBeGreaterThanOrEqual(12);
    expect(FAULTS.length).toBeGreaterThanOrEqual(12);
    expect(names()).toHaveLength(POINTS.length * FAULTS.length);
    expect(new Set(names()).size).toBe(names().length);
  });

  it("can be one cell, one fault everywhere, one place with every fault, or several of them", () => {
    expect(names("--only", "coordinator/kill")).toEqual(["coordinator.kill"]);
    expect(names("--only=/kill")).toHaveLength(POINTS.length);
    expect(names("--only", "verdict/")).toHaveLength(FAULTS.length);
    expect(names("--only", "verdict/", "--only", "/kill")).toHaveLength(POINTS.length + FAULTS.length - 1);
  });

  it("has a sample with one cell of every fault, each of which exists", () => {
    expect(names("--sample")).toHaveLength(FAULTS.length);
    expect(new Set(SAMPLE.map(([, fault]: [string, string]) => fault)).size).toBe(FAULTS.length);
  });

  it.each([
    [["--only", "nowhere/kill"], /no place "nowhere"/],
    [["--only", "/flood"], /no fault "flood"/],
    [["--only"], /PLACE\/FAULT/],
    [["--jobs", "0"], /whole number/],
    [["--sampel"], /unknown option --sampel/],
  ])("is refused with the reason: %j", (args, why) => {
    expect(() => names(...args)).toThrow(why);
  });
});
