import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { stopCommand } from "../../src/cli/commands/stop.ts";
import { isAlive, processStart } from "../../src/core/processes.ts";
import { type } from "./screen-io.ts";

let folder = "";
const children: ChildProcess[] = [];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "flower-stop-"));
  mkdirSync(join(folder, "runs"));
});
afterEach(() => {
  for (const child of children.splice(0)) child.kill("SIGKILL");
  rmSync(folder, { recursive: true, force: true });
});

/** A process that stands for a run: it says so once it listens to signals. */
async function startProcess(onTerm: "leaves" | "stays"): Promise<ChildProcess> {
  const handler = onTerm === "leaves" ? "process.exit(143)" : "";
  const script = `process.on("SIGTERM", () => { ${handler} }); setInterval(() => {}, 1000); console.log("up");`;
  const env = { PATH: process.env.PATH ?? "", HOME: folder };
  const child = spawn(process.execPath, ["-e", script], { env, stdio: ["ignore", "pipe", "ignore"] });
  children.push(child);
  if (child.stdout === null) throw new Error("no output");
  await once(child.stdout, "data");
  return child;
}

interface Holder {
  readonly pid?: number | undefined;
  readonly run?: string;
  readonly host?: string;
  readonly start?: string;
  readonly heartbeat?: number;
}

function hold({
  pid = 0,
  run = "R1",
  host = hostname(),
  start,
  heartbeat = Date.now() / 1000,
}: Holder): void {
  const record = { host, pid, start: start ?? processStart(pid), run, step: "work", heartbeat };
  writeFileSync(join(folder, "runs", "active.json"), JSON.stringify(record));
}

function book(run: string): void {
  const row = (step: string, cost_usd: number) => ({ run, step, session_id: "s", ok: false, cost_usd });
  writeFileSync(
    join(folder, "runs", "manifest.json"),
    JSON.stringify([row("goal", 0.25), row("work", 0.25)]),
  );
}

const stop = (...argv: string[]) => type(stopCommand, ["stop", "-w", folder, ...argv]);

