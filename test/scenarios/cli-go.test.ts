import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { ask, dispatch, hang, type Script, text, toolUse } from "../../src/testing/index.ts";
import { cliStage, descendants, lives, startFlower } from "./cli-stage.ts";
import { briefText, goalText, verdictText } from "./documents.ts";
import { temporaryFolder } from "./stage.ts";

const BRIEF = briefText("Count words.");
const GOAL = goalText("A counter.", ["it counts"]);

/** The shortest whole story: two questions, one worker, one verdict. */
function story(workspace: string, verdict = verdictText("achieved", "It counts.")): Script {
  return {
    clarifier: [ask("Which files?", ["text", "all"]), ask("How fast?"), text(BRIEF)],
    judge: [text(GOAL), text(verdict)],
    coordinator: [dispatch("coder", "Write a.txt."), text("Done.")],
    workers: {
      coder: [
        toolUse("Write", { file_path: join(workspace, "a.txt"), content: "a b c\n" }),
        text("Written."),
      ],
    },
  };
}

function answers(workspace: string): string {
  return readFileSync(join(workspace, ".flower/notes/qa.md"), "utf8");
}

describe("flower go", () => {
  it("goes all the way with nobody there, and ends with cost and manifest on the last line", async () => {
    const play = await cliStage(story);
    const end = await play.flower(["count", "my", "words"]);
    expect(end.stderr).toBe("");
    expect(end.code).toBe(0);
    play.api.verify();
    const lines = end.stdout.trimEnd().split("\n");
    expect(lines.at(-1)).toMatch(/^total \$0\.\d{4} · manifest .*runs\/manifest\.json$/);
    expect(end.stdout).toContain("--timeout S");
    expect(end.stdout).toContain("round 1 of 3: achieved");
    expect(end.stdout).not.toContain("\u001b");
    expect(JSON.stringify(play.api.requests[1]?.body)).toContain("count my words");
    expect(play.manifest().map((row) => row.step)).toEqual(["clarify", "goal", "work", "work:verdict#1"]);
    expect(existsSync(join(play.workspace, "runs", "asks", "runs"))).toBe(true);
    expect(readFileSync(join(play.workspace, "a.txt"), "utf8")).toBe("a b c\n");
  });

  it("gives each line of a pipe to one question, in order", async () => {
    const play = await cliStage(story);
    const end = await play.flower(["go", "count"], "2\nvery fast\n");
    expect(end.code).toBe(0);
    expect(end.stdout.indexOf("? question q1")).toBeLessThan(end.stdout.indexOf("answered: all"));
    expect(end.stdout).toContain("answered: very fast");
    expect(answers(play.workspace)).toContain("very fast");
  });

  it("takes all of a pipe as the request when no words were given", async () => {
    const play = await cliStage(story);
    const end = await play.flower([], "/etc/hosts should be\nchecked\n");
    expect(end.code).toBe(0);
    const clarify = play.api.requests.find((request) => request.role === "clarifier");
    expect(JSON.stringify(clarify?.body.messages)).toContain("/etc/hosts should be\\nchecked");
  });

  it("prints one event a line with --json and a summary last, and nothing else", async () => {
    const play = await cliStage(story);
    const end = await play.flower(["--json", "count"]);
    const events = end.stdout
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(events.every((event) => typeof event.kind === "string")).toBe(true);
    expect(events.at(-1)).toMatchObject({ kind: "task", payload: { notice: "summary", exit: 0 } });
    expect(events.at(-1).payload.manifest).toBe(join(play.workspace, "runs/manifest.json"));
    expect(events.at(-1).payload.cost).toBeGreaterThan(0);
  });

  it("stops without a second round when the goal cannot be verified and nobody is there", async () => {
    const play = await cliStage((workspace) =>
      story(workspace, verdictText("unreachable", "There is no phone.")),
    );
    const end = await play.flower(["count"]);
    expect(end.code).toBe(1);
    expect(end.stderr).toContain("There is no phone.");
    expect(end.stderr).toContain("next: ");
    expect(play.manifest().filter((row) => row.step.startsWith("work#"))).toEqual([]);
  });

  it("wakes where it left off: what is said on a wake reaches the same work session", async () => {
    const play = await cliStage((workspace) => {
      const first = story(workspace);
      return {
        ...first,
        judge: [...(first.judge ?? []), text(GOAL), text(verdictText("achieved", "Still."))],
        coordinator: [...(first.coordinator ?? []), text("Nothing to add.")],
      };
    });
    await play.flower(["count"]);
    const end = await play.flower(["also", "count", "lines"]);
    expect(end.code).toBe(0);
    expect(end.stdout).toMatch(/<- continuing in .*brief confirmed · goal 1 items.*wake 1/s);
    expect(end.stdout).toMatch(/== work =+ 3\/3 {2}<- continued · wake 1/);
    expect(readFileSync(join(play.workspace, ".flower/notes/brief.md"), "utf8")).toContain(
      "also count lines",
    );
  });

  it("refuses a rejected credential at once, with the next step on standard error", async () => {
    const play = await cliStage(story, { expectKey: "another" });
    const end = await play.flower(["count"]);
    expect(end.code).toBe(1);
    expect(end.stderr).toMatch(/HTTP 401/);
    expect(end.stderr).toContain("flower setup");
    expect(end.stdout + end.stderr).not.toContain("sk-ant-test-dummy");
    expect(play.api.requests).toHaveLength(1);
    expect(existsSync(join(play.workspace, ".flower"))).toBe(false);
  });

  it("names both ways out when there is no credential at all", async () => {
    const cwd = temporaryFolder("flower-cli-");
    const started = startFlower(["x", "y"], { cwd, env: { PATH: process.env.PATH ?? "", HOME: cwd } });
    started.child.stdin.end();
    const end = await started.ended;
    expect(end.code).toBe(1);
    expect(end.stderr).toContain("flower setup");
    expect(end.stderr).toContain("flower demo");
    expect(end.stderr).not.toMatch(/\n\s+at /);
  });

  it("is a usage error with nothing to do, and a plain one with a workspace that is a file", async () => {
    const play = await cliStage(story);
    expect((await play.flower([])).code).toBe(2);
    writeFileSync(join(play.workspace, "file"), "");
    const end = await play.flower(["-w", "file", "count"]);
    expect(end.code).toBe(1);
    expect(end.stderr).toMatch(/is a file/);
    expect((await play.flower(["say", "hello"])).code).toBe(1);
  });

  it("does not hang on a pipe that is open and silent", async () => {
    const play = await cliStage(story);
    const started = play.start("count");
    const end = await started.ended;
    expect(end.code).toBe(0);
    expect(end.stdout).toMatch(/nobody answered in 5 s/);
  });
});

