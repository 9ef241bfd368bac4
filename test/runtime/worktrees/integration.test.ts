import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Integration } from "../../../src/runtime/worktrees/integration.ts";
import { integrationName, workerBranch } from "../../../src/runtime/worktrees/names.ts";
import type { IntegrationReport } from "../../../src/runtime/worktrees/report.ts";
import { LATER_RUN, RUN, type Yard, yard } from "./yard.ts";

const SESSION = Symbol("session");
const BRANCH = `flower/${RUN}`;

async function all(integration: Integration): Promise<IntegrationReport> {
  const report = await integration.bringAll(SESSION);
  if (report === undefined) throw new Error("nothing came of it");
  return report;
}

/** A worker that leaves these files uncommitted, its dispatch over. */
async function works(
  integration: Integration,
  { write }: Yard,
  name: string,
  files: Readonly<Record<string, string>>,
): Promise<string> {
  const path = await integration.createTree(name, SESSION);
  write(path, files);
  return path;
}

describe("isolated work brought together", () => {
  it("is on one branch in a worktree of its own, whether it was committed or left, and the person's checkout is as it was", async () => {
    const it = yard({ "a.txt": "one\n", ".gitignore": "*.log\n" });
    it.write(it.root, { "a.txt": "the person is at work\n", "draft.txt": "x" });
    it.git(it.root, "add", "draft.txt");
    const before = it.untouched();
    const integration = it.integration();
    const first = await works(integration, it, "agent-1", {
      "x.txt": "x",
      "noise.log": "l",
      "sub/ü\n y.txt": "y",
    });
    const second = await works(integration, it, "agent-2", { "b.txt": "b" });
    it.git(second, "add", "-A");
    it.git(second, "commit", "-q", "-m", "by the worker");
    rmSync(join(second, "a.txt"));
    const report = await all(integration);
    expect(report).toMatchObject({
      branch: BRANCH,
      path: join(it.root, ".claude", "worktrees", integrationName(RUN)),
      base: "main",
      files: ["a.txt", "b.txt", "sub/ü\n y.txt", "x.txt"],
      conflicts: [],
      stuck: [],
      leftOut: [],
      commits: 3,
    });
    expect(report.merged.toSorted()).toEqual([workerBranch(RUN, "agent-1"), workerBranch(RUN, "agent-2")]);
    expect(it.git(report.path ?? "", "status", "--porcelain")).toBe("");
    expect(it.git(report.path ?? "", "symbolic-ref", "--short", "HEAD")).toBe(BRANCH);
    expect(readdirSync(report.path ?? "").sort()).toEqual([".git", ".gitignore", "b.txt", "sub", "x.txt"]);
    expect(it.git(first, "status", "--porcelain")).toBe("");
    expect(existsSync(join(first, "noise.log"))).toBe(true);
    expect(it.git(it.root, "log", "-1", "--format=%an <%ae> %s", workerBranch(RUN, "agent-1"))).toBe(
      "flower <flower@localhost> Work of an isolated worker",
    );
    expect(it.untouched()).toBe(before);
    expect(it.faults).toEqual([]);
  });

  it("uses the person's identity where there is one, runs no hook and signs nothing", async () => {
    const it = yard();
    it.write(it.base, {
      ".gitconfig":
        "[user]\n name = Ana\n email = ana@x.invalid\n[commit]\n gpgsign = true\n[gpg]\n program = false\n",
    });
    const hooks = join(it.root, ".git", "hooks");
    mkdirSync(hooks, { recursive: true });
    for (const name of [
      "pre-commit",
      "commit-msg",
      "post-commit",
      "post-checkout",
      "reference-transaction",
    ]) {
      writeFileSync(join(hooks, name), `#!/bin/sh\necho ${name} >> '${it.base}/ran'\nexit 1\n`, {
        mode: 0o755,
      });
    }
    const integration = it.integration();
    await works(integration, it, "agent-1", { "x.txt": "x" });
    await works(integration, it, "agent-2", { "y.txt": "y" });
    const report = await all(integration);
    expect(report.merged).toHaveLength(2);
    expect(it.git(it.root, "log", "-1", "--format=%an <%ae>", BRANCH)).toBe("Ana <ana@x.invalid>");
    expect(existsSync(join(it.base, "ran"))).toBe(false);
  });

  it("goes on from what is together: later workers start there, and a second look changes nothing", async () => {
    const it = yard();
    const integration = it.integration();
    await works(integration, it, "agent-1", { "x.txt": "x" });
    expect(await integration.takeIn({ name: "agent-1", subject: "write x" })).toMatchObject({ commits: 1 });
    expect(it.git(it.root, "log", "-1", "--format=%s", BRANCH)).toBe("write x");
    const next = await integration.createTree("agent-2", SESSION);
    expect(readdirSync(next)).toContain("x.txt");
    expect(integration.startOf(next)).toBe(it.git(it.root, "rev-parse", BRANCH));
    it.write(next, { "y.txt": "y" });
    expect(await all(integration)).toMatchObject({ commits: 2, files: ["x.txt", "y.txt"] });
    const tip = it.git(it.root, "rev-parse", BRANCH);
    expect(await all(integration)).toMatchObject({ commits: 2, merged: [] });
    expect(it.git(it.root, "rev-parse", BRANCH)).toBe(tip);
    expect(await integration.takeIn({ name: "agent-404", subject: "" })).toBeUndefined();
  });

  it("names a branch that does not go in, with files and the other side, and takes it once it is resolved", async () => {
    const it = yard();
    const integration = it.integration();
    await works(integration, it, "agent-1", { "a.txt": "mine\n", "x.txt": "x" });
    await works(integration, it, "agent-2", { "a.txt": "yours\n", "y.txt": "y" });
    await integration.takeIn({ name: "agent-1", subject: "" });
    const report = await all(integration);
    const [one, two] = [workerBranch(RUN, "agent-1"), workerBranch(RUN, "agent-2")];
    expect(report.conflicts).toEqual([
      { branch: two, path: expect.stringContaining("agent-2"), files: ["a.txt"], with: [one] },
    ]);
    expect(it.git(report.path ?? "", "status", "--porcelain")).toBe("");
    const third = await integration.createTree("agent-3", SESSION);
    expect(() => it.git(third, "merge", "-q", two)).toThrow();
    expect((await all(integration)).stuck).toEqual([
      {
        branch: workerBranch(RUN, "agent-3"),
        path: third,
        why: "a merge in it is not resolved: a.txt",
        words: { key: "tree.unmerged", values: { files: "a.txt" } },
      },
    ]);
    it.write(third, { "a.txt": "ours\n" });
    it.git(third, "add", "a.txt");
    const resolved = await all(integration);
    expect(resolved).toMatchObject({ conflicts: [], stuck: [], files: ["a.txt", "x.txt", "y.txt"] });
    expect(it.read(resolved.path ?? "", "a.txt")).toBe("ours\n");
  });

  it("is the same with a git that cannot preview a merge", async () => {
    const it = yard();
    it.shadowGit('case " $* " in *" merge-tree "*) echo "usage: git merge-tree" >&2; exit 129;; esac');
    const integration = it.integration();
    await works(integration, it, "agent-1", { "a.txt": "mine\n" });
    await works(integration, it, "agent-2", { "a.txt": "yours\n" });
    await works(integration, it, "agent-3", { "b.txt": "b\n" });
    const report = await all(integration);
    expect(report.merged).toHaveLength(2);
    expect(report.conflicts).toMatchObject([{ files: ["a.txt"] }]);
    expect(it.git(report.path ?? "", "status", "--porcelain")).toBe("");
  });
});

