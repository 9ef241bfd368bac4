import { appendFileSync, linkSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterEach, describe, expect, it } from "vitest";
import { logsCommand } from "../../src/cli/commands/logs.ts";
import { chooseRun, findRun } from "../../src/cli/logs/choose-run.ts";
import { showLine } from "../../src/cli/logs/show-line.ts";
import { tailLines } from "../../src/cli/logs/tail-lines.ts";
import { EventPrinter } from "../../src/cli/screen/event-printer.ts";
import { createTranslator } from "../../src/config/locale/translator.ts";
import { selfMark } from "../../src/core/processes.ts";
import { createEvent } from "../../src/events/event.ts";
import { EventLog } from "../../src/runtime/event-log.ts";
import { findRunOwner, liveRuns } from "../../src/runtime/run-presence.ts";

import { type } from "./screen-io.ts";

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

function temporary(): string {
  const folder = mkdtempSync(join(tmpdir(), "flower-logs-"));
  folders.push(folder);
  return folder;
}

/** Reads a log whose writer acts whenever everything was read; the run is over once no acts are left. */
async function read(folder: string, acts: (() => void)[] = []): Promise<string[]> {
  const lines: string[] = [];
  const tail = tailLines({
    path: join(folder, "log"),
    older: join(folder, "log.older"),
    goesOn: () => acts.length > 0,
    pause: async () => acts.shift()?.(),
  });
  for await (const line of tail) lines.push(line);
  return lines;
}

describe("the lines of a log", () => {
  it("come whole, also when they are written in pieces and end without a line end", async () => {
    const folder = temporary();
    const log = join(folder, "log");
    writeFileSync(log, "one\ntw");
    const bytes = Buffer.from("o ü\nhalf");
    const acts = [
      () => appendFileSync(log, bytes.subarray(0, 3)),
      () => {},
      () => appendFileSync(log, bytes.subarray(3)),
    ];
    expect(await read(folder, acts)).toEqual(["one", "two ü"]);
  });

  it("are waited for where the file is not there yet", async () => {
    const folder = temporary();
    expect(await read(folder)).toEqual([]);
    expect(await read(folder, [() => {}, () => writeFileSync(join(folder, "log"), "a\n")])).toEqual(["a"]);
  });

  it("come once each and in order when the log is renamed while it is read", async () => {
    const folder = temporary();
    const log = join(folder, "log");
    writeFileSync(`${log}.older`, "0\n");
    writeFileSync(log, "1\n");
    const rotate = (next: string) => {
      appendFileSync(log, `${next}-before\n`);
      renameSync(log, `${log}.older`);
      writeFileSync(log, `${next}\n`);
    };
    const acts = [() => rotate("2"), () => appendFileSync(log, "3\n"), () => rotate("4"), () => rotate("5")];
    const lines = await read(folder, acts);
    expect(lines).toEqual(["0", "1", "2-before", "2", "3", "4-before", "4", "5-before", "5"]);
  });

  it("come once where it was renamed in the moment it was opened", async () => {
    const folder = temporary();
    writeFileSync(join(folder, "log"), "a\n");
    linkSync(join(folder, "log"), join(folder, "log.older"));
    expect(await read(folder)).toEqual(["a"]);
  });

  it("take no memory that grows with the log", async () => {
    const folder = temporary();
    const log = join(folder, "log");
    const part = `${JSON.stringify({ kind: "text", text: "x".repeat(2_000) })}\n`.repeat(500);
    for (let i = 0; i < 64; i += 1) appendFileSync(log, part);
    const start = process.memoryUsage().rss;
    let [most, count] = [0, 0];
    const tail = tailLines({ path: log, older: `${log}.older`, goesOn: () => false, pause: async () => {} });
    for await (const line of tail) {
      count += line.length > 0 ? 1 : 0;
      if (count % 1_000 === 0) most = Math.max(most, process.memoryUsage().rss - start);
    }
    expect(count).toBe(32_000);
    expect(most).toBeLessThan(48 * 1024 * 1024);
  });
});

describe("a line as the terminal showed it", () => {
  const view = {
    folder: "",
    t: createTranslator("en"),
    verbose: false,
    width: 80,
    paint: (_: string, text: string) => text,
  };

  it("is that of the event", () => {
    const log = new EventLog(temporary(), "R", () => {});
    const line = JSON.stringify({
      at: 1,
      ...createEvent("tool_call", { tool: "Bash", text: "ls", payload: { id: "1", input: {} } }),
    });
    expect(showLine(line, view, new EventPrinter())).toEqual(["* Bash  ls"]);
    log.close();
  });

  it("is nothing for what is no event, and never an exception", () => {
    for (const line of ["", "{", "[]", "null", '{"kind":"later"}', '{"kind":1}']) {
      expect(showLine(line, view, new EventPrinter())).toEqual([]);
    }
    const kinds = fc.constantFrom(
      "text",
      "task",
      "step",
      "ask",
      "handoff",
      "retry",
      "tool_call",
      "result",
      "x",
    );
    const event = fc.record({
      kind: kinds,
      text: fc.anything(),
      tool: fc.anything(),
      payload: fc.anything(),
    });
    fc.assert(
      fc.property(event, (value) => {
        showLine(JSON.stringify(value) ?? "", view, new EventPrinter());
      }),
    );
  });
});