describe("flower stop", () => {
  it("asks the process that holds the folder to leave, waits, and says where the run stands", async () => {
    const { pid } = await startProcess("leaves");
    hold({ pid });
    book("R1");
    const { code, out, err } = await stop();
    expect({ code, err }).toEqual({ code: 0, err: "" });
    expect(out).toBe(
      `- asked run R1 (process ${pid}) to end; waiting up to 30 s\n+ run R1 has ended; its books are written\n` +
        "  last step work · $0.50 · steps: 2\n" +
        "  next: run the same command in this folder again: it goes on where it stopped",
    );
    expect(isAlive({ pid: pid ?? 0, start: "" })).toBe(false);
  });

  it("leaves a process alone that only has the number of the one that held the folder", async () => {
    const { pid } = await startProcess("leaves");
    hold({ pid, start: "1" });
    expect(await stop()).toMatchObject({ code: 0, out: "- nothing is running in this folder" });
    expect(isAlive({ pid: pid ?? 0, start: "" })).toBe(true);
  });

  it("sends no signal where the start of the process is not known and its last sign of life is old", async () => {
    const { pid } = await startProcess("leaves");
    hold({ pid, start: "", heartbeat: Date.now() / 1000 - 3_600 });
    const { code, err } = await stop();
    expect(code).toBe(1);
    expect(err).toContain(`ps -p ${pid}`);
    expect(isAlive({ pid: pid ?? 0, start: "" })).toBe(true);
    hold({ pid, start: "" });
    expect(await stop()).toMatchObject({ code: 0 });
  });

  it("never kills a process that does not leave, unless told to, and then says so", async () => {
    const { pid = 0 } = await startProcess("stays");
    hold({ pid });
    const refused = await stop("--timeout", "0.3");
    expect(refused.code).toBe(1);
    expect(refused.err).toMatch(/still there after 0\.3 s\n {2}next: .*--timeout.*--force/);
    expect(await stop("--timeout", "0")).toMatchObject({
      code: 0,
      out: `- asked run R1 (process ${pid}) to end`,
    });
    expect(isAlive({ pid, start: "" })).toBe(true);
    const { code, out } = await stop("--force", "--timeout", "0.3");
    expect(code).toBe(0);
    expect(out).toContain(`! run R1 (process ${pid}) did not end within 0.3 s and was killed`);
    expect(out).toContain("it had not begun a step");
    expect(isAlive({ pid, start: "" })).toBe(false);
  });

  it("names the machine a run works on when that is another one", async () => {
    hold({ pid: 1, host: "elsewhere" });
    const { code, err } = await stop();
    expect(code).toBe(1);
    expect(err).toBe(
      "x run R1 works on another machine: elsewhere, process 1\n  next: run `flower stop` on elsewhere",
    );
  });

  it("takes a run by its id, also one that holds nothing, and knows those that are over", async () => {
    const first = await startProcess("leaves");
    const second = await startProcess("leaves");
    const log = (run: string, pid = 0, state = "begun") => {
      const payload = { notice: "run", state, run, host: hostname(), pid, start: processStart(pid) };
      const line = JSON.stringify({ at: 1, kind: "task", text: "", tool: "", payload });
      writeFileSync(join(folder, "runs", `events-${run}.jsonl`), `${line}\n`);
    };
    log("20260101-100000-aaaaaa", first.pid);
    log("20260101-110000-bbbbbb", second.pid);
    log("20260101-120000-cccccc", process.pid, "ended");
    const several = await stop();
    expect(several.code).toBe(1);
    expect(several.err).toContain("--run: 20260101-100000-aaaaaa, 20260101-110000-bbbbbb");
    expect(await stop("--run", "cccccc")).toMatchObject({
      code: 0,
      out: "- run 20260101-120000-cccccc is over already",
    });
    const unknown = await stop("--run", "20260101-100000-aaaaab");
    expect(unknown.code).toBe(1);
    expect(unknown.err).toContain("flower stop --run 20260101-100000-aaaaaa");
    expect((await stop("--run", "bbbbbb")).code).toBe(0);
    expect([first, second].map(({ pid = 0 }) => isAlive({ pid, start: "" }))).toEqual([true, false]);
    // One that is left is the one that is meant.
    expect((await stop()).code).toBe(0);
    expect(isAlive({ pid: first.pid ?? 0, start: "" })).toBe(false);
  });

  it("prints one object for programs", async () => {
    expect(JSON.parse((await stop("--json")).out)).toEqual({ run: null, outcome: "idle" });
    const { pid } = await startProcess("leaves");
    hold({ pid });
    book("R1");
    const { out, err } = await stop("--json");
    expect(JSON.parse(out)).toEqual({ run: "R1", pid, outcome: "ended", step: "work", cost_usd: 0.5 });
    expect(err).toContain("has ended");
  });

  it("prints one object for programs also where it refuses", async () => {
    const refused = async (...argv: string[]) => {
      const { code, out, err } = await stop("--json", ...argv);
      expect(err).toMatch(/^x /m);
      return { code, ...(JSON.parse(out) as object) };
    };
    hold({ pid: 1, host: "elsewhere" });
    const reason = "x run R1 works on another machine: elsewhere, process 1";
    const far = { run: "R1", pid: 1, host: "elsewhere", outcome: "elsewhere" };
    expect(await refused()).toEqual({ code: 1, exit: 1, reason, ...far });
    expect(await refused("--run", "none")).toEqual({
      ...{ code: 1, exit: 1, reason: expect.stringContaining("none") },
      ...{ run: null, outcome: "no_such_run" },
    });
    const { pid = 0 } = await startProcess("stays");
    hold({ pid, start: "", heartbeat: 1 });
    expect(await refused()).toMatchObject({ exit: 1, run: "R1", pid, outcome: "uncertain" });
    hold({ pid });
    book("R1");
    expect(await refused("--timeout", "0.1")).toEqual({
      ...{ code: 1, exit: 1, reason: expect.stringContaining("still there") },
      ...{ run: "R1", pid, outcome: "still_there", step: "work", cost_usd: 0.5 },
    });
  });

  it("counts a step whose cost its row does not say as one that cost nothing", async () => {
    const rows = [
      { run: "R1", step: "goal", session_id: "s", ok: true, cost_usd: 0.25 },
      { run: "R1", step: "work", session_id: "s", ok: false },
    ];
    writeFileSync(join(folder, "runs", "manifest.json"), JSON.stringify(rows));
    hold({ pid: (await startProcess("leaves")).pid });
    expect((await stop()).out).toContain("last step work · $0.25 · steps: 2");
    hold({ pid: (await startProcess("leaves")).pid });
    expect(JSON.parse((await stop("--json")).out)).toMatchObject({ outcome: "ended", cost_usd: 0.25 });
  });
});
