import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { takeLease } from "../../../src/runtime/lease.ts";
import { mergeEntry } from "../../../src/runtime/worktrees/merge-entry.ts";
import { workerBranch } from "../../../src/runtime/worktrees/names.ts";
import { removeEntry, removeMerged } from "../../../src/runtime/worktrees/remove-entry.ts";
import { RUN, type Yard, yard } from "./yard.ts";

const SESSION = Symbol("session");

/** One worker that leaves these files, brought together. */
async function worked(it: Yard, files: Readonly<Record<string, string>>, name = "agent-1"): Promise<string> {
  const integration = it.integration();
  const path = await integration.createTree(name, SESSION);
  it.write(path, files);
  await integration.bringAll(SESSION);
  return path;
}

async function find(it: Yard, name: string) {
  const survey = await it.survey();
  const entry = survey.entries.find((each) => each.name === name);
  if (entry === undefined) throw new Error(name);
  return { survey, entry };
}

async function merge(it: Yard, name: string) {
  const { survey, entry } = await find(it, name);
  return mergeEntry(survey, entry);
}

async function remove(it: Yard, name: string, force = false) {
  const { survey, entry } = await find(it, name);
  return removeEntry(survey, entry, { force });
}

const TOGETHER = `flower-${RUN}`;

describe("merging isolated work into the person's branch", () => {
  it("brings it in, beside uncommitted changes that it does not touch; twice is once", async () => {
    const it = yard({ "a.txt": "one\n", "b.txt": "b\n" });
    await worked(it, { "a.txt": "two\n", "sub/x.txt": "x" });
    it.write(it.root, { "c.txt": "c" });
    it.git(it.root, "add", "c.txt");
    it.git(it.root, "commit", "-q", "-m", "own");
    it.write(it.root, { "b.txt": "being edited\n", "draft.txt": "d" });
    expect(await merge(it, TOGETHER)).toMatchObject({
      into: "main",
      commits: 1,
      files: ["a.txt", "sub/x.txt"],
      head: it.git(it.root, "rev-parse", "main"),
    });
    expect(it.read(it.root, "a.txt")).toBe("two\n");
    expect(it.read(it.root, "b.txt")).toBe("being edited\n");
    expect(it.git(it.root, "log", "-1", "--format=%s")).toBe(`Merge flower/${RUN}`);
    expect(await merge(it, TOGETHER)).toMatchObject({ commits: 0, files: [] });
    expect(await merge(it, "agent-1")).toMatchObject({ commits: 0 });
  });

  it("takes along what a worker left uncommitted; the harness's own must be committed first", async () => {
    const it = yard();
    const path = await it.integration().createTree("agent-1", SESSION);
    it.write(path, { "x.txt": "x" });
    expect(await merge(it, "agent-1")).toMatchObject({ commits: 1, files: ["x.txt"] });
    const other = join(it.root, ".claude", "worktrees", "agent-9");
    it.git(it.root, "worktree", "add", "-q", "-b", "worktree-agent-9", other);
    it.write(other, { "y.txt": "y" });
    await expect(merge(it, "agent-9")).rejects.toMatchObject({ code: "worktree_uncommitted" });
    mkdirSync(join(other, "clone"));
    it.git(join(other, "clone"), "init", "-q");
    it.write(join(other, "clone"), { f: "f" });
    it.git(other, "add", "y.txt");
    it.git(other, "commit", "-q", "-m", "y");
    await expect(merge(it, "agent-9")).rejects.toThrow(/clone/);
  });

  it("names what no commit can take along", async () => {
    const it = yard();
    const path = await it.integration().createTree("agent-1", SESSION);
    it.write(path, { "x.txt": "x" });
    mkdirSync(join(path, "clone"));
    it.git(join(path, "clone"), "init", "-q");
    it.write(join(path, "clone"), { f: "f" });
    expect(await merge(it, "agent-1")).toMatchObject({ files: ["x.txt"], leftOut: ["clone/"] });
  });

  type Hurdle = [string, string, (it: Yard) => unknown];
  it.each<Hurdle>([
    [
      "a conflict",
      "merge_conflict",
      (it) => {
        it.write(it.root, { "a.txt": "mine\n" });
        it.git(it.root, "commit", "-q", "-am", "mine");
      },
    ],
    ["a changed file it would write", "checkout_dirty", (it) => it.write(it.root, { "a.txt": "edited\n" })],
    ["a new file it would write", "checkout_dirty", (it) => it.write(it.root, { "x/y.txt": "mine" })],
    ["a file where it needs a folder", "checkout_dirty", (it) => it.write(it.root, { x: "mine" })],
    [
      "something staged, where histories have parted",
      "checkout_dirty",
      (it) => {
        it.write(it.root, { "own.txt": "o" });
        it.git(it.root, "add", "own.txt");
        it.git(it.root, "commit", "-q", "-m", "own");
        it.write(it.root, { "staged.txt": "s" });
        it.git(it.root, "add", "staged.txt");
      },
    ],
    ["a detached HEAD", "detached_head", (it) => it.git(it.root, "checkout", "-q", "--detach")],
    [
      "an unfinished merge",
      "checkout_busy",
      (it) => {
        it.git(it.root, "checkout", "-q", "-b", "side");
        it.write(it.root, { "s.txt": "s" });
        it.git(it.root, "add", "s.txt");
        it.git(it.root, "commit", "-q", "-m", "s");
        it.git(it.root, "checkout", "-q", "main");
        it.git(it.root, "merge", "-q", "--no-ff", "--no-commit", "side");
      },
    ],
    ["another git's lock", "merge_failed", (it) => writeFileSync(join(it.root, ".git", "index.lock"), "")],
  ])("is refused by %s (%s), and everything is as it was", async (_name, code, arrange) => {
    const it = yard();
    await worked(it, { "a.txt": "theirs\n", "x/y.txt": "y" });
    arrange(it);
    const before = [readFileSync(join(it.root, "a.txt"), "utf8"), it.git(it.root, "rev-parse", "HEAD")];
    const status = it.git(it.root, "status", "--porcelain", "--untracked-files=all");
    await expect(merge(it, TOGETHER)).rejects.toMatchObject({ code, hint: expect.stringMatching(/./) });
    expect([it.read(it.root, "a.txt"), it.git(it.root, "rev-parse", "HEAD")]).toEqual(before);
    expect(it.git(it.root, "status", "--porcelain", "--untracked-files=all")).toBe(status);
  });

  it("is refused while a run is at work in the folder", async () => {
    const it = yard();
    await worked(it, { "x.txt": "x" });
    mkdirSync(join(it.base, "runs"), { recursive: true });
    const lease = takeLease(join(it.base, "runs", "active.json"), "20260109-120000-dddddd");
    try {
      await expect(merge(it, TOGETHER)).rejects.toMatchObject({ code: "worktrees_in_use" });
    } finally {
      lease.release();
    }
  });

  it("names a conflict and undoes it also with a git that cannot preview", async () => {
    const it = yard({ "a.txt": "one\n", "b.txt": "b\n" });
    await worked(it, { "a.txt": "theirs\n" });
    it.write(it.root, { "a.txt": "mine\n" });
    it.git(it.root, "commit", "-q", "-am", "mine");
    it.shadowGit('case " $* " in *" merge-tree "*) exit 129;; esac');
    const before = it.untouched();
    await expect(merge(it, TOGETHER)).rejects.toMatchObject({
      code: "merge_conflict",
      message: expect.stringContaining("a.txt"),
    });
    expect(it.git(it.root, "rev-parse", "HEAD")).toBe(before.split("\n")[1]);
    expect(it.git(it.root, "status", "--porcelain", "--", "a.txt", "b.txt")).toBe("");
    it.write(it.root, { "b.txt": "being edited\n" });
    await expect(merge(it, TOGETHER)).rejects.toMatchObject({ code: "checkout_dirty" });
    expect(it.read(it.root, "b.txt")).toBe("being edited\n");
  });
});

