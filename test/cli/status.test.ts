import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { lstatSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { hostname, tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { statusCommand } from "../../src/cli/commands/status.ts";
import type { FolderStatus } from "../../src/cli/status/folder-status.ts";
import { nextStep } from "../../src/cli/status/next-step.ts";
import { summariseRuns } from "../../src/cli/status/run-summary.ts";
import { type StatusView, statusLines } from "../../src/cli/status/status-lines.ts";
import { unreadWords } from "../../src/cli/status/unread-words.ts";
import { createTranslator } from "../../src/config/locale/translator.ts";
import { createRunId, runBegan } from "../../src/core/ids.ts";
import { selfMark } from "../../src/core/processes.ts";
import { createEvent } from "../../src/events/event.ts";
import { EventLog } from "../../src/runtime/event-log.ts";
import { type } from "./screen-io.ts";

const NOW = 1_800_000_000;
const view: StatusView = {
  t: createTranslator("en"),
  width: 80,
  verbose: false,
  folder: "",
  paint: (_tone, text) => text,
  home: "/home/ann",
  now: NOW,
};

const NOTHING: FolderStatus = {
  workspace: "/home/ann/proj",
  runDir: "/home/ann/proj/runs",
  manifest: "/home/ann/proj/runs/manifest.json",
  wake: {
    waking: false,
    brief: "/home/ann/proj/.flower/notes/brief.md",
    briefReady: false,
    goal: "/home/ann/proj/.flower/notes/goal.md",
    checks: 0,
    woke: 0,
    steps: {},
    verdict: undefined,
  },
  standing: undefined,
  live: undefined,
  beside: [],
  limitUntil: undefined,
  runs: [],
  costUsd: 0,
  asideUsd: 0,
  questions: [],
  unread: [],
  worktrees: [],
  disk: { runs: 0, workbench: 0 },
  damaged: undefined,
};

const RUN = "20270115-080000-3fa9c1";
const question = {
  id: "q1-3f9a",
  question: "Which\u001b[2J files?",
  options: ["text", "all"],
  askedAt: NOW - 90,
  run: RUN,
  pid: 7,
};
const waking = { ...NOTHING.wake, waking: true, briefReady: true, checks: 7, woke: 2 };

function row(run: string, step: string, more: object = {}) {
  return {
    run,
    step,
    session_id: null,
    ok: true,
    cost_usd: 0.1,
    started_at: NOW - 600,
    ended_at: NOW - 300,
    ...more,
  };
}

describe("what status says", () => {
  it("of a folder where nothing has run", () => {
    expect(statusLines(view, NOTHING)).toEqual([
      "- ~/proj: nothing has run here yet",
      "  next: say what you want: `flower make me …`",
    ]);
  });

  it("of a run at work, what waits for a person, and what stands", () => {
    const runs = summariseRuns([
      row("20270114-080000-000001", "clarify"),
      row("20270114-080000-000001", "work"),
      row("20270114-080000-000001", "work:verdict#1", { text: "## Conclusion\nnot yet\n\n## Reason\nno\n" }),
      row("20270114-080000-000001", "work#round2", { ok: false, error: "killed-by-signal" }),
      row("20270114-090000-000002", "once", { ok: false, error: "unfinished", ended_at: 0 }),
      row(RUN, "work", { ok: false, error: "unfinished", ended_at: 0 }),
    ]);
    const status: FolderStatus = {
      ...NOTHING,
      wake: waking,
      live: { host: "box", pid: 7, start: "1", run: RUN, step: "work", heartbeat: NOW, since: NOW - 3_723 },
      beside: [{ run: "20270115-090000-00beef", host: "box", pid: 8, start: "1", at: NOW }],
      runs,
      costUsd: 0.7,
      asideUsd: 0.1,
      questions: [question],
      unread: [{ text: "be\nquick", at: NOW }],
      worktrees: [{ path: "/w", branch: "b", commits: 1, files: ["a", "b"] }],
      disk: { runs: 900_000_000, workbench: 41_000 },
    };
    const lines = statusLines(view, status).map((line) => line.replace(/\d{4}-\d\d-\d\d \d\d:\d\d/, "TIME"));
    expect(lines).toEqual([
      "<- ~/proj  brief confirmed · goal 7 items · wakes: 2",
      "= running now: process 7 on box, step work · for 1:02:03 · 3fa9c1",
      "= also at work: run 20270115-090000-00beef, process 8 on box",
      "? q1-3f9a  Which files?  (waits for 1:30)",
      "    1. text",
      "    2. all",
      "    flower answer q1-3f9a …",
      "! said and not read by an agent yet: 1",
      "    be quick",
      "- last runs:",
      "    x TIME · 5:00 · $0.40 · ended by a signal · 000001 · clarify >",
      "      work",
      "    x TIME · - · $0.10 · cut off without warning · 000002 · once",
      "    = TIME · 10:00 · $0.10 · at work · 3fa9c1 · work",
      "- cost so far: $0.70 · runs: 3 · $0.10 of it for questions aside",
      "- isolated worktrees: 1",
      "    # /w  b  files: 2",
      "- on disk: runs 900 MB · workbench 41 KB; `flower clean` makes that less",
      "  next: answer with `flower answer q1-3f9a …`, or see what goes on with `flower",
      "  logs -f`",
    ]);
  });

  it("with the colon of its language before a list", () => {
    const status = { ...NOTHING, runs: summariseRuns([row("r", "work")]) };
    const lists = (["en", "zh", "pt"] as const).map((lang) =>
      statusLines({ ...view, t: createTranslator(lang) }, status).find((line) => /^- .*[:：]$/u.test(line)),
    );
    expect(lists).toEqual(["- last runs:", "- 最近的运行：", "- últimas execuções:"]);
  });

  it("of a run that was judged: what its last judge ruled", () => {
    const [run] = summariseRuns([
      row("r", "work"),
      row("r", "work:verdict#1", {
        text: "## Conclusion\nachieved\n\n## Reason\nit works\n\n## Not passed\n(none)\n",
      }),
    ]);
    expect(run).toMatchObject({ verdict: "achieved", ok: true, startedAt: NOW - 600, endedAt: NOW - 300 });
    const lines = statusLines(view, { ...NOTHING, runs: run === undefined ? [] : [run] });
    expect(lines.join("\n")).toMatch(/ {4}\+ .* · 5:00 · \$0\.20 · achieved · r · work\n/);
  });
});

describe("a run that was judged", () => {
  const text = "## Conclusion\nachieved\n\n## Reason\nit works\n\n## Not passed\n(none)\n";
  const summed = (...rows: Parameters<typeof summariseRuns>[0]) => {
    const runs = summariseRuns(rows);
    return { verdict: runs[0]?.verdict, lines: statusLines(view, { ...NOTHING, runs }).join("\n") };
  };
  const booked = (step: string, state: unknown) => row("r", step, { text, verdict: { state } });

  it("is listed by what counted, not by what its judge wrote", () => {
    const overruled = summed(row("r", "work"), booked("work:verdict#1", "not_yet"));
    expect(overruled.verdict).toBe("not_yet");
    expect(overruled.lines).toMatch(/ {4}x .* · not yet · r · work\n/);
    const accepted = summed(row("r", "work"), booked("work:verdict#1", "accepted"));
    expect(accepted.verdict).toBe("accepted");
    expect(accepted.lines).toMatch(/ {4}\+ .* · accepted by you · r · work\n/);
    const unclear = summed(row("r", "work"), booked("work:verdict#1", "unclear"));
    expect(unclear.lines).toMatch(/ {4}x .* could not be read/);
    expect(summed(row("r", "work"), booked("work:verdict#1", "splendid")).verdict).toBe("achieved");
  });

  it("keeps its last verdict whoever else was heard in the round, and names none of them as a step", () => {
    const { verdict, lines } = summed(
      row("r", "work"),
      booked("work:verdict#1", "not_yet"),
      row("r", "work:verdict#1.again", { text }),
      row("r", "work:verdict#1.second", { text }),
      row("r", "work:verdict#1.second.again", { text }),
    );
    expect(verdict).toBe("not_yet");
    expect(lines).toMatch(/ · not yet · r · work\n/);
  });

  it("is one also where the judge has a name of its own", () => {
    const { verdict, lines } = summed(
      row("r", "issue#7"),
      row("r", "issue#7#round1"),
      booked("review#1", "not_yet"),
      row("r", "review#1.second"),
    );
    expect(verdict).toBe("not_yet");
    expect(lines).toMatch(/ {4}x .* · not yet · r · issue#7 > review\n/);
  });
});

describe("the next step", () => {
  const last = { state: "achieved", changedDocuments: [] as readonly string[] };
  const judged = (kind: "holds" | "tree_changed" | "worked_on") =>
    ({ wake: { ...waking, verdict: last }, standing: { kind } }) as unknown as Partial<FolderStatus>;
  const live = { host: "h", pid: 1, start: "", run: RUN, step: "", heartbeat: 0, since: undefined };

  it.each<[string, Partial<FolderStatus>, string]>([
    ["nothing here", {}, "next.start"],
    ["a brief", { wake: waking }, "next.go_on"],
    ["a run at work", { wake: waking, live }, "next.live"],
    ["a run beside", { beside: [{ ...live, at: 0 }] }, "next.live"],
    ["a damaged book", { wake: waking, damaged: "x" }, "next.damaged"],
    ["done, and nothing has changed", judged("holds"), "next.done"],
    ["done, and the tree has changed", judged("tree_changed"), "next.judge"],
    ["done, and worked on since", judged("worked_on"), "next.go_on"],
  ])("%s", (_name, some, key) => {
    expect(nextStep(view.t, { ...NOTHING, ...some })).toBe(view.t(key as "next.start"));
  });

  it("is the question before everything, and the end of a usage limit before a wake", () => {
    expect(nextStep(view.t, { ...NOTHING, live, questions: [question] })).toContain(
      "`flower answer q1-3f9a …`",
    );
    expect(nextStep(view.t, { ...NOTHING, wake: waking, limitUntil: NOW })).toMatch(/after \d{4}-\d\d-\d\d/);
  });
});

describe("the time a run began", () => {
  it("stands in its id", () => {
    const at = new Date(2027, 0, 15, 8, 3, 9);
    expect(runBegan(createRunId(at))).toBe(at.getTime() / 1000);
    expect(runBegan("starting-7")).toBeUndefined();
  });
});

describe("flower status on a folder", () => {
  let workspace = "";
  let runs = "";
  beforeEach(() => {
    workspace = mkdtempSync(join(tmpdir(), "flower-status-"));
    runs = join(workspace, "runs");
    mkdirSync(runs);
  });
  afterEach(() => rmSync(workspace, { recursive: true, force: true }));

  /** Every file there is, with its content and the time of its last change. */
  function everything(folder: string): string[] {
    return readdirSync(folder, { recursive: true, withFileTypes: true }).map((entry) => {
      const path = join(entry.parentPath, entry.name);
      const { mtimeMs, size } = lstatSync(path);
      const hash = entry.isFile() ? createHash("sha256").update(readFileSync(path)).digest("hex") : "";
      return [path, size, mtimeMs, hash].join(" ");
    });
  }

  it("writes not one byte, not even in the repository's index", async () => {
    const env = { PATH: process.env.PATH ?? "", HOME: workspace };
    const git = (...args: string[]) => spawnSync("git", ["-C", workspace, ...args], { env });
    writeFileSync(join(workspace, "a.txt"), "a");
    git("init", "-q");
    git("add", "a.txt");
    git("-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qm", "a");
    // A file that git has to look at again: it would note that in its index.
    writeFileSync(join(workspace, "a.txt"), "a");
    writeFileSync(join(runs, "manifest.json"), JSON.stringify([row(RUN, "once")]));
    writeFileSync(join(runs, "sessions.db"), "not opened");
    const log = new EventLog(runs, RUN, () => {});
    log.write(createEvent("text", { text: "x", payload: {} }));
    const before = everything(workspace);
    expect((await type(statusCommand, ["status", "-w", workspace])).code).toBe(0);
    expect((await type(statusCommand, ["status", "--json", "-w", workspace])).code).toBe(0);
    expect(everything(workspace)).toEqual(before);
  });

  it("knows a run that holds nothing, its unread words, and what all of it takes on the disk", async () => {
    const log = new EventLog(runs, RUN, () => {});
    const mail = (id: string, state: "queued" | "delivered", text: string) =>
      log.write(createEvent("ask", { text, payload: { kind: "mail", state, id, at: NOW } }));
    mail("m1-aaaa", "queued", "read already");
    mail("m2-aaaa", "queued", "not yet");
    mail("m1-aaaa", "delivered", "read already");
    expect(await unreadWords(runs, RUN)).toEqual([{ text: "not yet", at: NOW }]);
    writeFileSync(join(runs, "limit.json"), JSON.stringify({ reset_at: Date.now() / 1000 + 3_600 }));
    mkdirSync(join(workspace, ".flower", "spill"), { recursive: true });
    writeFileSync(join(workspace, ".flower", "spill", "a"), "x".repeat(10_000));
    const { out } = await type(statusCommand, ["status", "-w", workspace]);
    expect(out).toContain(`= also at work: run ${RUN}, process ${process.pid} on ${hostname()}`);
    expect(out).toContain("! said and not read by an agent yet: 1\n    not yet");
    expect(out).toMatch(/^! usage limit reached; waiting until /m);
    expect(out).toMatch(/on disk: runs \d[\d.]* KB · workbench 1\d KB/);
    log.close();
    const over = JSON.parse((await type(statusCommand, ["status", "--json", "-w", workspace])).out);
    expect(over).toMatchObject({
      beside: [],
      unread: [],
      limitUntil: expect.any(Number),
      next: expect.any(String),
    });
  });

  it("names who holds the folder and since when", async () => {
    const record = { host: hostname(), ...selfMark(), run: RUN, step: "work", heartbeat: Date.now() / 1000 };
    writeFileSync(join(runs, "active.json"), JSON.stringify(record));
    const { out } = await type(statusCommand, ["status", "--json", "-w", workspace]);
    expect(JSON.parse(out).live).toEqual({ ...record, since: runBegan(RUN) });
  });

  it("says of a folder that is not there how to make it, and of books that cannot be read what follows", async () => {
    const gone = await type(statusCommand, ["status", "-w", join(workspace, "gone")]);
    expect(gone.code).toBe(0);
    expect(gone.out).toMatch(/there is no such folder\n {2}next: .*`flower go`/);
    expect(readdirSync(dirname(join(workspace, "gone")))).toEqual(["runs"]);
    writeFileSync(join(runs, "manifest.json"), "[{");
    const damaged = await type(statusCommand, ["status", "-w", workspace]);
    expect(damaged.out).toMatch(
      /^! the manifest cannot be read: [\s\S]*\n {2}next: .*puts the damaged book aside/m,
    );
  });
});
