import { spawn } from "node:child_process";
import { once } from "node:events";
import { expect, it } from "vitest";
import { isAlive, processStart, selfMark } from "../../src/core/processes.ts";

it("a process lives under its own number and start, and under no other", () => {
  expect(isAlive(selfMark())).toBe(true);
  expect(isAlive({ pid: process.pid, start: "1" })).toBe(false);
});

it("a process that ended and was not waited for by its parent lives no more", async () => {
  const env = { PATH: process.env.PATH ?? "" };
  // By the time the first one ends, the shell that would wait for it is another program.
  const script = "sleep 0.3 & echo $!; exec sleep 30";
  const parent = spawn("sh", ["-c", script], { env, stdio: ["ignore", "pipe", "ignore"] });
  try {
    const [line] = await once(parent.stdout, "data");
    const mark = { pid: Number(String(line).trim()), start: "" };
    expect(isAlive(mark)).toBe(true);
    await expect.poll(() => isAlive(mark), { timeout: 10_000 }).toBe(false);
    // Its number is still taken: it is the state that tells.
    expect(processStart(mark.pid)).not.toBe("");
  } finally {
    parent.kill("SIGKILL");
  }
});
