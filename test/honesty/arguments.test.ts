import { describe, expect, it } from "vitest";

const load = (name: string) => import(new URL(`../../honesty/${name}`, import.meta.url).href);
const { chooseRuns, JUDGE_NAMES, parseArguments, SAMPLE } = await load("arguments.mjs");
const { WORKS } = await load("works.mjs");

interface Run {
  readonly work: { readonly name: string; readonly finished: boolean };
  readonly judge: string;
  readonly evidence: boolean;
}

function names(...args: string[]): string[] {
  const runs: Run[] = chooseRuns(parseArguments(args), WORKS);
  return runs.map(({ work, judge, evidence }) => `${work.name}/${judge}/${evidence ? "on" : "off"}`);
}

describe("the runs that are meant", () => {
  it("are every work with every judge, with evidence and without, when nothing is said", () => {
    expect(names()).toHaveLength(40 * 3 * 2);
    expect(new Set(names()).size).toBe(names().length);
  });

  it("can be one work, one judge, one side of the evidence, or all of that", () => {
    expect(names("--only", "script")).toHaveLength(6);
    expect(names("--only", "script", "--only=flaky", "--judge", "fair")).toHaveLength(4);
    expect(names("--evidence", "on")).toHaveLength(120);
    expect(names("--only", "flaky", "--judge", "harsh", "--evidence=off")).toEqual(["flaky/harsh/off"]);
  });

  it("are eight with evidence in the sample: finished and unfinished works, before every judge", () => {
    const sample: Run[] = chooseRuns(parseArguments(["--sample"]), WORKS);
    expect(sample).toHaveLength(8);
    expect(sample).toHaveLength(SAMPLE.length);
    expect(sample.every(({ evidence }) => evidence)).toBe(true);
    expect(new Set(sample.map(({ judge }) => judge))).toEqual(new Set(JUDGE_NAMES));
    expect(sample.filter(({ work }) => work.finished).length).toBeGreaterThanOrEqual(3);
    expect(sample.filter(({ work }) => !work.finished).length).toBeGreaterThanOrEqual(4);
  });

  it.each([
    [["--only", "nothing"], /no work "nothing"/],
    [["--only"], /no work ""/],
    [["--judge", "kind"], /--judge takes lenient, harsh, fair, not "kind"/],
    [["--evidence", "maybe"], /--evidence takes on, off/],
    [["--jobs", "0"], /whole number/],
    [["--limit=soon"], /whole number/],
    [["--sampel"], /unknown option --sampel/],
    [["--sample", "--evidence", "off"], /leave no run/],
    [["--docs", "--judge", "fair"], /--docs is about all runs/],
  ])("are refused with the reason: %j", (args, why) => {
    expect(() => names(...args)).toThrow(why);
  });
});