describe("flower logs", () => {
  it("says at the end of a run what became of it, and of one cut off that nobody saw it end", async () => {
    const workspace = temporary();
    const runDir = join(workspace, "runs");
    mkdirSync(runDir);
    const logs = (...argv: string[]) => type(logsCommand, ["logs", "-w", workspace, ...argv]);
    expect(await logs()).toMatchObject({ code: 1, out: "", err: expect.stringContaining("next: start one") });
    const log = new EventLog(runDir, "20270101-000000-aaaaaa", () => {});
    log.write(createEvent("text", { text: "Hello.", payload: {} }));
    log.close();
    const row = { run: "20270101-000000-aaaaaa", step: "once", session_id: null, cost_usd: 0.5 };
    const book = (more: object) =>
      writeFileSync(join(runDir, "manifest.json"), JSON.stringify([{ ...row, ...more }]));
    book({ ok: true });
    expect((await logs()).out).toMatch(
      /^- run 20270101-000000-aaaaaa, begun .*\n\nHello\.\ntotal \$0\.5000 · manifest /,
    );
    book({ ok: false, error: "unfinished" });
    const cut = (await logs("--run", "aaaaaa")).out;
    expect(cut).toMatch(/Hello\.\nx stopped: cut off without warning\ntotal /);
    const raw = (await logs("--json")).out.split("\n");
    expect(raw.map((line) => JSON.parse(line).payload.notice)).toEqual(["run", undefined, "run"]);
    appendFileSync(join(runDir, "events-20270101-000000-aaaaaa.jsonl"), "garbage{\n");
    const damaged = await logs();
    expect(damaged.out).toContain("Hello.");
    expect(damaged.err).toMatch(/^! lines that cannot be read any more: 1, in .*aaaaaa\.jsonl;/);
    const unknown = await logs("--run", "20270101-000000-aaaaab");
    expect(unknown.err).toMatch(/next: did you mean `flower logs --run 20270101-000000-aaaaaa`\?$/);
  });
});

describe("which run is meant", () => {
  const known = ["20260101-100000-aaaaaa", "20260101-110000-bbbbbb", "20260203-090000-cccccc"];

  it.each([
    ["20260203-090000-cccccc", { kind: "run", run: known[2] }],
    ["bbbbbb", { kind: "run", run: known[1] }],
    ["20260203", { kind: "run", run: known[2] }],
    ["20260101", { kind: "ambiguous", runs: known.slice(0, 2) }],
    ["20260203-090000-ccccdd", { kind: "unknown", nearest: known[2] }],
    ["nonsense", { kind: "unknown", nearest: undefined }],
  ])("%s", (typed, wanted) => {
    expect(findRun(known, typed)).toEqual(wanted);
  });

  function logOf(runDir: string, run: string, last: "begun" | "ended" | "killed"): void {
    const log = new EventLog(runDir, run, () => {});
    log.write(createEvent("text", { text: "hello", payload: {} }));
    if (last === "ended") log.close();
    if (last !== "killed") return;
    const payload = { notice: "run", state: "begun", run, host: hostname(), ...selfMark(), start: "1" };
    writeFileSync(
      log.path,
      `${JSON.stringify({ at: 1, kind: "task", text: "", tool: "", payload })}\n{"kind":"te`,
    );
  }

  function hold(runDir: string, run: string, start = selfMark().start): void {
    const record = { host: hostname(), pid: process.pid, start, run, step: "", heartbeat: Date.now() / 1000 };
    writeFileSync(join(runDir, "active.json"), JSON.stringify(record));
  }

  it("is the newest at work, else the newest of all", () => {
    const runDir = temporary();
    expect(chooseRun(runDir, undefined, false)).toEqual({ kind: "none" });
    logOf(runDir, "1", "ended");
    logOf(runDir, "2", "begun");
    logOf(runDir, "3", "killed");
    expect(liveRuns(runDir)).toEqual(["2"]);
    expect(chooseRun(runDir, undefined, false)).toEqual({ kind: "run", run: "2" });
    rmSync(join(runDir, "events-2.jsonl"));
    expect(chooseRun(runDir, undefined, false)).toEqual({ kind: "run", run: "3" });
    expect(chooseRun(runDir, "9", false)).toMatchObject({ kind: "unknown" });
  });

  it("is the holder of the folder, also before it has said anything; one about to begin is waited for", () => {
    const runDir = temporary();
    logOf(runDir, "1", "ended");
    hold(runDir, "2");
    expect(chooseRun(runDir, undefined, true)).toEqual({ kind: "run", run: "2" });
    hold(runDir, `starting-${process.pid}`);
    expect(chooseRun(runDir, undefined, true)).toEqual({ kind: "none" });
    expect(chooseRun(runDir, undefined, false)).toEqual({ kind: "run", run: "1" });
    hold(runDir, "2", "1");
    expect(findRunOwner(runDir, "2")).toBeUndefined();
  });
});
