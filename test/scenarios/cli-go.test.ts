import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { ask, dispatch, type Script, text, toolUse } from "../../src/testing/index.ts";
import { cliStage, commandOf, descendants, lives, startFlower } from "./cli-stage.ts";
import { briefText, goalText, verdictText } from "./documents.ts";
import { temporaryFolder } from "./stage.ts";

const BRIEF = briefText("Count words.");
const GOAL = goalText("A counter.", ["`wc -w < a.txt` -> prints 3"]);

/** The shortest whole story: two questions, one worker, one verdict. */
function story(workspace: string, verdict = verdictText("achieved", "1: it counts.")): Script {
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
  it("goes all the way with nobody there, and then has nothing to do until something is said, which reaches the same work session", async () => {
    const play = await cliStage((workspace) => {
      const first = story(workspace);
      return {
        ...first,
        judge: [...(first.judge ?? []), text(GOAL), text(verdictText("achieved", "Still."))],
        coordinator: [...(first.coordinator ?? []), text("Nothing to add.")],
      };
    });
    const end = await play.flower(["count", "my", "words"]);
    expect(end.stderr).toBe("");
    expect(end.code).toBe(0);
    const lines = end.stdout.trimEnd().split("\n");
    expect(lines.at(-1)).toMatch(/^total \$0\.\d{4} · manifest .*runs\/manifest\.json$/);
    expect(end.stdout).toContain("- budget $50.00");
    expect(end.stdout).toContain("--timeout S");
    expect(end.stdout).toContain("round 1 of 3: achieved");
    expect(end.stdout).not.toContain("\u001b");
    expect(JSON.stringify(play.api.requests[1]?.body)).toContain("count my words");
    expect(play.manifest().map((row) => row.step)).toEqual(["clarify", "goal", "work", "work:verdict#1"]);
    expect(existsSync(join(play.workspace, "runs", "asks", "runs"))).toBe(true);
    expect(readFileSync(join(play.workspace, "a.txt"), "utf8")).toBe("a b c\n");

    const requests = play.api.requests.length;
    const again = await play.flower([]);
    expect([again.code, again.stderr]).toEqual([0, ""]);
    expect(again.stdout).toContain("+ achieved, and nothing has changed since");
    expect(again.stdout.trimEnd().split("\n").at(-1)).toMatch(/^total \$0\.0000 · manifest /);
    const summary = JSON.parse((await play.flower(["--json"])).stdout);
    expect(summary.payload).toMatchObject({
      exit: 0,
      cost: 0,
      reason: expect.stringContaining("nothing to do"),
    });
    expect((await play.flower(["status"])).stdout).toContain("- last verdict: achieved\n");
    writeFileSync(join(play.workspace, "b.txt"), "mine\n");
    expect((await play.flower(["status"])).stdout).toContain("achieved, for a tree that has changed since");
    const status = JSON.parse((await play.flower(["status", "--json"])).stdout);
    expect(status).toMatchObject({
      standing: { kind: "tree_changed" },
      wake: { verdict: { state: "achieved" } },
    });
    expect(play.api.requests, "not even the probe of the credential").toHaveLength(requests);

    // All there is points at what the next run goes on with: cleaning takes the rest, whatever its age.
    const cleaned = await play.flower(["clean", "--older-than", "0"]);
    expect(cleaned).toMatchObject({ code: 0, stderr: "" });
    expect(cleaned.stdout).toMatch(/\n\+ freed \d/);

    const woken = await play.flower(["also", "count", "lines", "--budget", "none", "-T"]);
    expect(woken.code).toBe(0);
    expect(woken.stdout).toContain("\n- no budget\n");
    expect(woken.stdout).toContain("-T has no effect here");
    // The width of the screen folds lines; where, depends on how long the folder's path is.
    const unfolded = woken.stdout.replace(/\s+/g, " ");
    expect(unfolded).toMatch(
      /<- continuing in .*brief confirmed · goal 1 item · achieved, for a tree that has changed since.*wake 1/,
    );
    expect(woken.stdout).toMatch(/== work =+ 3\/3 {2}<- continued · wake 1/);
    expect(readFileSync(join(play.workspace, ".flower/notes/brief.md"), "utf8")).toContain(
      "also count lines",
    );
    play.api.verify();
  });

  it("gives each line of a pipe to one question, in order; --json prints one event a line and a summary last", async () => {
    const play = await cliStage((workspace) => ({ ...story(workspace), judge: [], coordinator: [] }));
    const end = await play.flower(["--json", "count", "--clarify-only"], "2\nvery fast\n");
    expect(end.code).toBe(0);
    const events = end.stdout
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(events.every((event) => typeof event.kind === "string")).toBe(true);
    const asks = events.filter((event) => event.kind === "ask").map((event) => event.payload.state);
    expect(asks).toEqual(["asked", "answered", "asked", "answered"]);
    expect(events.filter((event) => event.payload.state === "answered").map((event) => event.text)).toEqual([
      "all",
      "very fast",
    ]);
    expect(answers(play.workspace)).toContain("very fast");
    expect(events.at(-1)).toMatchObject({ kind: "task", payload: { notice: "summary", exit: 0 } });
    expect(events.at(-1).payload.manifest).toBe(join(play.workspace, "runs/manifest.json"));
    expect(events.at(-1).payload.cost).toBeGreaterThan(0);
  });

  it("takes all of a pipe as the request when no words were given", async () => {
    const play = await cliStage(story);
    const end = await play.flower(["--clarify-only"], "/etc/hosts should be\nchecked\n");
    expect(end.code).toBe(0);
    const clarify = play.api.requests.find((request) => request.role === "clarifier");
    expect(JSON.stringify(clarify?.body.messages)).toContain("/etc/hosts should be\\nchecked");
  });

  it("stops without a second round when the goal cannot be verified and nobody is there", async () => {
    const play = await cliStage((workspace) => ({
      ...story(workspace),
      clarifier: [text(BRIEF)],
      judge: [
        text(goalText("A counter.", ["it looks right on a phone [cannot verify here: there is none]"])),
        text(verdictText("unreachable", "There is no phone.")),
      ],
      coordinator: [text("Done.")],
    }));
    const end = await play.flower(["count"]);
    expect(end.code).toBe(1);
    expect(end.stderr).toContain("There is no phone.");
    expect(end.stderr).toContain("next: ");
    expect(play.manifest().filter((row) => row.step.startsWith("work#"))).toEqual([]);
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
    const play = await cliStage({ clarifier: [ask("Which files?", ["text", "all"]), text(BRIEF)] });
    const end = await play.start("count", "--clarify-only").ended;
    expect(end.code).toBe(0);
    expect(end.stdout).toMatch(/nobody answered in 5 s/);
  });
});