describe("what is left alone", () => {
  it("is everything that is not of this work: other runs, other people's worktrees and branches", async () => {
    const it = yard();
    const trees = join(it.root, ".claude", "worktrees");
    it.git(it.root, "worktree", "add", "-q", "-b", "worktree-agent-9", join(trees, "agent-9"));
    it.git(it.root, "worktree", "add", "-q", "-b", "feature", join(it.base, "feature"));
    const other = it.integration(LATER_RUN);
    const foreign = await works(other, it, "agent-8", { "z.txt": "z" });
    for (const place of [join(trees, "agent-9"), join(it.base, "feature")]) it.write(place, { "w.txt": "w" });
    const refs = it.git(it.root, "for-each-ref");
    const integration = it.integration();
    expect(await all(integration)).toMatchObject({ path: undefined, merged: [] });
    expect(it.git(it.root, "for-each-ref")).toBe(refs);
    for (const place of [foreign, join(trees, "agent-9"), join(it.base, "feature")]) {
      expect(it.git(place, "status", "--porcelain")).toMatch(/^\?\? [wz]\.txt$/);
    }
  });

  it("removes worktrees that nobody used, and only those", async () => {
    const it = yard({ "a.txt": "one\n", ".gitignore": "out/\n.env\n", ".worktreeinclude": ".env\n" });
    it.write(it.root, { ".env": "K=1\n" });
    const integration = it.integration();
    const looked = await integration.createTree("agent-1", SESSION);
    const built = await works(integration, it, "agent-2", { "out/result.bin": "b" });
    const running = await integration.createTree("agent-3", SESSION);
    expect(it.read(looked, ".env")).toBe("K=1\n");
    for (const name of ["agent-1", "agent-2"]) await integration.takeIn({ name, subject: "" });
    const report = await all(integration);
    expect(report.path).toBeUndefined();
    expect([looked, built, running].map((path) => existsSync(path))).toEqual([false, true, true]);
    expect(it.holds("rev-parse", "--verify", "--quiet", workerBranch(RUN, "agent-1"))).toBe(false);
  });

  it("copies into a fresh worktree only ignored files of the list, and none through a link", async () => {
    const it = yard({
      "a.txt": "one\n",
      ".gitignore": ".env\nsecret\nlinked\nbox\n",
      ".worktreeinclude": ".env\nlinked\nbox\nfree.txt\n",
    });
    it.write(it.root, { ".env": "K=1\n", secret: "s", "free.txt": "not ignored", "box/in.txt": "i" });
    it.write(it.base, { outside: "o" });
    it.work();
    const { symlinkSync } = await import("node:fs");
    symlinkSync(join(it.base, "outside"), join(it.root, "linked"));
    const integration = it.integration();
    const path = await integration.createTree("agent-1", SESSION);
    const files = [".env", ".git", ".gitignore", ".worktreeinclude", "a.txt", "box"];
    expect(readdirSync(path).sort()).toEqual(files);
    it.write(path, { "x.txt": "x" });
    const together = (await all(integration)).path ?? "";
    expect(readdirSync(together).sort()).toEqual([...files, "x.txt"]);
    expect((await all(integration)).kept).toBeUndefined();
  });
});

