import { execFileSync, spawnSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { ignoreRunDir, ignoreWorktrees } from "../../src/workbench/git-ignore.ts";
import { Workbench } from "../../src/workbench/workbench.ts";

const HOME = mkdtempSync(join(tmpdir(), "flower-git-home-"));
const ENV = { PATH: process.env.PATH ?? "", HOME, GIT_CONFIG_NOSYSTEM: "1" };

function git(cwd: string, ...args: string[]): string {
  const who = ["-c", "user.name=t", "-c", "user.email=t@localhost", "-c", "init.defaultBranch=main"];
  return execFileSync("git", [...who, ...args], { cwd, env: ENV, encoding: "utf8" });
}

const status = (cwd: string) => git(cwd, "status", "--porcelain", "--untracked-files=all");

function repository(files: Record<string, string> = { "a.txt": "a" }): string {
  const top = mkdtempSync(join(tmpdir(), "flower-repo-"));
  git(top, "init", "-q");
  write(top, files);
  git(top, "add", "-A");
  git(top, "commit", "-q", "-m", "start");
  return top;
}

function write(base: string, files: Record<string, string>): void {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(base, name)), { recursive: true });
    writeFileSync(join(base, name), text);
  }
}

/** What a run leaves behind: both folders, filled, and a worktree. */
function runIn(workspace: string, isolated = false): void {
  const workbench = new Workbench({ workspace });
  const runDir = join(workspace, "runs");
  ignoreRunDir(runDir);
  workbench.ensure();
  write(workbench.root, {
    "scripts/a.sh": "x",
    "artifacts/b/c.log": "x",
    "notes/brief.md": "x",
    "spill/0.txt": "x",
  });
  workbench.refresh();
  const names = [
    "sessions.db",
    "sessions.db-wal",
    "sessions.db-shm",
    "manifest.json",
    "lineage.json",
    "costs.json",
  ];
  const more = [
    "limit.json",
    "active.json",
    "events-1.jsonl",
    "asks/q1-abcd.json",
    "aside/manifest.json",
    "harness/x",
  ];
  write(
    runDir,
    Object.fromEntries(
      [...names, ...more, "manifest.json.lock", "manifest.json.damaged-1"].map((n) => [n, "x"]),
    ),
  );
  if (!isolated) return;
  ignoreWorktrees(workspace);
  const top = git(workspace, "rev-parse", "--show-toplevel").trim();
  for (const base of new Set([top, workspace])) {
    const name = base === top ? "agent-1" : "agent-2";
    git(top, "worktree", "add", "-q", "-b", `worktree-${name}`, join(base, ".claude", "worktrees", name));
  }
}

describe("after a run, git status", () => {
  it("is empty", () => {
    const top = repository();
    runIn(top);
    expect(status(top)).toBe("");
    runIn(top);
    expect(status(top)).toBe("");
  });

  it("is empty with isolated worktrees, which themselves are clean", () => {
    const top = repository();
    runIn(top, true);
    expect(status(top)).toBe("");
    const worktree = join(top, ".claude", "worktrees", "agent-1");
    expect(status(worktree)).toBe("");
    writeFileSync(join(worktree, "new.txt"), "x");
    expect(status(worktree)).toBe("?? new.txt\n");
    expect(status(top)).toBe("");
  });

  it("is empty in a workspace that is a folder of a repository", () => {
    const top = repository({ "packages/app/a.txt": "a" });
    runIn(join(top, "packages", "app"), true);
    expect(status(top)).toBe("");
  });

  it("is empty in a linked worktree of the user's", () => {
    const top = repository();
    const linked = join(mkdtempSync(join(tmpdir(), "flower-linked-")), "wt");
    git(top, "worktree", "add", "-q", "-b", "side", linked);
    runIn(linked);
    expect(status(linked)).toBe("");
    expect(status(top)).toBe("");
  });

  it("is empty when the repository is made after the run", () => {
    const top = mkdtempSync(join(tmpdir(), "flower-late-"));
    runIn(top);
    git(top, "init", "-q");
    expect(status(top)).toBe("");
  });

  it("still shows what the user keeps in folders of those names", () => {
    const top = repository({ ".flower/garden.md": "mine", "runs/marathon.csv": "mine" });
    runIn(top);
    expect(status(top)).toBe("");
    write(top, { ".flower/roses.md": "new", "runs/sprint.csv": "new", ".claude/settings.json": "{}" });
    expect(status(top).split("\n").sort().join("\n")).toBe(
      "\n?? .claude/settings.json\n?? .flower/roses.md\n?? runs/sprint.csv",
    );
  });

  it("is empty, and the user's files untouched, where the user has ignore files of their own", () => {
    const own = {
      ".flower/.gitignore": "*.bak\n",
      "runs/.gitignore": "*.tmp\n",
      ".claude/worktrees/.gitignore": "x\n",
    };
    const top = repository({
      "pack [1]/a.txt": "a",
      ...Object.fromEntries(Object.entries(own).map(([n, t]) => [`pack [1]/${n}`, t])),
    });
    const workspace = join(top, "pack [1]");
    runIn(workspace, true);
    runIn(workspace);
    expect(status(top)).toBe("");
    for (const [name, text] of Object.entries(own))
      expect(readFileSync(join(workspace, name), "utf8")).toBe(text);
    const exclude = readFileSync(join(top, ".git", "info", "exclude"), "utf8").split("\n");
    expect(exclude.filter((line) => line.endsWith("/INDEX.md*"))).toHaveLength(1);
    write(workspace, { "runs/sprint.csv": "new" });
    expect(status(top)).toBe('?? "pack [1]/runs/sprint.csv"\n');
  });
});