describe("several processes in one folder", () => {
  it("answers and speaks to a run that waits for an answer, and names it when it refuses a second go", async () => {
    const play = await cliStage({
      clarifier: [ask("Which files?", ["text", "all"]), ask("How fast?"), text(BRIEF)],
    });
    const run = play.start("go", "count", "--timeout", "60", "--clarify-only");
    await run.shown("? question q1");
    const status = JSON.parse((await play.flower(["status", "--json"])).stdout);
    expect(status.questions).toHaveLength(1);
    expect(status.live.pid).toBe(run.child.pid);
    expect((await play.flower(["say", "be", "quick"])).code).toBe(0);
    expect((await play.flower(["answer", "q9", "x"])).code).toBe(1);

    const brief = join(play.workspace, ".flower/notes/brief.md");
    await run.shown("noted; it is read at the next milestone");
    const second = await play.flower(["go", "something", "else"]);
    expect(second.code).toBe(1);
    expect(second.stderr).toContain(String(run.child.pid));
    expect(second.stderr).toContain("--parallel");
    expect(existsSync(brief)).toBe(false);

    const answer = await play.flower(["answer", "q1", "2"]);
    expect(answer).toMatchObject({ code: 0, stderr: "" });
    await run.shown("answered: all");
    await run.shown("? question q2");
    expect((await play.flower(["answer", status.questions[0].id.replace("q1", "q2"), "fast"])).code).toBe(0);
    run.child.stdin.end();
    const end = await run.ended;
    expect(end.code).toBe(0);
    expect(readFileSync(brief, "utf8")).toContain("be quick");
    expect(JSON.parse((await play.flower(["status", "--json"])).stdout)).toMatchObject({ questions: [] });
  });
});

