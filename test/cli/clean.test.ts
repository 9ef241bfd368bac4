import { spawn } from "node:child_process";
import { once } from "node:events";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { hostname, tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import Driver from "libsql";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { filesBelow } from "../../src/cli/clean/files.ts";
import { cleanCommand } from "../../src/cli/commands/clean.ts";
import { selfMark } from "../../src/core/processes.ts";
import { SqliteSessionStore } from "../../src/sessions/sqlite-session-store.ts";
import { type } from "./screen-io.ts";

const DAY_S = 86_400;
const NOW = Date.now() / 1000;
const OLD = NOW - 40 * DAY_S;

let home = "";
let workspace = "";
let runs = "";

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "flower-clean-"));
  workspace = join(home, "ws");
  runs = join(workspace, "runs");
  mkdirSync(runs, { recursive: true });
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(home, { recursive: true, force: true });
});

/** A file that was last changed at some time. */
function file(path: string, changedAt: number, text = "x"): string {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  utimesSync(path, changedAt, changedAt);
  return path;
}

const book = (name: string, value: unknown) => writeFileSync(join(runs, name), JSON.stringify(value));

function row(run: string, step: string, session: string | null, at: number, more: object = {}): object {
  return {
    run,
    step,
    session_id: session,
    ok: true,
    cost_usd: 1,
    started_at: at,
    ended_at: at + 60,
    ...more,
  };
}

interface Kept {
  readonly id: string;
  readonly at: number;
  readonly text?: string;
}

/** A store with these sessions, each with a worker, last grown at their time. */
async function store(sessions: readonly Kept[], path = join(runs, "sessions.db")): Promise<void> {
  mkdirSync(dirname(path), { recursive: true });
  const made = new SqliteSessionStore({ path });
  for (const { id, text = "" } of sessions) {
    const key = { projectKey: "-w", sessionId: id };
    await made.append(key, [{ type: "user", uuid: "1", text: `${text}${"y".repeat(20_000)}` }]);
    await made.append({ ...key, subpath: "subagents/agent-a" }, [{ type: "user", uuid: "1", text }]);
  }
  made.close();
  const driver = new Driver(path);
  for (const { id, at } of sessions) {
    const set = "UPDATE meta SET mtime = ? WHERE store_key = ? OR store_key LIKE ?";
    driver.prepare(set).run(at * 1000, `-w/${id}`, `-w/${id}/%`);
  }
  driver.close();
}

async function stored(path = join(runs, "sessions.db")): Promise<string[]> {
  const opened = new SqliteSessionStore({ path });
  const list = await opened.listSessions("-w");
  opened.close();
  return list.map(({ sessionId }) => sessionId).sort();
}

const clean = (...argv: string[]) => type(cleanCommand, ["clean", "-w", workspace, ...argv]);