describe("several processes in one folder", () => {
  it("answers a waiting question, and says something, from another process", async () => {
    const play = await cliStage(story);
    const run = play.start("go", "count", "--timeout", "60");
    await run.shown("? question q1");
    const status = JSON.parse((await play.flower(["status", "--json"])).stdout);
    expect(status.questions).toHaveLength(1);
    expect(status.live.pid).toBe(run.child.pid);
    expect((await play.flower(["say", "be", "quick"])).code).toBe(0);
    expect((await play.flower(["answer", "q9", "x"])).code).toBe(1);
    const answer = await play.flower(["answer", "q1", "2"]);
    expect(answer).toMatchObject({ code: 0, stderr: "" });
    await run.shown("answered: all");
    await run.shown("? question q2");
    expect((await play.flower(["answer", status.questions[0].id.replace("q1", "q2"), "fast"])).code).toBe(0);
    run.child.stdin.end();
    const end = await run.ended;
    expect(end.code).toBe(0);
    expect(readFileSync(join(play.workspace, ".flower/notes/brief.md"), "utf8")).toContain("be quick");
    expect(JSON.parse((await play.flower(["status", "--json"])).stdout)).toMatchObject({ questions: [] });
  });

  it("refuses a second go by naming the holder and touches nothing; --parallel runs beside it", async () => {
    const play = await cliStage((workspace) => {
      const first = story(workspace);
      return { ...first, clarifier: [text(BRIEF), text(BRIEF)], judge: [text(GOAL), hang()] };
    });
    const run = play.start("go", "count");
    run.child.stdin.end();
    await run.shown("== work");
    const before = readFileSync(join(play.workspace, ".flower/notes/brief.md"), "utf8");
    const second = await play.flower(["go", "something", "else"]);
    expect(second.code).toBe(1);
    expect(second.stderr).toContain(String(run.child.pid));
    expect(second.stderr).toContain("--parallel");
    expect(readFileSync(join(play.workspace, ".flower/notes/brief.md"), "utf8")).toBe(before);
    const beside = await play.flower(["go", "--parallel", "--clarify-only", "beside"]);
    expect(beside.stderr).toBe("");
    expect(beside.code).toBe(0);
  });
});

