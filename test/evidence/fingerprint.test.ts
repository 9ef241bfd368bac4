import { spawnSync } from "node:child_process";
import {
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { takeFingerprint } from "../../src/evidence/fingerprint.ts";
import { createGit } from "../../src/runtime/git.ts";

const made: string[] = [];
afterEach(() => {
  for (const path of made.splice(0)) rmSync(path, { recursive: true, force: true });
});

function folder(): string {
  const path = realpathSync(mkdtempSync(join(tmpdir(), "flower-print-")));
  made.push(path);
  return path;
}

const ENV = { PATH: process.env.PATH, HOME: "/nonexistent" };

function git(cwd: string, ...args: string[]): void {
  const identity = [
    "-c",
    "user.name=t",
    "-c",
    "user.email=t@example.invalid",
    "-c",
    "commit.gpgsign=false",
    "-c",
    "protocol.file.allow=always",
  ];
  const done = spawnSync("git", [...identity, ...args], { cwd, env: { ...ENV, GIT_CONFIG_NOSYSTEM: "1" } });
  expect(done.status, String(done.stderr)).toBe(0);
}

function write(root: string, name: string, text: string): void {
  mkdirSync(dirname(join(root, name)), { recursive: true });
  writeFileSync(join(root, name), text);
}

function repository(files: Record<string, string> = { "a.txt": "a\n", "sub/b.txt": "b\n" }): string {
  const root = folder();
  git(root, "init", "-q", "-b", "main");
  for (const [name, text] of Object.entries(files)) write(root, name, text);
  git(root, "add", "-A");
  git(root, "commit", "-q", "-m", "start");
  return root;
}

const look = (root: string, signal?: AbortSignal) =>
  takeFingerprint({
    maxFiles: 40,
    folder: root,
    exclude: [join(root, ".flower"), join(root, "runs"), join(root, ".claude", "worktrees")],
    gitAt: (path) => createGit(path, ENV),
    signal,
  });

async function hashOf(root: string): Promise<string> {
  const found = await look(root);
  expect(found.kind).toBe("seen");
  return found.kind === "seen" ? found.hash : "";
}

const PLACES = [
  ["with git", () => repository()],
  [
    "without git",
    () => {
      const root = folder();
      write(root, "a.txt", "a\n");
      write(root, "sub/b.txt", "b\n");
      return root;
    },
  ],
] as const;

describe.each(PLACES)("a folder %s", (_name, place) => {
  it("has the same fingerprint until a file's content or path changes", async () => {
    const root = place();
    const first = await hashOf(root);
    utimesSync(join(root, "a.txt"), new Date(0), new Date(0));
    expect(await hashOf(root)).toBe(first);
    const seen = new Set([first]);
    const changes: (() => void)[] = [
      () => write(root, "a.txt", "b\n"),
      () => write(root, "new/c.txt", "c\n"),
      () => rmSync(join(root, "sub/b.txt")),
      () => symlinkSync("a.txt", join(root, "link")),
      () => write(root, "empty", ""),
    ];
    for (const change of changes) {
      change();
      seen.add(await hashOf(root));
    }
    expect(seen.size).toBe(1 + changes.length);
    write(root, "a.txt", "a\n");
    rmSync(join(root, "new"), { recursive: true });
    rmSync(join(root, "link"));
    rmSync(join(root, "empty"));
    write(root, "sub/b.txt", "b\n");
    expect(await hashOf(root)).toBe(first);
  });

  it("does not count what flower itself writes", async () => {
    const root = place();
    const first = await hashOf(root);
    for (const name of [".flower/notes/x.md", "runs/manifest.json", ".claude/worktrees/agent-1/a.txt"])
      write(root, name, "x");
    expect(await hashOf(root)).toBe(first);
    write(root, "runs2/x", "x");
    expect(await hashOf(root)).not.toBe(first);
  });

  it("is not waited for when a pipe lies in it, and the looking can be ended", async () => {
    const root = place();
    spawnSync("mkfifo", [join(root, "pipe")], { env: ENV });
    expect(await hashOf(root)).toBe(await hashOf(root));
    write(root, "more.txt", "x");
    expect(await look(root, AbortSignal.abort())).toMatchObject({ kind: "blind", why: "stopped on request" });
  });
});

describe("a repository", () => {
  it("has the same fingerprint before and after the same content is committed, also in a worktree", async () => {
    const root = repository();
    write(root, "a.txt", "changed\n");
    write(root, "new.txt", "new\n");
    symlinkSync("a.txt", join(root, "link"));
    rmSync(join(root, "sub/b.txt"));
    const before = await hashOf(root);
    git(root, "add", "-A");
    expect(await hashOf(root)).toBe(before);
    git(root, "commit", "-q", "-m", "work");
    expect(await hashOf(root)).toBe(before);
    git(root, "worktree", "add", "-q", join(root, ".claude/worktrees/agent-1"));
    expect(await hashOf(join(root, ".claude/worktrees/agent-1"))).toBe(before);
    expect(await hashOf(root)).toBe(before);
  });

  it("does not count what git ignores, but a folder that is ignored as a whole counts by its files", async () => {
    const root = repository({ ".gitignore": "dist/\nplay/\n" });
    const first = await hashOf(root);
    write(root, "dist/x.js", "1");
    expect(await hashOf(root)).toBe(first);
    write(root, "play/x.txt", "1");
    const inside = await hashOf(join(root, "play"));
    write(root, "play/x.txt", "2");
    expect(await hashOf(join(root, "play"))).not.toBe(inside);
  });

  it("is followed into the repositories that lie in it, untracked ones and submodules", async () => {
    const root = repository();
    const inner = repository({ "i.txt": "1" });
    git(root, "clone", "-q", inner, "untracked");
    git(root, "submodule", "--quiet", "add", inner, "module");
    git(root, "commit", "-q", "-m", "module");
    const first = await hashOf(root);
    write(root, "untracked/i.txt", "2");
    const second = await hashOf(root);
    write(root, "module/i.txt", "2");
    expect(new Set([first, second, await hashOf(root)]).size).toBe(3);
  });
});

describe("a folder that is too large to look at", () => {
  it("is said to be so: too many files without git, or 1 GB to read", async () => {
    const root = folder();
    for (let i = 0; i <= 40; i += 1) writeFileSync(join(root, `f${i}`), "");
    expect(await look(root)).toMatchObject({ kind: "blind", why: expect.stringContaining("40 files") });
    git(root, "init", "-q");
    expect((await look(root)).kind).toBe("seen");
    const large = folder();
    writeFileSync(join(large, "huge"), "");
    truncateSync(join(large, "huge"), 1024 ** 3 + 1);
    expect(await look(large)).toMatchObject({ kind: "blind", why: expect.stringContaining("1 GB") });
  });
});