describe("the sessions that flower clean removes", () => {
  it("are those nothing points at: lineage, finished steps, young runs and what grew since then stay", async () => {
    const ids = ["lineage", "finished", "young", "retired", "charged", "grown", "old", "orphan", "timeless"];
    await store(ids.map((id) => ({ id, at: id === "grown" ? NOW : OLD })));
    book("lineage.json", { workspace: "/elsewhere", woke: 1, steps: { work: "lineage" } });
    book("finished.json", { workspace, steps: { a: { text: "", session_id: "finished", prompt: "" } } });
    book("manifest.json", [
      row("r1", "work", "old", OLD),
      row("r1", "work", "lineage", OLD),
      row("r2", "work", "young", NOW - DAY_S, { retired: ["retired"], session_totals: { charged: 1 } }),
      { run: "r0", step: "work", session_id: "timeless", ok: true, cost_usd: 0 },
    ]);
    const before = readFileSync(join(runs, "manifest.json"), "utf8");
    const { code, out, err } = await clean();
    expect({ code, err }).toEqual({ code: 0, err: "" });
    expect(await stored()).toEqual([...ids].filter((id) => id !== "old" && id !== "orphan").sort());
    expect(out).toMatch(/^- sessions that nothing continues: 2 \(4\d KB\)\n\+ freed /);
    expect(readFileSync(join(runs, "manifest.json"), "utf8")).toBe(before);
    const opened = new SqliteSessionStore({ path: join(runs, "sessions.db") });
    expect(await opened.listSubkeys({ projectKey: "-w", sessionId: "lineage" })).toEqual([
      "subagents/agent-a",
    ]);
    expect(
      await opened.load({ projectKey: "-w", sessionId: "old", subpath: "subagents/agent-a" }),
    ).toBeNull();
    opened.close();
    expect(await clean()).toMatchObject({ code: 0, out: expect.stringMatching(/^- nothing old to remove/) });
  });

  it("depend on the age that is asked for; the lineage stays at any", async () => {
    await store([
      { id: "lineage", at: OLD },
      { id: "a", at: NOW - 3 * DAY_S },
      { id: "b", at: NOW - DAY_S },
    ]);
    book("lineage.json", { workspace, woke: 0, steps: { work: "lineage" } });
    await clean("--older-than", "2d");
    expect(await stored()).toEqual(["b", "lineage"]);
    await clean("--older-than", "0");
    expect(await stored()).toEqual(["lineage"]);
  });

  it("are none when the books cannot be read: nobody knows then", async () => {
    await store([{ id: "a", at: OLD }]);
    writeFileSync(join(runs, "manifest.json"), "[{");
    const refused = await clean("--json");
    expect(refused.code).toBe(1);
    expect(refused.err).toMatch(/^x .*manifest\.json cannot be read .*\n {2}next: run `flower` here/);
    expect(JSON.parse(refused.out)).toEqual({ exit: 1, reason: refused.err.split("\n", 1)[0] });
    expect(await stored()).toEqual(["a"]);
    rmSync(join(runs, "manifest.json"));
    writeFileSync(join(runs, "lineage.json"), "{");
    book("manifest.json", [row("r1", "work", "a", OLD)]);
    await clean();
    expect(await stored()).toEqual(["a"]);
  });

  it("include those of the side channel", async () => {
    const aside = join(runs, "aside", "sessions.db");
    await store(
      [
        { id: "asked", at: OLD },
        { id: "now", at: NOW },
      ],
      aside,
    );
    await clean();
    expect(await stored(aside)).toEqual(["now"]);
    expect(existsSync(join(runs, "sessions.db"))).toBe(false);
  });
});

