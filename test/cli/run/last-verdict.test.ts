import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { parseCommandLine } from "../../../src/cli/args/parse-command-line.ts";
import { leavesNothing, type SeenVerdict } from "../../../src/cli/run/last-verdict.ts";
import { processStart } from "../../../src/core/processes.ts";

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "flower-last-"));
  mkdirSync(join(folder, "runs"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const SETTLED: SeenVerdict = { standing: { kind: "holds" }, words: "achieved", isSettled: true };

/** Whether `flower` with these words has nothing to do in the folder. */
function nothing(argv: readonly string[], seen: SeenVerdict | "none" = SETTLED): boolean {
  const command = parseCommandLine(["go", "-w", folder, ...argv]);
  if (command.kind !== "command") throw new Error(command.kind);
  return leavesNothing(command, { request: command.request, seen: seen === "none" ? undefined : seen });
}

describe("a run where the work is done and nothing has changed", () => {
  it("has nothing to do, whatever its limits", () => {
    expect([nothing([]), nothing(["--budget", "5"]), nothing(["--judge-can-run"])]).toEqual([
      true,
      true,
      true,
    ]);
  });

  it.each([[["also", "lines"]], [["--new"]], [["--parallel"]], [["--no-goal"]], [["--clarify-only"]]])(
    "has something to do with %j",
    (argv) => {
      expect(nothing(argv)).toBe(false);
    },
  );

  it("has something to do where the verdict does not hold, or there is none", () => {
    expect(nothing([], { ...SETTLED, isSettled: false })).toBe(false);
    expect(nothing([], "none")).toBe(false);
  });

  it("waits for the run that works there now, which has the last word", () => {
    const holder = { host: hostname(), pid: process.pid, start: processStart(process.pid), heartbeat: 1 };
    writeFileSync(join(folder, "runs", "active.json"), JSON.stringify(holder));
    expect(nothing([])).toBe(false);
    writeFileSync(join(folder, "runs", "active.json"), JSON.stringify({ ...holder, start: "another" }));
    expect(nothing([])).toBe(true);
  });
});