describe("removing isolated worktrees", () => {
  it("D-wt-02: of clean and merged, dirty, unmerged, and gone, only the first is removed and the last forgotten", async () => {
    const cases: readonly { id: string; input: readonly string[]; expected: Record<string, string[]> }[] =
      JSON.parse(readFileSync(new URL("../../fixtures/runtime/worktree.json", import.meta.url), "utf8"));
    const { input, expected } = cases.find(({ id }) => id === "D-wt-02") ?? {
      input: [],
      expected: {} as Record<string, string[]>,
    };
    const it = yard();
    const integration = it.integration();
    const names = new Map<string, string>();
    for (const [i, state] of input.entries()) {
      const path = await integration.createTree(`agent-${i}`, SESSION);
      names.set(`agent-${i}`, state);
      it.write(path, { [state]: state });
      it.git(path, "add", "-A");
      it.git(path, "commit", "-q", "-m", state);
      if (state !== "unmerged") it.git(it.root, "merge", "-q", workerBranch(RUN, `agent-${i}`));
      if (state === "dirty") it.write(path, { "more.txt": "m" });
      if (state === "missing-dir") rmSync(path, { recursive: true });
    }
    const { removed, kept } = await removeMerged(await it.survey());
    const stateOf = ({ name }: { name: string }) => names.get(name);
    expect(removed.filter(({ wasMissing }) => !wasMissing).map(stateOf)).toEqual(expected.removed);
    expect(removed.filter(({ wasMissing }) => wasMissing).map(stateOf)).toEqual(expected.pruned);
    expect(kept.map(stateOf)).toEqual(expected.keptAndListed);
    expect(kept.map(({ why }) => why)).toEqual(["uncommitted", "unmerged"]);
    const left = (await it.survey()).entries.map(stateOf);
    expect(left).toEqual(expected.keptAndListed);
    expect(it.git(it.root, "worktree", "list").split("\n")).toHaveLength(3);
  });

  it("says what would be lost and loses nothing, until that is said outright", async () => {
    const it = yard();
    const path = await it.integration().createTree("agent-1", SESSION);
    it.write(path, { "a.txt": "changed\n" });
    it.git(path, "commit", "-q", "-am", "only here");
    it.write(path, { "a.txt": "changed again\n", "new.txt": "n" });
    await expect(remove(it, "agent-1")).rejects.toMatchObject({
      code: "worktree_would_lose",
      message: expect.stringMatching(
        /nowhere else: 1; uncommitted changes: a\.txt; files git does not know: new\.txt/,
      ),
    });
    expect(it.read(path, "new.txt")).toBe("n");
    const tip = it.git(path, "rev-parse", "HEAD");
    expect(await remove(it, "agent-1", true)).toMatchObject({ tip, branchStays: false });
    expect(existsSync(path)).toBe(false);
    expect(it.holds("rev-parse", "--verify", "--quiet", workerBranch(RUN, "agent-1"))).toBe(false);
    expect(it.git(it.root, "show", `${tip}:a.txt`)).toBe("changed");
  });

  it("keeps the branch of a folder that is gone while it holds something, and takes caches for no loss", async () => {
    const it = yard();
    const integration = it.integration();
    const gone = await integration.createTree("agent-1", SESSION);
    it.write(gone, { "x.txt": "x" });
    it.git(gone, "add", "-A");
    it.git(gone, "commit", "-q", "-m", "x");
    rmSync(gone, { recursive: true });
    const looked = await integration.createTree("agent-2", SESSION);
    it.write(looked, { "__pycache__/a.pyc": "c" });
    const { removed, kept } = await removeMerged(await it.survey());
    expect(removed).toMatchObject([
      { name: "agent-1", wasMissing: true, branchStays: true },
      { name: "agent-2", wasMissing: false, branchStays: false },
    ]);
    expect(kept).toEqual([]);
    expect(existsSync(looked)).toBe(false);
    expect(it.git(it.root, "show", `${workerBranch(RUN, "agent-1")}:x.txt`)).toBe("x");
  });

  it("lets a worker's worktree go whose commits are all in another branch, with its branch", async () => {
    const it = yard();
    const path = await worked(it, { "x.txt": "x" });
    expect(await remove(it, "agent-1")).toMatchObject({ branchStays: false, loss: { commits: 0 } });
    expect(existsSync(path)).toBe(false);
    await expect(remove(it, TOGETHER)).rejects.toMatchObject({ code: "worktree_would_lose" });
  });

  it("keeps a branch a working tree stands on, the person's own or another, whatever is said", async () => {
    const it = yard();
    await worked(it, { "x.txt": "x" });
    const { entry } = await find(it, TOGETHER);
    rmSync(entry.path ?? "", { recursive: true });
    it.git(it.root, "worktree", "prune");
    it.git(it.root, "checkout", "-q", entry.branch);
    const { removed } = await removeMerged(await it.survey());
    const own = removed.find(({ branch }) => branch === entry.branch);
    expect(own).toMatchObject({ branchStays: true, isCheckedOut: true });
    expect(it.git(it.root, "rev-parse", "HEAD")).toBe(entry.tip);
  });

  it("leaves locked ones alone, and those of a live run, whatever is said; the harness's own unless they are named", async () => {
    const it = yard();
    const path = await worked(it, { "x.txt": "x" });
    const trees = join(it.root, ".claude", "worktrees");
    it.git(it.root, "worktree", "add", "-q", "-b", "worktree-agent-9", join(trees, "agent-9"));
    it.git(it.root, "worktree", "lock", path);
    await expect(remove(it, "agent-1", true)).rejects.toMatchObject({ code: "worktree_locked" });
    const lease = takeLease(join(it.base, "runs", "active.json"), RUN);
    try {
      await expect(remove(it, TOGETHER, true)).rejects.toMatchObject({ code: "worktrees_in_use" });
      const { removed, kept } = await removeMerged(await it.survey());
      expect(removed).toEqual([]);
      expect(kept.map(({ why }) => why)).toEqual(["live", "live"]);
    } finally {
      lease.release();
    }
    expect((await removeMerged(await it.survey())).kept.map(({ why }) => why)).toEqual([
      "unmerged",
      "locked",
    ]);
    expect(await remove(it, "agent-9")).toMatchObject({ name: "agent-9" });
  });
});