describe("leaving", () => {
  async function midRun() {
    const play = await cliStage((workspace) => ({
      ...story(workspace),
      clarifier: [text(BRIEF)],
      workers: { coder: [toolUse("Bash", { command: "sleep 300" }), text("Slept.")] },
    }));
    const run = play.start("go", "count");
    run.child.stdin.end();
    await run.shown("| * Bash");
    const pid = run.child.pid ?? 0;
    await expect.poll(() => descendants(pid).length, { timeout: 10_000 }).toBeGreaterThan(1);
    return { play, run, children: descendants(pid) };
  }

  it.each([
    ["SIGTERM", 143],
    ["SIGHUP", 129],
  ] as const)("writes the books on %s, leaves no child behind, and exits %i", async (signal, code) => {
    const { play, run, children } = await midRun();
    run.child.kill(signal);
    const end = await run.ended;
    expect(end.code).toBe(code);
    expect(end.stderr).not.toMatch(/\n\s+at /);
    expect(play.manifest().find((row) => row.step === "work")).toMatchObject({
      ok: false,
      error: "killed-by-signal",
    });
    await expect.poll(() => children.filter(lives), { timeout: 10_000 }).toEqual([]);
  });

  it("interrupts on the first Ctrl-C and leaves with 130 on the second", async () => {
    const { play, run, children } = await midRun();
    run.child.kill("SIGINT");
    await run.shown("! interrupted");
    run.child.kill("SIGINT");
    const end = await run.ended;
    expect(end.code).toBe(130);
    expect(end.stdout.trimEnd().split("\n").at(-1)).toMatch(/^total /);
    expect(play.manifest().some((row) => row.step === "work")).toBe(true);
    expect(existsSync(join(play.workspace, "runs/lineage.json"))).toBe(true);
    await expect.poll(() => children.filter(lives), { timeout: 10_000 }).toEqual([]);
  });

  it("does not fall over a reader that goes away", async () => {
    const play = await cliStage(story);
    const run = play.start("count");
    run.child.stdin.end();
    run.child.stdout.destroy();
    const end = await run.ended;
    expect(end.code).toBe(0);
    expect(end.stderr).toBe("");
  });
});

describe("the folders of a run", () => {
  it("keeps state with the workspace, wherever flower is started", async () => {
    const play = await cliStage(story);
    const elsewhere = temporaryFolder("flower-else-");
    const project = join(play.workspace, "proj");
    mkdirSync(project);
    const started = startFlower(["-w", project, "-r", "books", "--clarify-only", "x", "y"], {
      cwd: elsewhere,
      env: play.env,
    });
    started.child.stdin.end();
    expect((await started.ended).code).toBe(0);
    expect(existsSync(join(project, "books/manifest.json"))).toBe(true);
    expect(existsSync(join(elsewhere, "books"))).toBe(false);
  });
});
