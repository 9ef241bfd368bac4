import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it, onTestFinished } from "vitest";

const CHILD = fileURLToPath(new URL("children/run-command.mjs", import.meta.url));

/** What a process of its own says that runs a command and has nothing else to do. */
function ran(script: string, ...more: readonly string[]): unknown {
  const folder = mkdtempSync(join(tmpdir(), "flower-command-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const done = spawnSync("sh", ["-c", script, "sh", process.execPath, CHILD, folder, ...more], {
    encoding: "utf8",
    env: { PATH: process.env.PATH, HOME: folder },
  });
  expect(done.stderr).toBe("");
  return JSON.parse(done.stdout);
}

it("a command that has ended leaves no timer behind that would keep its program from ending", () => {
  expect(ran('exec "$@"')).toEqual({ exitCode: 0, timers: 0 });
});

it("a command for which no descriptor is left could not be started, and that is all", () => {
  expect(ran('ulimit -n 64; exec "$@"', "starved")).toEqual({
    startError: expect.stringContaining("EMFILE"),
    timers: 0,
  });
});
