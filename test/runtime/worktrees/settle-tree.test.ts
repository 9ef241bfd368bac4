import { chmodSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { createGitWork } from "../../../src/runtime/worktrees/git-work.ts";
import { settleTree } from "../../../src/runtime/worktrees/settle-tree.ts";
import { parseState } from "../../../src/runtime/worktrees/tree-state.ts";
import { readTrees } from "../../../src/runtime/worktrees/trees.ts";
import { type Yard, yard } from "./yard.ts";

const BRANCH = "flower/work";

/** A worker's worktree, below the checkout. */
function treeIn({ root, git }: Yard): string {
  const path = join(root, ".claude", "worktrees", "agent-1");
  git(root, "worktree", "add", "-q", "-b", BRANCH, path);
  return path;
}

function settle({ root, env }: Yard, path: string) {
  const git = createGitWork(path, { env, ceiling: join(root, ".claude", "worktrees") });
  return settleTree({ git, branch: BRANCH, message: "left" });
}

describe("what a worker left", () => {
  it("is committed on its own branch: changed, removed and new files, links and odd names", async () => {
    const it = yard({ "a.txt": "one\n", "b.txt": "b\n", "c.sh": "c\n" });
    const path = treeIn(it);
    it.write(path, { "a.txt": "two\n", "-n": "x", "ü/数 据\n.txt": "y", "*.md": "star", ":(top)x": "z" });
    rmSync(join(path, "b.txt"));
    chmodSync(join(path, "c.sh"), 0o755);
    symlinkSync("a.txt", join(path, "link"));
    const settled = await settle(it, path);
    expect(settled).toMatchObject({ kind: "settled", committed: true, leftOut: [] });
    expect(it.git(path, "status", "--porcelain")).toBe("");
    expect(
      it
        .git(path, "-c", "core.quotePath=false", "show", "-z", "--name-only", "--format=", "HEAD")
        .split("\0")
        .filter(Boolean)
        .sort(),
    ).toEqual(["*.md", "-n", ":(top)x", "a.txt", "b.txt", "c.sh", "link", "ü/数 据\n.txt"].sort());
    expect(await settle(it, path)).toEqual({ ...settled, committed: false });
  });

  it("is committed without ignored files and plain caches; a repository inside it is left out and named", async () => {
    const it = yard({ ".gitignore": "dist/\n" });
    const path = treeIn(it);
    it.write(path, {
      "src.py": "s",
      "dist/o": "o",
      "__pycache__/s.pyc": "c",
      "pkg/node_modules/m/i.js": "m",
    });
    mkdirSync(join(path, "clone"));
    it.git(join(path, "clone"), "init", "-q");
    it.write(join(path, "clone"), { f: "f" });
    expect(await settle(it, path)).toMatchObject({ kind: "settled", committed: true, leftOut: ["clone/"] });
    expect(it.git(path, "ls-files")).toBe(".gitignore\nsrc.py");
  });

  it("is nothing where it only looked", async () => {
    const it = yard();
    const path = treeIn(it);
    const tip = it.git(it.root, "rev-parse", BRANCH);
    expect(await settle(it, path)).toEqual({ kind: "settled", tip, committed: false, leftOut: [] });
  });

  it("comes back to its own branch from a detached HEAD and from a branch the worker made", async () => {
    for (const leave of [["--detach"], ["-b", "invented"]]) {
      const it = yard();
      const path = treeIn(it);
      it.git(path, "checkout", "-q", ...leave);
      it.write(path, { "x.txt": "x" });
      it.git(path, "add", "x.txt");
      it.git(path, "commit", "-q", "-m", "astray");
      it.write(path, { "y.txt": "y" });
      const settled = await settle(it, path);
      expect(settled).toMatchObject({ kind: "settled", committed: true });
      expect(it.git(path, "symbolic-ref", "--short", "HEAD")).toBe(BRANCH);
      expect(it.git(it.root, "log", "--format=%s", BRANCH)).toBe("left\nastray\nstart");
      if (leave.length === 2) expect(it.git(it.root, "log", "-1", "--format=%s", "invented")).toBe("astray");
    }
  });

  it("is taken when the worker's branch was removed under it, or moved by force", async () => {
    const it = yard();
    const path = treeIn(it);
    it.git(path, "checkout", "-q", "--detach");
    it.git(it.root, "branch", "-D", BRANCH);
    it.write(path, { "x.txt": "x" });
    expect(await settle(it, path)).toMatchObject({ kind: "settled", committed: true });
    it.git(path, "reset", "-q", "--hard", "HEAD~1");
    expect(await settle(it, path)).toMatchObject({
      tip: it.git(it.root, "rev-parse", "main"),
      committed: false,
    });
  });

  it("completes a merge that was resolved", async () => {
    const it = yard();
    const path = treeIn(it);
    it.git(it.root, "checkout", "-q", "-b", "other");
    it.write(it.root, { "b.txt": "b" });
    it.git(it.root, "add", "-A", "--", "b.txt");
    it.git(it.root, "commit", "-q", "-m", "b");
    it.git(path, "merge", "-q", "--no-ff", "--no-commit", "other");
    expect(await settle(it, path)).toMatchObject({ kind: "settled", committed: true });
    expect(it.git(it.root, "rev-list", "--parents", "-1", BRANCH).split(" ")).toHaveLength(3);
  });
});

describe("a worktree nothing is taken from", () => {
  it("is one whose .git is gone or leads elsewhere: the checkout around it is not taken for it", async () => {
    const it = yard();
    const path = treeIn(it);
    it.write(it.root, { "draft.txt": "mine" });
    const before = it.untouched();
    it.git(it.root, "worktree", "add", "-q", "-b", "neighbour", join(it.base, "neighbour"));
    const others = [".git", ".git/worktrees/neighbour"].map((name) => `gitdir: ${join(it.root, name)}\n`);
    for (const dotGit of [undefined, ...others]) {
      rmSync(join(path, ".git"), { force: true });
      if (dotGit !== undefined) writeFileSync(join(path, ".git"), dotGit);
      expect(await settle(it, path)).toEqual({
        kind: "stuck",
        why: "it is no worktree of this repository any more",
        words: { key: "tree.gone", values: {} },
      });
    }
    expect(it.untouched()).toBe(before);
  });

  it("is one that stands on work of another line, in the middle of a rebase, or under another git's lock", async () => {
    const it = yard({ "a.txt": "1\n" });
    const path = treeIn(it);
    it.write(path, { "a.txt": "2\n" });
    it.git(path, "commit", "-q", "-am", "own");
    it.git(path, "checkout", "-q", "-b", "else", "main");
    expect(await settle(it, path)).toMatchObject({
      kind: "stuck",
      why: expect.stringMatching(/^it stands on else/),
    });
    it.write(path, { "a.txt": "3\n" });
    it.git(path, "commit", "-q", "-am", "theirs");
    it.git(path, "checkout", "-q", BRANCH);
    expect(() => it.git(path, "rebase", "else")).toThrow();
    expect(await settle(it, path)).toMatchObject({ why: "a merge in it is not resolved: a.txt" });
    it.write(path, { "a.txt": "4\n" });
    it.git(path, "add", "a.txt");
    expect(await settle(it, path)).toMatchObject({ why: "a rebase in it is not finished" });
    it.git(path, "rebase", "--abort");
    it.write(path, { "x.txt": "x" });
    const lock = join(it.git(path, "rev-parse", "--absolute-git-dir"), "index.lock");
    writeFileSync(lock, "");
    expect(await settle(it, path)).toMatchObject({
      kind: "stuck",
      why: expect.stringContaining("index.lock"),
    });
    const waiting = settle(it, path);
    rmSync(lock);
    expect(await waiting).toMatchObject({ kind: "settled", committed: true });
  });

  it("says of a submodule what no commit holds", async () => {
    const it = yard();
    const sub = join(it.base, "sub");
    mkdirSync(sub);
    it.git(sub, "init", "-q", "-b", "main");
    it.write(sub, { "s.txt": "s\n" });
    it.git(sub, "add", "-A");
    it.git(sub, "commit", "-q", "-m", "s");
    it.git(it.root, "submodule", "--quiet", "add", sub, "lib");
    it.git(it.root, "commit", "-q", "-m", "with lib");
    const path = treeIn(it);
    expect(await settle(it, path)).toMatchObject({ kind: "settled", committed: false, leftOut: [] });
    it.git(path, "submodule", "--quiet", "update", "--init");
    it.write(path, { "lib/s.txt": "changed\n", "x.txt": "x" });
    expect(await settle(it, path)).toMatchObject({ committed: true, leftOut: ["lib"] });
  });
});

describe("reading git", () => {
  it("tells changed, new, nested and unresolved paths apart", () => {
    const [mode, hash] = ["100644 100644 100644", "0".repeat(40)];
    const out = [
      `# branch.oid ${"a".repeat(40)}`,
      "# branch.head flower/x",
      `1 .M N... ${mode} ${hash} ${hash} a`,
      "? new\nline",
      "? clone/",
      `u UU N... ${mode} 100644 ${hash} ${hash} ${hash} c d`,
      `1 A. N... ${mode} ${hash} ${hash}  e`,
      "? x/node_modules/y",
      "! ignored",
    ].join("\0");
    expect(parseState(`${out}\0`)).toEqual({
      head: "a".repeat(40),
      branch: "flower/x",
      changed: [" e", "a", "c d"],
      untracked: ["new\nline"],
      nested: ["clone/"],
      unmerged: ["c d"],
    });
    expect(parseState("# branch.oid (initial)\0# branch.head (detached)\0")).toMatchObject({
      head: undefined,
      branch: undefined,
    });
  });

  it("lists worktrees with locks, missing folders and odd paths, also with a git that knows no -z there", async () => {
    const it = yard();
    const odd = join(it.base, "wo\nrk");
    it.git(it.root, "worktree", "add", "-q", "-b", "odd", odd);
    it.git(it.root, "worktree", "lock", "--reason", "on a stick", odd);
    it.git(it.root, "worktree", "add", "-q", "--detach", join(it.base, "gone"));
    rmSync(join(it.base, "gone"), { recursive: true });
    const trees = await readTrees(it.work());
    expect(trees.map(({ path, branch, lock, isMissing }) => [path, branch, lock, isMissing])).toEqual([
      [it.root, "main", undefined, false],
      [join(it.base, "gone"), undefined, undefined, true],
      [odd, "odd", "on a stick", false],
    ]);
    it.shadowGit('case " $* " in *" list --porcelain -z "*) exit 129;; esac');
    expect((await readTrees(it.work())).map(({ branch }) => branch)).toContain("main");
    expect(await readTrees(it.work(it.base))).toEqual([]);
  });
});
