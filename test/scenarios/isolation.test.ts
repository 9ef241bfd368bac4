import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { coordinator } from "../../src/agents/roles/coordinator.ts";
import { worker } from "../../src/agents/roles/worker.ts";
import { worktreesCommand } from "../../src/cli/commands/worktrees.ts";
import {
  type ApiRequest,
  allText,
  dispatch,
  type Script,
  speaker,
  text,
  toolUse,
} from "../../src/testing/index.ts";
import { Workbench } from "../../src/workbench/workbench.ts";
import { starterFlow } from "../../src/workflow/starter-flow.ts";
import { type } from "../cli/screen-io.ts";
import { briefText, goalText, verdictText } from "./documents.ts";
import { git, repository, stage, temporaryFolder } from "./stage.ts";

function repositoryFolder(): string {
  const workspace = join(temporaryFolder("flower-iso-"), "repo");
  mkdirSync(workspace);
  repository(workspace, { "a.txt": "one\n" });
  return workspace;
}

/** Branch that the words of a request say does not merge. */
function conflictIn(request: ApiRequest): string {
  return /Conflict: (flower\/\S+) does not merge/.exec(allText(request))?.[1] ?? "no conflict was named";
}

describe("isolated workers", () => {
  it("are judged where their work is together: a conflict is named and resolved, what reached the checkout is reported, and the person's branch waits", async () => {
    const workspace = repositoryFolder();
    const told: Record<string, string> = {};
    // Lenient on purpose: what is not merged must hold the round back by itself.
    const ruling =
      (name: string, reason = "1: It is all there.") =>
      (request: ApiRequest) => {
        told[name] = allText(request);
        return text(verdictText("achieved", reason));
      };
    const script: Script = {
      clarifier: [text(briefText("Two files."))],
      judge: [
        text(goalText("Two files.", ["`git rev-parse --abbrev-ref HEAD` -> prints flower/"])),
        ruling("first"),
        ruling("second"),
        ruling("woken", "1: It is all there.\n2: x.txt is there."),
      ],
      coordinator: [
        [dispatch("coder", "write x.txt"), dispatch("coder", "write y.txt")],
        (request: ApiRequest) => {
          told.dispatched = allText(request);
          return text("Both report.");
        },
        (request: ApiRequest) => dispatch("coder", `resolve ${conflictIn(request)}`),
        text("Resolved."),
      ],
      speakers: [
        speaker("first worker", "write x.txt", [
          toolUse("Write", { file_path: "x.txt", content: "x" }),
          toolUse("Write", { file_path: join(workspace, "stray.txt"), content: "y" }),
          toolUse("Bash", { command: "echo first > a.txt" }),
          text("Conclusion: one."),
        ]),
        speaker("second worker", "write y.txt", [
          toolUse("Bash", {
            command: `echo leaked > ${join(workspace, "leaked.txt")}; echo second > a.txt; echo y > y.txt`,
          }),
          text("Conclusion: two."),
        ]),
        speaker("third worker", /resolve flower/, [
          (request: ApiRequest) => {
            const branch = /resolve (flower\/\S+)/.exec(allText(request))?.[1];
            return toolUse("Bash", { command: `ls; git merge ${branch}; echo both > a.txt; git add a.txt` });
          },
          (request: ApiRequest) => {
            told.third = allText(request);
            return text("Conclusion: resolved.");
          },
        ]),
      ],
    };
    const play = await stage(script, { workspace });
    const head = git(workspace, "rev-parse", "HEAD");
    const flow = starterFlow("two files", { workspace, timeoutS: 0, isolate: true });
    const runtime = play.runtime(flow.workbench === undefined ? {} : { workbench: flow.workbench });
    const ctx = await flow.run(runtime);
    expect(ctx._aborted).toBeUndefined();
    expect(ctx._failedAt).toBeUndefined();
    expect(ctx._goal_rounds).toBe(2);

    const branch = `flower/${runtime.runId}`;
    const path = join(workspace, ".claude", "worktrees", `flower-${runtime.runId}`);
    expect(told.first).toContain(`merged into ${branch}, which is checked out in ${path}`);
    expect(told.first).toMatch(
      /Not in it:\n- Conflict: flower\/\S+ does not merge into \S+: a\.txt \(also changed by /,
    );
    expect(told.dispatched).toMatch(/flower noticed[\s\S]*leaked\.txt[\s\S]*Conflict: /);
    expect(told.third).toMatch(/a\.txt\n(?:[\s\S]*\n)?(?:x|y)\.txt/);
    expect(told.second).not.toContain("Conflict");
    expect(readFileSync(join(path, "a.txt"), "utf8")).toBe("both\n");
    expect(existsSync(join(path, "x.txt")) && existsSync(join(path, "y.txt"))).toBe(true);
    expect(git(path, "status", "--porcelain")).toBe("");

    const notices = (name: string) =>
      play.events.filter((event) => event.kind === "task").filter(({ payload }) => payload.notice === name);
    expect(notices("worktree").map(String).join("\n")).toMatch(
      /changed the shared checkout through Bash: leaked\.txt/,
    );
    expect(play.manifest().find((row) => row.step === "work")?.errors).toContainEqual(
      expect.stringMatching(/changed the shared checkout through Bash: leaked\.txt/),
    );
    expect(notices("verdict").map(({ payload }) => payload)).toMatchObject([
      { state: "not_yet", failed: [expect.stringContaining("Conflict: ")] },
      { state: "achieved" },
    ]);
    const commands = notices("evidence").filter(({ payload }) => payload.phase === "done");
    expect(commands.map(({ payload }) => payload.outcome)).toEqual(["held", "held"]);
    expect(notices("integration").at(-1)?.payload).toMatchObject({
      branch,
      path,
      base: "main",
      files: ["a.txt", "x.txt", "y.txt"],
      conflicts: [],
    });
    expect(git(workspace, "rev-parse", "HEAD")).toBe(head);
    expect(git(workspace, "status", "--porcelain").trim()).toBe("?? leaked.txt");
    expect(existsSync(join(workspace, "stray.txt"))).toBe(false);
    expect(flow.workbench?.root).toBe(join(dirname(workspace), ".flower-repo"));
    await runtime.close();

    // A wake that judges before anybody works looks at what is not merged yet as well.
    const goal = join(flow.workbench?.notes ?? "", "goal.md");
    writeFileSync(goal, `${readFileSync(goal, "utf8").trimEnd()}\n2. there is an x.txt\n`);
    const wake = starterFlow("", { workspace, timeoutS: 0, isolate: true });
    const later = play.runtime(wake.workbench === undefined ? {} : { workbench: wake.workbench });
    const woken = await wake.run(later);
    play.api.verify();
    expect(woken).toMatchObject({ _goal_rounds: 0, _passedBy: "judge" });
    expect(told.woken).toContain(`merged into flower/${later.runId}, which is checked out in`);
    await later.close();

    const typed = (...argv: string[]) => type(worktreesCommand, ["worktrees", ...argv, "-w", workspace]);
    const together = new RegExp(`# flower-${later.runId}\\n {4}commits: 2, files: 3 · merges cleanly`);
    expect((await typed()).out).toMatch(together);
    expect(await typed("merge", "--all")).toMatchObject({ code: 0, err: "" });
    expect(readFileSync(join(workspace, "a.txt"), "utf8")).toBe("both\n");
    expect((await typed("remove", "--merged")).out.match(/is removed/g)).toHaveLength(5);
    expect(git(workspace, "worktree", "list").trim().split("\n")).toHaveLength(1);
    expect(git(workspace, "branch").trim()).toBe("* main");
    expect(git(workspace, "status", "--porcelain").trim()).toBe("?? leaked.txt");
  });
});

describe("isolation that cannot be given", () => {
  const isolatedSpec = () => coordinator("c", "", { coder: worker("codes", "You code.", { isolate: true }) });

  it("is refused without a repository, before anything starts", async () => {
    const workspace = temporaryFolder("flower-ws-");
    expect(() => starterFlow("x", { workspace, isolate: true })).toThrow(
      expect.objectContaining({ code: "no_repository", hint: expect.stringContaining("git init") }),
    );
  });

  it("is refused without a commit", () => {
    const workspace = temporaryFolder("flower-ws-");
    git(workspace, "init", "-q");
    expect(() => starterFlow("x", { workspace, isolate: true })).toThrow(
      expect.objectContaining({ code: "no_commit" }),
    );
  });

  it("is refused with the workbench inside the repository, and with worktrees that lead out of it", async () => {
    const workspace = repositoryFolder();
    const play = await stage({}, { workspace });
    const inside = play.runtime({ workbench: new Workbench({ workspace }) });
    await expect(inside.run(isolatedSpec(), "x")).rejects.toMatchObject({ code: "workbench_inside_repo" });
    mkdirSync(join(workspace, ".claude"), { recursive: true });
    symlinkSync("/tmp", join(workspace, ".claude", "elsewhere"));
    const outside = play.runtime({
      workbench: new Workbench({ workspace, home: join(dirname(workspace), "bench") }),
    });
    const linked = repositoryFolder();
    symlinkSync("/tmp", join(linked, ".claude"));
    expect(() => starterFlow("x", { workspace: linked, isolate: true })).toThrow(
      expect.objectContaining({ code: "worktrees_are_a_link" }),
    );
    await outside.close();
    expect(play.api.requests).toEqual([]);
    expect(readFileSync(join(workspace, "a.txt"), "utf8")).toBe("one\n");
  });

  it("is refused when there is no git at all", () => {
    const workspace = repositoryFolder();
    const path = process.env.PATH;
    process.env.PATH = temporaryFolder("empty-path-");
    try {
      expect(() => starterFlow("x", { workspace, isolate: true })).toThrow(
        expect.objectContaining({ code: "git_missing" }),
      );
    } finally {
      process.env.PATH = path;
    }
  });
});
