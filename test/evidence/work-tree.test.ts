import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { fingerprintWork, type WorkPlace, workTreeOf } from "../../src/evidence/work-tree.ts";

const made: string[] = [];
afterEach(() => {
  for (const path of made.splice(0)) rmSync(path, { recursive: true, force: true });
});

const ENV = { PATH: process.env.PATH, HOME: "/nonexistent" };

function git(cwd: string, ...args: string[]): void {
  const identity = ["-c", "user.name=t", "-c", "user.email=t@example.invalid", "-c", "commit.gpgsign=false"];
  const done = spawnSync("git", [...identity, ...args], { cwd, env: { ...ENV, GIT_CONFIG_NOSYSTEM: "1" } });
  expect(done.status, String(done.stderr)).toBe(0);
}

function write(root: string, name: string, text: string): void {
  mkdirSync(dirname(join(root, name)), { recursive: true });
  writeFileSync(join(root, name), text);
}

function folder(isRepository: boolean): string {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "flower-tree-")));
  made.push(root);
  write(root, "a.txt", "a\n");
  if (!isRepository) return root;
  git(root, "init", "-q", "-b", "main");
  git(root, "add", "-A");
  git(root, "commit", "-q", "-m", "start");
  return root;
}

async function look(root: string, more: Partial<WorkPlace> = {}): Promise<string> {
  const place = { workspace: root, runDir: join(root, "runs"), workbench: join(root, ".flower"), ...more };
  const found = await fingerprintWork(workTreeOf(place), ENV);
  if (found.kind === "blind") throw new TypeError(found.why);
  return found.hash;
}

/** Path, content and time of every file of a repository's own folder. */
function insides(root: string): string[] {
  return readdirSync(join(root, ".git"), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .map(
      (path) =>
        `${path} ${createHash("sha1").update(readFileSync(path)).digest("hex")} ${statSync(path).mtimeMs}`,
    )
    .sort();
}

describe.each([
  ["in a repository", true],
  ["without git", false],
])("the work %s", (_what, isRepository) => {
  it("is not changed by anything flower keeps beside it", async () => {
    const root = folder(isRepository);
    const before = await look(root);
    write(root, "runs/manifest.json", "[]");
    write(root, "runs/frozen/goal.md", "goal");
    write(root, ".flower/notes/verdicts/x.md", "achieved");
    write(root, ".claude/worktrees/agent-1/b.txt", "b");
    expect(await look(root)).toBe(before);
    write(root, "elsewhere/runs/manifest.json", "[]");
    expect(await look(root, { runDir: join(root, "elsewhere", "runs") })).not.toBe(await look(root));
    write(root, "bench/notes/x.md", "x");
    rmSync(join(root, "elsewhere"), { recursive: true });
    expect(await look(root, { workbench: join(root, "bench") })).toBe(before);
  });

  it("is changed by a file of the work, and the same again once that is undone", async () => {
    const root = folder(isRepository);
    const before = await look(root);
    write(root, "a.txt", "b\n");
    expect(await look(root)).not.toBe(before);
    write(root, "a.txt", "a\n");
    write(root, "new.txt", "");
    expect(await look(root)).not.toBe(before);
    rmSync(join(root, "new.txt"));
    expect(await look(root)).toBe(before);
  });
});

describe("looking", () => {
  it("leaves the repository's own folder as it is, also where git would freshen its index", async () => {
    const root = folder(true);
    write(root, "b.txt", "b\n");
    // The index does not know this time: a plain `git status` would now write it anew.
    utimesSync(join(root, "a.txt"), new Date(), new Date(Date.now() - 60_000));
    const before = insides(root);
    await look(root, { isIsolated: true });
    expect(insides(root)).toEqual(before);
  });

  it("sees the work also in a worktree that lies among flower's own folders", async () => {
    const root = folder(true);
    git(root, "worktree", "add", "-q", "-b", "flower/x", ".claude/worktrees/x");
    const tree = join(root, ".claude", "worktrees", "x");
    const before = await look(root, { folder: tree, isIsolated: true });
    write(tree, ".flower/INDEX.md", "index");
    expect(await look(root, { folder: tree, isIsolated: true })).toBe(before);
    write(tree, "a.txt", "b\n");
    expect(await look(root, { folder: tree, isIsolated: true })).not.toBe(before);
  });

  it("counts isolated worktrees by what they hold, and not at all where nobody is isolated", async () => {
    const root = folder(true);
    const [plain, isolated] = [await look(root), await look(root, { isIsolated: true })];
    expect(isolated).toBe(plain);
    git(root, "worktree", "add", "-q", "-b", "one", ".claude/worktrees/one");
    expect(await look(root, { isIsolated: true })).toBe(plain);
    write(root, ".claude/worktrees/one/b.txt", "b\n");
    const changed = await look(root, { isIsolated: true });
    expect(changed).not.toBe(plain);
    expect(await look(root)).toBe(plain);
    git(root, "worktree", "remove", "--force", ".claude/worktrees/one");
    git(root, "worktree", "add", "-q", "-b", "two", ".claude/worktrees/two");
    write(root, ".claude/worktrees/two/b.txt", "b\n");
    expect(await look(root, { isIsolated: true })).toBe(changed);
  });
});
