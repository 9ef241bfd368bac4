import { chmodSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { AgentSpec } from "../../src/agents/agent-spec.ts";
import { isAlive, processStart } from "../../src/core/processes.ts";
import { Resilience } from "../../src/runtime/resilience.ts";
import { dispatch, text, toolUse } from "../../src/testing/index.ts";
import {
  allGone,
  atEnd,
  type Child,
  childrenOf,
  fileAppears,
  type Stage,
  stage,
  startChild,
} from "./stage.ts";

/** Everything below a process: the harness, its watcher, the shells of its tools and what they run. */
function below(pid: number): number[] {
  try {
    return childrenOf(pid).flatMap((child) => [child, ...below(child)]);
  } catch {
    return [];
  }
}

function commandOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ");
  } catch {
    return "";
  }
}

/** End at the end of the test whatever this test's own processes left running. */
function endAtLast(pids: readonly number[]): void {
  const marks = pids.map((pid) => ({ pid, start: processStart(pid) }));
  atEnd(() => {
    for (const mark of marks.filter(isAlive)) process.kill(mark.pid, "SIGKILL");
  });
}

interface Scene {
  readonly play: Stage;
  readonly child: Child;
  readonly pids: readonly number[];
}

/** A step of a child process with two workers, each in the middle of a long command. */
async function twoWorkers(): Promise<Scene> {
  const play = await stage((workspace) => ({
    coordinator: [[dispatch("coder", "A"), dispatch("coder", "B")], text("never reached")],
    workers: {
      coder: [
        toolUse("Bash", { command: `touch ${workspace}/a; sleep 300` }),
        toolUse("Bash", { command: `touch ${workspace}/b; sleep 300` }),
      ],
    },
  }));
  const child = startChild("survive-step.mjs", [play.workspace], play.api);
  const failed = child.ended.then((end) => Promise.reject(new Error(JSON.stringify(end))));
  const begun = ["a", "b"].map((mark) => fileAppears(join(play.workspace, mark)));
  await Promise.race([Promise.all(begun), failed]);
  failed.catch(() => {});
  const sleepers = () =>
    below(child.process.pid ?? 0).filter((pid) => commandOf(pid).startsWith("sleep 300"));
  // The shell touches the file, then starts the command: a moment lies between.
  await vi.waitUntil(() => sleepers().length === 2, { timeout: 30_000, interval: 50 });
  const pids = below(child.process.pid ?? 0);
  endAtLast(pids);
  return { play, child, pids };
}

describe("a flower that is told to end", () => {
  it.each(["SIGTERM", "SIGHUP"] as const)(
    "by %s leaves no process behind and says so in the books",
    async (signal) => {
      const { play, child, pids } = await twoWorkers();
      child.process.kill(signal);
      const end = await child.ended;
      expect(child.process.signalCode).toBe(signal);
      expect(end.err).toBe("");
      expect(await allGone(pids)).toEqual([]);
      expect(play.manifest()).toMatchObject([{ step: "work", ok: false, error: "killed-by-signal" }]);
      expect(play.manifest()[0]?.session_id).toMatch(/^[0-9a-f-]{36}$/);
    },
  );
});

describe("a flower that is killed", () => {
  it("takes the harness and its tools' commands along, and none of them gets another answer", async () => {
    const { play, child, pids } = await twoWorkers();
    const asked = play.api.requests.length;
    child.process.kill("SIGKILL");
    await child.ended;
    expect(await allGone(pids)).toEqual([]);
    expect(play.api.requests).toHaveLength(asked);
    expect(play.manifest()).toMatchObject([{ step: "work", ok: false, error: "unfinished" }]);
  });
});

describe("a flower that ends in good order", () => {
  it("leaves neither harness nor watcher behind", async () => {
    const play = await stage((workspace) => ({
      main: [toolUse("Bash", { command: `touch ${workspace}/a; sleep 2` }), text("ok")],
    }));
    const spec = new AgentSpec({ name: "plain", instructions: "", allowedTools: ["Bash"] });
    const running = play.runtime().run(spec, "go");
    await fileAppears(join(play.workspace, "a"));
    const pids = below(process.pid);
    endAtLast(pids);
    expect(pids.some((pid) => commandOf(pid).includes("flower-watch"))).toBe(true);
    expect(await running).toMatchObject({ ok: true });
    expect(await allGone(pids)).toEqual([]);
  });
});

describe("a binary that ends at once", () => {
  it("fails the step with its exit code and its last words, and nothing else", async () => {
    const play = await stage({ main: [] });
    const path = join(play.workspace, "claude");
    writeFileSync(path, "#!/bin/sh\necho 'this machine is not supported' >&2\nexit 3\n");
    chmodSync(path, 0o755);
    process.env.FLOWER_HARNESS = path;
    atEnd(() => {
      delete process.env.FLOWER_HARNESS;
    });
    const spec = new AgentSpec({ name: "plain", instructions: "", allowedTools: ["Bash"] });
    const resilience = new Resilience({ maxAttempts: 2, baseDelay: 0.01, maxDelay: 0.01 });
    const result = await play.runtime({ resilience }).run(spec, "go");
    expect(result.ok).toBe(false);
    expect(result.error).toMatch(/code 3/);
    expect(result.error).toContain("this machine is not supported");
    expect(play.api.requests).toHaveLength(0);
  });
});