describe("a run that takes up the work of the one before", () => {
  it("starts where that stopped, takes in what it left behind, and follows the person's own commits", async () => {
    const it = yard();
    const first = it.integration();
    first.takeUp();
    await works(first, it, "agent-1", { "x.txt": "x" });
    await all(first);
    await works(first, it, "agent-2", { "killed.txt": "k" });
    it.write(it.root, { "own.txt": "o" });
    it.git(it.root, "add", "own.txt");
    it.git(it.root, "commit", "-q", "-m", "the person's own");
    const before = it.untouched();
    const second = it.integration(LATER_RUN);
    second.takeUp();
    const path = await second.createTree("agent-3", SESSION);
    expect(readdirSync(path).sort()).toEqual([".git", "a.txt", "own.txt", "x.txt"]);
    const report = await all(second);
    expect(report).toMatchObject({
      branch: `flower/${LATER_RUN}`,
      files: ["killed.txt", "x.txt"],
      conflicts: [],
    });
    expect(it.git(it.root, "rev-parse", BRANCH)).not.toBe(it.git(it.root, "rev-parse", report.branch));
    expect(it.untouched()).toBe(before);
  });

  it("starts from the checkout once the person has merged it, and a run beside it knows nothing of it", async () => {
    const it = yard();
    const first = it.integration();
    first.takeUp();
    await works(first, it, "agent-1", { "x.txt": "x" });
    await all(first);
    const beside = it.integration(LATER_RUN);
    expect(readdirSync(await beside.createTree("agent-5", SESSION))).not.toContain("x.txt");
    it.git(it.root, "merge", "-q", BRANCH);
    const second = it.integration("20260103-120000-cccccc");
    second.takeUp();
    expect(second.startOf(await second.createTree("agent-6", SESSION))).toBe(
      it.git(it.root, "rev-parse", "HEAD"),
    );
    expect(await all(second)).toMatchObject({ path: undefined });
  });

  it("names a conflict with the person's own commits; another branch checked out meanwhile is not followed", async () => {
    const it = yard();
    const integration = it.integration();
    await works(integration, it, "agent-1", { "a.txt": "theirs\n" });
    await all(integration);
    it.git(it.root, "checkout", "-q", "--orphan", "other");
    it.git(it.root, "commit", "-q", "-m", "elsewhere");
    expect(await all(integration)).toMatchObject({ base: "main", conflicts: [] });
    it.git(it.root, "checkout", "-q", "main");
    it.write(it.root, { "a.txt": "mine\n", "own.txt": "o" });
    it.git(it.root, "add", "a.txt", "own.txt");
    it.git(it.root, "commit", "-q", "-m", "mine");
    const report = await all(integration);
    expect(report.conflicts).toEqual([
      { branch: "main", path: undefined, files: ["a.txt"], with: [workerBranch(RUN, "agent-1")] },
    ]);
    expect(report.files).toEqual(["a.txt"]);
  });
});

