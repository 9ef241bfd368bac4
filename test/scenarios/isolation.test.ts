import { existsSync, mkdirSync, readFileSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { coordinator } from "../../src/agents/roles/coordinator.ts";
import { worker } from "../../src/agents/roles/worker.ts";
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
import { briefText, goalText, verdictText } from "./documents.ts";
import { git, repository, stage, temporaryFolder } from "./stage.ts";

function repositoryFolder(): string {
  const workspace = join(temporaryFolder("flower-iso-"), "repo");
  mkdirSync(workspace);
  repository(workspace, { "a.txt": "one\n" });
  return workspace;
}

describe("isolated workers", () => {
  it("work in worktrees of their own, at once; the judge is told where, and what reached the checkout is reported", async () => {
    const workspace = repositoryFolder();
    const told: string[] = [];
    const script: Script = {
      clarifier: [text(briefText("Two files."))],
      judge: [
        text(goalText("Two files.", ["x.txt and y.txt exist"])),
        (request: ApiRequest) => {
          told.push(allText(request));
          const worktree = /\S+\.claude\/worktrees\/agent-\w+/.exec(allText(request))?.[0];
          return text(verdictText("achieved", `1: both are in their worktrees, one in ${worktree}`));
        },
      ],
      coordinator: [
        [dispatch("coder", "write x.txt"), dispatch("coder", "write y.txt")],
        (request: ApiRequest) => {
          told.push(allText(request));
          return text("Both report.");
        },
      ],
      speakers: [
        speaker("first worker", "write x.txt", [
          toolUse("Write", { file_path: "x.txt", content: "x" }),
          toolUse("Write", { file_path: join(workspace, "stray.txt"), content: "y" }),
          text("Conclusion: one."),
        ]),
        speaker("second worker", "write y.txt", [
          toolUse("Bash", { command: `echo leaked > ${join(workspace, "leaked.txt")}; echo y > y.txt` }),
          text("Conclusion: two."),
        ]),
      ],
    };
    const play = await stage(script, { workspace });
    const flow = starterFlow("two files", { workspace, timeoutS: 0, isolate: true });
    const runtime = play.runtime(flow.workbench === undefined ? {} : { workbench: flow.workbench });
    const ctx = await flow.run(runtime);
    expect(ctx._aborted).toBeUndefined();
    expect(ctx._failedAt).toBeUndefined();

    const worktrees = git(workspace, "worktree", "list").trim().split("\n").slice(1);
    expect(worktrees).toHaveLength(2);
    expect(existsSync(join(workspace, "stray.txt"))).toBe(false);
    expect(existsSync(join(workspace, "x.txt"))).toBe(false);

    const notices = play.events.filter(
      (event) => event.kind === "task" && event.payload.notice === "worktree",
    );
    expect(notices.map((event) => event.text).join("\n")).toMatch(
      /changed the shared checkout through Bash: leaked\.txt/,
    );
    expect(told[0]).toMatch(/flower noticed[\s\S]*leaked\.txt/);
    expect(told[1]).toContain(".claude/worktrees/agent-");
    expect(told[1]).toMatch(/branch worktree-agent-\S+, 0 commits, \d files? changed/);
    expect(git(workspace, "status", "--porcelain").trim()).toBe("?? leaked.txt");
    expect(flow.workbench?.root).toBe(join(dirname(workspace), ".flower-repo"));
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