describe("ignore files", () => {
  it("are not written for worktrees outside a repository", () => {
    const dir = mkdtempSync(join(tmpdir(), "flower-plain-"));
    ignoreWorktrees(dir);
    expect(readdirSync(dir)).toEqual([]);
  });

  it("gain the names a later flower adds and keep what a person added", () => {
    const dir = mkdtempSync(join(tmpdir(), "flower-upgrade-"));
    ignoreRunDir(dir);
    const path = join(dir, ".gitignore");
    const whole = readFileSync(path, "utf8");
    writeFileSync(path, `${whole.replace("/costs.json*\n", "")}/mine/`);
    ignoreRunDir(dir);
    expect(readFileSync(path, "utf8")).toBe(`${whole.replace("/costs.json*\n", "")}/mine/\n/costs.json*\n`);
  });

  it("that cannot be written are a typed error", () => {
    const file = join(mkdtempSync(join(tmpdir(), "flower-file-")), "file");
    writeFileSync(file, "");
    expect(() => ignoreRunDir(join(file, "runs"))).toThrow(expect.objectContaining({ code: "write_failed" }));
    expect(() => new Workbench({ workspace: file }).ensure()).toThrow(
      expect.objectContaining({ code: "write_failed" }),
    );
  });
});

/** The harness's own search, which its binary runs when started under that name; undefined where it is not installed. */
function harnessBinary(): string | undefined {
  try {
    const require = createRequire(import.meta.url);
    const name = `@anthropic-ai/claude-agent-sdk-${process.platform}-${process.arch}`;
    const path = join(dirname(require.resolve(`${name}/package.json`)), "claude");
    return existsSync(path) ? path : undefined;
  } catch {
    return undefined;
  }
}

describe("the harness's search", () => {
  const binary = harnessBinary();

  it.skipIf(binary === undefined)("still finds what lies in a folder it is told to search", () => {
    const top = repository();
    runIn(top, true);
    write(top, {
      ".flower/artifacts/deep/needle.log": "needle",
      ".claude/worktrees/agent-1/new.txt": "needle",
    });
    const search = (...where: string[]) => {
      const args = ["--hidden", "--files-with-matches", "needle", ...where];
      return spawnSync(binary!, args, { cwd: top, env: ENV, argv0: "rg", encoding: "utf8" }).stdout.trim();
    };
    expect(search(".flower/artifacts")).toBe(".flower/artifacts/deep/needle.log");
    expect(search(join(top, ".flower", "artifacts", "deep"))).toContain("needle.log");
    expect(search(".claude/worktrees/agent-1")).toBe(".claude/worktrees/agent-1/new.txt");
    expect(search()).toBe("");
    rmSync(top, { recursive: true });
  });
});