describe("the files that flower clean removes", () => {
  it("are old ones of flower's own that nothing mentions", async () => {
    const name = (letter: string) => `${letter.repeat(16)}.txt`;
    const bench = join(workspace, ".flower");
    const project = join(runs, "harness", "projects", "-w");
    await store([{ id: "lineage", at: OLD, text: `see .flower/spill/${name("a")} ` }]);
    book("lineage.json", { workspace, woke: 0, steps: { work: "lineage" } });
    book("manifest.json", [
      row("20260101-000000-aaaaaa", "work", "gone", OLD),
      row("20260101-000000-aaaaaa", "work:verdict#1", "judge", OLD),
      row("20260102-000000-bbbbbb", "once", "gone2", OLD),
      row("20261101-000000-cccccc", "once", "young", NOW),
    ]);
    file(join(bench, "notes", "handoff-work.md"), OLD, `look at .flower/spill/${name("b")}`);
    const stay = [
      join(bench, "spill", name("a")),
      join(bench, "spill", name("b")),
      join(bench, "spill", "mine.txt"),
      join(bench, "notes", "handoff-work.md"),
      join(bench, "scripts", "build.sh"),
      join(bench, "artifacts", "report.txt"),
      join(bench, "artifacts", "evidence", "20260101-000000-aaaaaa", "round-1", "item-1.txt"),
      join(runs, "events-20261101-000000-cccccc.jsonl"),
      join(runs, "harness", ".claude.json"),
      join(runs, "harness", "plugins", "a.json"),
      join(runs, "notes-of-mine.txt"),
      join(workspace, "src.ts"),
    ].map((path) => (existsSync(path) ? path : file(path, OLD)));
    const young = [
      file(join(bench, "spill", name("d")), NOW),
      file(join(project, "young.jsonl"), NOW),
      file(join(bench, "tmp", "claude-0", "task.output"), NOW),
    ];
    const go = [
      join(bench, "spill", name("c")),
      join(home, ".flower-ws", "spill", name("c")),
      join(runs, "workbench", "spill", name("c")),
      join(bench, "tmp", "old", "probe"),
      join(bench, "artifacts", "evidence", "20260102-000000-bbbbbb", "round-1", "item-1.txt"),
      join(project, "gone.jsonl"),
      join(project, "gone", "subagents", "agent-a.jsonl"),
      join(runs, "harness", "shell-snapshots", "s.sh"),
      join(runs, "harness", "tmp", "t"),
      join(runs, "events-20260102-000000-bbbbbb.jsonl"),
      join(runs, "events-20260102-000000-bbbbbb.older.jsonl"),
      join(runs, "manifest.json.damaged-20260101-000000-0000"),
    ].map((path) => file(path, OLD));
    // What a link leads to is not flower's to remove.
    const outside = file(join(home, "outside", name("e")), OLD);
    symlinkSync(join(home, "outside"), join(bench, "spill", "linked"));

    const dry = await clean("--dry-run");
    expect(dry.out).toContain("nothing was removed");
    expect(go.filter((path) => !existsSync(path))).toEqual([]);
    const listed = JSON.parse((await clean("--dry-run", "--json")).out);
    expect(listed.files.map((each: { path: string }) => each.path).sort()).toEqual([...go].sort());
    const all = (await clean("--dry-run", "-v")).out;
    for (const path of go) expect(all).toContain(path.replace(`${workspace}/`, ""));

    const { code, out } = await clean();
    expect(code).toBe(0);
    expect(go.filter((path) => existsSync(path))).toEqual([]);
    expect([...stay, ...young, outside].filter((path) => !existsSync(path))).toEqual([]);
    expect(existsSync(join(bench, "tmp", "old"))).toBe(false);
    expect(existsSync(join(project, "gone"))).toBe(false);
    expect(existsSync(join(bench, "artifacts", "evidence", "20260102-000000-bbbbbb"))).toBe(false);
    expect(out).toMatch(/spill|long tool results that no session mentions: 3/);
  });

  it.each([
    ["a judge with a name of its own", "review#1"],
    ["the usual judge", "work:verdict#1"],
  ])(
    "leave the evidence of the last verdict of %s, and not that of a later judge who was cut off",
    async (_name, step) => {
      book("manifest.json", [
        row("20260101-000000-aaaaaa", "work:verdict#1", "first", OLD, { verdict: { state: "not_yet" } }),
        row("20260102-000000-bbbbbb", step, "judge", OLD, { verdict: { state: "achieved" } }),
        row("20260103-000000-cccccc", "work:verdict#1", "cut off", OLD, { ok: false }),
      ]);
      const evidence = (run: string) =>
        file(join(workspace, ".flower", "artifacts", "evidence", run, "round-1", "item-1.txt"), OLD);
      const [before, stands, after] = [
        evidence("20260101-000000-aaaaaa"),
        evidence("20260102-000000-bbbbbb"),
        evidence("20260103-000000-cccccc"),
      ];
      await clean();
      expect([before, stands, after].map((path) => existsSync(path))).toEqual([false, true, false]);
    },
  );

  it("include the copies of sessions that a killed run left among the system's temporary files, and no others", async () => {
    const temporary = join(home, "tmp");
    vi.stubEnv("TMPDIR", temporary);
    await store([{ id: "young", at: NOW }]);
    // The side channel works in the same folder: what is left is listed once all the same.
    await store([{ id: "asked", at: NOW }], join(runs, "aside", "sessions.db"));
    const copy = (digit: string, project: string, at: number) => {
      const folder = join(temporary, `claude-resume-${digit.repeat(8)}-0000-0000-0000-000000000000`);
      file(join(folder, "projects", project, "s.jsonl"), at);
      file(join(folder, ".claude.json"), at);
      return folder;
    };
    const [ours, others, inUse] = [copy("1", "-w", OLD), copy("2", "-other", OLD), copy("3", "-w", NOW)];
    const { files } = JSON.parse((await clean("--dry-run", "--json")).out);
    expect(files.map(({ path }: { path: string }) => path)).toEqual(
      expect.arrayContaining([join(ours, ".claude.json"), join(ours, "projects", "-w", "s.jsonl")]),
    );
    expect(files).toHaveLength(2);
    expect((await clean()).out).toContain("temporary files: 2");
    expect([ours, others, inUse].map((path) => existsSync(path))).toEqual([false, true, true]);
  });

  it("are counted as what they take on the disk, before and after", async () => {
    file(join(runs, "harness", "a"), OLD, "z".repeat(1_000_000));
    await store([{ id: "a", at: OLD, text: "z".repeat(3_000_000) }]);
    const use = () => [...filesBelow(runs)].reduce((sum, { bytes }) => sum + bytes, 0);
    const before = use();
    const report = JSON.parse((await clean("--json")).out);
    expect(report).toMatchObject({
      dry_run: false,
      compaction: "done",
      failed: [],
    });
    // The lease that is held meanwhile takes a block.
    expect(Math.abs(report.bytes_before - before)).toBeLessThanOrEqual(8_192);
    expect(Math.abs(report.bytes_after - use())).toBeLessThanOrEqual(8_192);
    expect(report.bytes_before - report.bytes_after).toBeGreaterThan(3_900_000);
    expect(report.files).toMatchObject([{ kind: "harness" }]);
    expect(report.sessions).toMatchObject([{ sessionId: "a", bytes: expect.any(Number) }]);
  });
});