describe("the integration worktree", () => {
  it("is put back before work is brought together in it; what lay there is kept as a commit no branch holds", async () => {
    const it = yard();
    const integration = it.integration();
    await works(integration, it, "agent-1", { "x.txt": "x" });
    const path = (await all(integration)).path ?? "";
    it.write(path, { "x.txt": "changed by a check", "junk.txt": "j" });
    it.git(path, "checkout", "-q", "--detach", "main~0", "--force");
    it.write(path, { "junk.txt": "j" });
    const report = await all(integration);
    expect(readdirSync(path).sort()).toEqual([".git", "a.txt", "x.txt"]);
    expect(it.git(path, "symbolic-ref", "--short", "HEAD")).toBe(BRANCH);
    expect(it.git(it.root, "show", `${report.kept}:junk.txt`)).toBe("j");
    expect(it.git(it.root, "branch", "--contains", report.kept ?? "")).toBe("");
    expect((await all(integration)).kept).toBeUndefined();
    it.write(path, { "x.txt": "changed again", "sub/more.txt": "m" });
    const again = await all(integration);
    expect(it.git(it.root, "show", `${again.kept}:x.txt`)).toBe("changed again");
    expect(it.git(path, "status", "--porcelain")).toBe("");
  });

  it("is made again when its folder is gone, and goes on from its branch where that was moved", async () => {
    const it = yard();
    const integration = it.integration();
    await works(integration, it, "agent-1", { "x.txt": "x" });
    const path = (await all(integration)).path ?? "";
    rmSync(path, { recursive: true });
    await works(integration, it, "agent-2", { "y.txt": "y" });
    expect(await all(integration)).toMatchObject({ path, files: ["x.txt", "y.txt"] });
    it.git(path, "reset", "-q", "--hard", "main");
    expect(await all(integration)).toMatchObject({ path, files: ["x.txt", "y.txt"], conflicts: [] });
  });

  it("is not made where the person has its branch checked out, or something lies at its place", async () => {
    const it = yard();
    const integration = it.integration();
    await works(integration, it, "agent-1", { "x.txt": "x" });
    const place = join(it.root, ".claude", "worktrees", integrationName(RUN));
    it.write(place, { "mine.txt": "m" });
    expect(await all(integration)).toMatchObject({
      path: undefined,
      blocked: expect.stringContaining("is in the way"),
    });
    rmSync(place, { recursive: true });
    const path = (await all(integration)).path ?? "";
    it.git(it.root, "worktree", "remove", path);
    it.git(it.root, "checkout", "-q", BRANCH);
    const before = it.untouched();
    await works(integration, it, "agent-2", { "y.txt": "y" });
    expect(await all(integration)).toMatchObject({ blocked: `${BRANCH} is checked out in ${it.root}` });
    expect(it.untouched()).toBe(before);
  });

  it("takes the branch of a worker whose worktree is gone", async () => {
    const it = yard();
    const integration = it.integration();
    const path = await works(integration, it, "agent-1", { "x.txt": "x" });
    it.git(path, "add", "-A");
    it.git(path, "commit", "-q", "-m", "x");
    rmSync(path, { recursive: true });
    expect(await all(integration)).toMatchObject({ files: ["x.txt"], stuck: [] });
  });
});