describe("leaving", () => {
  /** A run whose worker has a command of its own running, with every process that belongs to it. */
  async function midRun() {
    const play = await cliStage({
      coordinator: [dispatch("coder", "Write a.txt."), text("Done.")],
      workers: { coder: [toolUse("Bash", { command: "sleep 300" }), text("Slept.")] },
    });
    mkdirSync(join(play.workspace, ".flower/notes"), { recursive: true });
    writeFileSync(join(play.workspace, ".flower/notes/brief.md"), BRIEF);
    const run = play.start("go", "--no-goal");
    await run.shown("| * Bash");
    const pid = run.child.pid ?? 0;
    const sleeps = () => descendants(pid).filter((child) => commandOf(child) === "sleep 300");
    await expect.poll(() => sleeps().length, { timeout: 30_000 }).toBe(1);
    return { play, run, children: descendants(pid) };
  }

  /** The harness gets ten seconds to leave before what is left is ended. */
  const GONE = { timeout: 30_000, interval: 200 };

  it("writes the books and leaves no child behind when `flower stop` ends it, and the follower of its events ends too", async () => {
    const { play, run, children } = await midRun();
    const follower = play.start("logs", "-f");
    await follower.shown("| * Bash");
    const stopped = await play.flower(["stop"]);
    expect(stopped).toMatchObject({ code: 0, stderr: "" });
    expect(stopped.stdout).toMatch(
      /^- asked run (\S+) \(process \d+\)[^\n]*\n\+ run \1 has ended[^\n]*\n {2}last step work · \$\d/,
    );
    const end = await run.ended;
    expect(end.code).toBe(143);
    expect(end.stderr).not.toMatch(/\n\s+at /);
    const told = await follower.ended;
    expect(told).toMatchObject({ code: 0, stderr: "" });
    // What the run printed of its events, word for word, the follower printed too.
    const events = end.stdout.slice(end.stdout.indexOf("== work"), end.stdout.indexOf("| * Bash"));
    expect(told.stdout).toContain(events);
    expect(told.stdout.trimEnd().split("\n").at(-1)).toBe(end.stdout.trimEnd().split("\n").at(-1));
    expect(await play.flower(["stop"])).toMatchObject({
      code: 0,
      stdout: "- nothing is running in this folder\n",
    });
    const raw = (await play.flower(["logs", "--json"])).stdout.trimEnd().split("\n");
    expect(raw.map((line) => JSON.parse(line)).at(-1)).toMatchObject({
      payload: { notice: "run", state: "ended" },
    });
    expect(await play.flower(["logs", "--run", "none"])).toMatchObject({ code: 1, stdout: "" });
    expect(play.manifest().find((row) => row.step === "work")).toMatchObject({
      ok: false,
      error: "killed-by-signal",
    });
    expect(children.length).toBeGreaterThan(2);
    await expect.poll(() => children.filter(lives), GONE).toEqual([]);
  });

  it("writes the books on SIGHUP, leaves no child behind, and exits 129", async () => {
    const { play, run, children } = await midRun();
    run.child.kill("SIGHUP");
    const end = await run.ended;
    expect(end.code).toBe(129);
    expect(end.stderr).not.toMatch(/\n\s+at /);
    expect(play.manifest().find((row) => row.step === "work")).toMatchObject({
      ok: false,
      error: "killed-by-signal",
    });
    expect(children.length).toBeGreaterThan(2);
    await expect.poll(() => children.filter(lives), GONE).toEqual([]);
  });

  it("interrupts on the first Ctrl-C and leaves with 130 on the second; meanwhile one is refused, one runs beside it", async () => {
    const { play, run, children } = await midRun();
    expect(await play.flower(["something", "else"])).toMatchObject({ code: 1 });
    expect(readFileSync(join(play.workspace, ".flower/notes/brief.md"), "utf8")).toBe(BRIEF);
    expect(await play.flower(["--parallel", "--clarify-only"])).toMatchObject({ code: 0, stderr: "" });
    run.child.kill("SIGINT");
    await run.shown("! interrupted");
    run.child.kill("SIGINT");
    const end = await run.ended;
    expect(end.code).toBe(130);
    expect(end.stderr).not.toMatch(/\n\s+at /);
    expect(end.stdout.trimEnd().split("\n").at(-1)).toMatch(/^total /);
    // What a signal that ends at once leaves behind as well: one way out is like the other.
    expect(play.manifest().find((row) => row.step === "work")).toMatchObject({
      ok: false,
      error: "killed-by-signal",
    });
    expect(existsSync(join(play.workspace, "runs/lineage.json"))).toBe(true);
    expect(children.length).toBeGreaterThan(2);
    await expect.poll(() => children.filter(lives), GONE).toEqual([]);
  });
});

describe("the folders of a run", () => {
  it("stay with the workspace, wherever flower is started, also when the reader goes away", async () => {
    const play = await cliStage({ clarifier: [text(BRIEF)] });
    const elsewhere = temporaryFolder("flower-else-");
    const project = join(play.workspace, "proj");
    mkdirSync(project);
    const started = startFlower(["-w", project, "-r", "books", "--clarify-only", "x", "y"], {
      cwd: elsewhere,
      env: play.env,
    });
    started.child.stdin.end();
    started.child.stdout.destroy();
    expect(await started.ended).toMatchObject({ code: 0, stderr: "" });
    expect(existsSync(join(project, "books/manifest.json"))).toBe(true);
    expect(existsSync(join(elsewhere, "books"))).toBe(false);
  });
});
