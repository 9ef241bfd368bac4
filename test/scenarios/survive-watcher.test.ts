import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { allGone, atEnd, fileAppears, temporaryFolder } from "./stage.ts";

/** A harness that will not leave, and a tool's command of its own group that will not either. */
const STUBBORN = `
trap "" TERM
setsid sh -c 'trap "" TERM; echo $$ > "$1"; while :; do sleep 1; done' kid "$1" &
wait
`;

describe("the watcher of a harness that does not leave when flower is gone", () => {
  it("ends it, and what its tools had running in groups of their own", async () => {
    const folder = temporaryFolder("flower-watcher-");
    const kidFile = join(folder, "kid");
    const script = `
      import { spawnHarness } from ${JSON.stringify(new URL("../../dist/harness/harness-process.js", import.meta.url).href)};
      const args = ["-c", process.argv[1], "harness", process.argv[2]];
      const signal = new AbortController().signal;
      spawnHarness({ command: "/bin/sh", args, cwd: process.cwd(), env: { PATH: process.env.PATH }, signal }, () => {});
    `;
    const flower = spawn(process.execPath, ["--input-type=module", "-e", script, STUBBORN, kidFile], {
      cwd: folder,
      env: { PATH: process.env.PATH },
      stdio: "ignore",
    });
    atEnd(() => void flower.kill("SIGKILL"));
    await fileAppears(kidFile);
    let kid = 0;
    await expect.poll(() => (kid = Number(readFileSync(kidFile, "utf8")))).toBeGreaterThan(1);
    atEnd(() => {
      try {
        process.kill(-kid, "SIGKILL");
      } catch {
        // Gone, as it should be.
      }
    });
    flower.kill("SIGKILL");
    expect(await allGone([kid])).toEqual([]);
  });
});
