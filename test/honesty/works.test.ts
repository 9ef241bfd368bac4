import { describe, expect, it } from "vitest";

const load = (name: string) => import(new URL(`../../honesty/${name}`, import.meta.url).href);
const { WORKS } = await load("works.mjs");
const { reportOf, workersOf } = await load("work.mjs");

interface Item {
  readonly text: string;
  readonly seen: string;
  readonly there?: boolean;
}

interface Work {
  readonly name: string;
  readonly says: string;
  readonly finished: boolean;
  readonly goal: readonly Item[];
}

const works: readonly Work[] = WORKS;
/** Whether an item stands in the way of the work being done. */
const speaksAgainst = ({ seen, there }: Item) => seen !== "held" && there !== true;

describe("the works", () => {
  it("are twenty finished ones and twenty that are not, each with a name of its own", () => {
    expect(works.filter(({ finished }) => finished)).toHaveLength(20);
    expect(works.filter(({ finished }) => !finished)).toHaveLength(20);
    expect(new Set(works.map(({ name }) => name)).size).toBe(40);
  });

  it.each(works.map((work) => [work.name, work] as const))(
    "%s is as finished as its items, has a command among them, and something to do",
    (_name, work) => {
      expect(work.goal.some(speaksAgainst)).toBe(!work.finished);
      expect(work.goal.some(({ seen }) => seen !== "prose")).toBe(true);
      expect(workersOf(work).every((steps: unknown[]) => steps.length > 0)).toBe(true);
    },
  );

  it("are reported as done, all but what the worker says it did not try", () => {
    const all = works.map((work) => [work.name, reportOf(work)] as const);
    const honest = all.filter(([, report]) => report.includes("not tried"));
    expect(honest.map(([name]) => name)).toEqual(["needs-network", "needs-display"]);
    expect(all.filter(([, report]) => !/^1: (?:passed|not tried: .+)$/m.test(report))).toEqual([]);
  });
});