describe("sessions side by side", () => {
  it("leave each other's workers at work, and a judge that looks is not disturbed", async () => {
    const it = yard();
    const integration = it.integration();
    const other = Symbol("other");
    await works(integration, it, "agent-1", { "x.txt": "x" });
    const busy = await integration.createTree("agent-2", other);
    it.write(busy, { "half.txt": "h" });
    expect(await all(integration)).toMatchObject({ files: ["x.txt"] });
    expect(it.git(busy, "status", "--porcelain")).toBe("?? half.txt");
    const release = await integration.holdStill();
    const tip = it.git(it.root, "rev-parse", BRANCH);
    expect(await integration.takeIn({ name: "agent-2", subject: "" })).toBeUndefined();
    const waiting = integration.bringAll(other);
    // Longer than bringing it in would take.
    for (let i = 0; i < 60; i += 1) await it.work().line("rev-parse", "HEAD");
    expect(it.git(it.root, "rev-parse", BRANCH)).toBe(tip);
    // Nobody else waits with it.
    expect(existsSync(await integration.createTree("agent-3", SESSION))).toBe(true);
    release();
    expect(await waiting).toMatchObject({ files: ["half.txt", "x.txt"] });
  });

  it("say what went wrong and go on, when the repository is taken away", async () => {
    const it = yard();
    const integration = it.integration();
    await works(integration, it, "agent-1", { "x.txt": "x" });
    rmSync(join(it.root, ".git"), { recursive: true });
    expect((await all(integration)).stuck).toMatchObject([{ why: expect.stringContaining("no worktree") }]);
    const later = it.integration(LATER_RUN);
    expect(await later.bringAll(SESSION)).toBeUndefined();
    expect(it.faults).toEqual([expect.stringContaining("could not be brought together")]);
    await expect(later.createTree("agent-2", SESSION)).rejects.toMatchObject({
      code: "worktree_failed",
      hint: expect.stringContaining(".git"),
    });
  });

  it("refuse a worktree that is there already, or whose name is none", async () => {
    const it = yard();
    const integration = it.integration();
    await integration.createTree("agent-1", SESSION);
    for (const name of ["agent-1", "../up", "", "a b"]) {
      await expect(integration.createTree(name, SESSION)).rejects.toMatchObject({ code: "worktree_failed" });
    }
  });
});
