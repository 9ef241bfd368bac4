import { mkdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { dispatch, lastToolResult, text, toolUse } from "../../src/testing/index.ts";
import { smoothScript } from "./documents.ts";
import { filesBelow, git, repository, stage, temporaryFolder } from "./stage.ts";

function script(workspace: string) {
  return smoothScript({
    coordinator: [dispatch("coder", "Write wc.mjs."), text("Done.")],
    workers: {
      coder: [
        toolUse("Write", { file_path: join(workspace, "wc.mjs"), content: "console.log(3);\n" }),
        text("Conclusion: done."),
      ],
    },
  });
}

describe("a person's repository after a run", () => {
  it.each([
    ["its root", "."],
    ["a folder in it", "packages/words"],
  ])("shows the work and nothing of flower's own when the workspace is %s", async (_what, below) => {
    const top = temporaryFolder("flower-repo-");
    repository(top, { "README.md": "# mine\n", "packages/words/a.txt": "one\n" });
    const home = process.env.HOME!;
    const workspace = join(top, below);
    const before = { home: [...filesBelow(home).keys()], ignored: readOr(join(top, ".gitignore")) };

    const play = await stage(script, { workspace });
    const { ctx } = await play.flow("count the words in my files");
    expect(ctx._failedAt).toBeUndefined();

    const changed = git(top, "status", "--porcelain", "--untracked-files=all").split("\n").filter(Boolean);
    expect(changed).toEqual([`?? ${join(below, "wc.mjs")}`]);
    rmSync(join(workspace, "wc.mjs"));
    expect(git(top, "status", "--porcelain", "--untracked-files=all")).toBe("");
    expect(readOr(join(top, ".gitignore"))).toBe(before.ignored);

    // Nothing was written to the person's home, and in the repository only to flower's own folders.
    expect([...filesBelow(home).keys()]).toEqual(before.home);
    const flowers = [join(workspace, "runs"), join(workspace, ".flower"), join(top, ".git")];
    const others = [...filesBelow(top).keys()].filter(
      (file) => !flowers.some((own) => file.startsWith(`${own}/`)),
    );
    expect(others.sort()).toEqual([join(top, "README.md"), join(top, "packages/words/a.txt")].sort());
    play.api.verify();
  });

  it("shows nothing at all when its worker worked in a worktree of its own", async () => {
    const parent = temporaryFolder("flower-isolated-");
    const workspace = join(parent, "ws");
    mkdirSync(workspace);
    repository(workspace);
    const command = "echo 'console.log(3)' > wc.mjs; pwd";
    const play = await stage(
      smoothScript({
        coordinator: [dispatch("coder", "Write wc.mjs."), text("Done.")],
        workers: { coder: [toolUse("Bash", { command }), (request) => text(lastToolResult(request))] },
      }),
      { workspace },
    );
    const { ctx } = await play.flow("count the words in my files", { isolate: true });
    expect(ctx._failedAt).toBeUndefined();
    expect(git(workspace, "status", "--porcelain", "--untracked-files=all")).toBe("");
    const told = play.events.find((event) => event.kind === "task" && event.payload.notice === "worktree");
    expect(told?.text).toContain("wc.mjs");
    expect(told?.text).toContain(join(workspace, ".claude/worktrees/"));
    play.api.verify();
  });

  it("is not needed: a plain folder gets flower's own folders and the work, and nothing else", async () => {
    const parent = temporaryFolder("flower-plain-");
    mkdirSync(join(parent, "ws"));
    const play = await stage(script, { workspace: join(parent, "ws") });
    await play.flow("count the words in my files");
    const names = [...filesBelow(parent).keys()].map((file) =>
      file
        .slice(parent.length + 1)
        .split("/")
        .slice(0, 2)
        .join("/"),
    );
    expect([...new Set(names)].sort()).toEqual(["ws/.flower", "ws/runs", "ws/wc.mjs"]);
  });
});

function readOr(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
}