describe("flower clean", () => {
  it("does nothing while a run is at work, whether it holds the folder or not", async () => {
    await store([{ id: "a", at: OLD }]);
    const mark = { host: hostname(), ...selfMark() };
    book("active.json", { ...mark, run: "R", step: "work", heartbeat: NOW });
    expect(await clean()).toMatchObject({
      code: 1,
      out: "",
      err: expect.stringMatching(/at work here: R\n.*`flower stop`/),
    });
    expect(JSON.parse((await clean("--json")).out)).toEqual({
      exit: 1,
      reason: expect.stringMatching(/^x .*at work here: R$/),
      live: ["R"],
    });
    rmSync(join(runs, "active.json"));
    const payload = { notice: "run", state: "begun", run: "P", ...mark };
    const line = JSON.stringify({ at: NOW, kind: "task", text: "", tool: "", payload });
    writeFileSync(join(runs, "events-P.jsonl"), `${line}\n`);
    expect(await clean()).toMatchObject({ code: 1, err: expect.stringContaining("at work here: P") });
    expect(await stored()).toEqual(["a"]);
    expect((await clean("--dry-run")).out).toContain("sessions that nothing continues: 1");
  });

  it("touches nothing where flower keeps no books", async () => {
    rmSync(runs, { recursive: true });
    file(join(workspace, ".flower", "spill", "aaaaaaaaaaaaaaaa.txt"), OLD);
    expect(await clean()).toMatchObject({ code: 0, out: `- nothing to clean: ${runs} does not exist` });
    expect(readdirSync(workspace)).toEqual([".flower"]);
    expect(readdirSync(join(workspace, ".flower", "spill"))).toHaveLength(1);
  });

  it("breaks nothing when it is killed in the middle; the next one ends what it began", async () => {
    const many = Array.from({ length: 150 }, (_, i) => ({ id: `s${i}`, at: OLD }));
    await store([{ id: "lineage", at: OLD, text: "precious" }, ...many]);
    book("lineage.json", { workspace, woke: 0, steps: { work: "lineage" } });
    const main = resolve("dist/cli/main.js");
    const env = { PATH: process.env.PATH ?? "", HOME: home };
    const child = spawn(process.execPath, [main, "clean", "-w", workspace], { env, stdio: "ignore" });
    const ended = once(child, "exit");
    // Held from before the first session goes until after the last file.
    await expect
      .poll(() => existsSync(join(runs, "active.json")), { timeout: 20_000, interval: 2 })
      .toBe(true);
    await expect
      .poll(async () => (await stored()).length, { timeout: 20_000, interval: 5 })
      .toBeLessThan(145);
    child.kill("SIGKILL");
    await ended;
    const left = await stored();
    expect(left).toContain("lineage");
    const opened = new SqliteSessionStore({ path: join(runs, "sessions.db") });
    expect(await opened.load({ projectKey: "-w", sessionId: "lineage" })).toMatchObject([
      { text: expect.stringMatching(/^precious/) },
    ]);
    opened.close();
    expect((await clean()).code).toBe(0);
    expect(await stored()).toEqual(["lineage"]);
    expect(existsSync(join(runs, "active.json"))).toBe(false);
  });
});
