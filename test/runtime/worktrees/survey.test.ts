import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { takeLease } from "../../../src/runtime/lease.ts";
import { chooseEntry } from "../../../src/runtime/worktrees/choose-entry.ts";
import { workerBranch } from "../../../src/runtime/worktrees/names.ts";
import { surveyWorktrees } from "../../../src/runtime/worktrees/survey.ts";
import { LATER_RUN, RUN, yard } from "./yard.ts";

const SESSION = Symbol("session");

describe("all isolated work of a repository", () => {
  it("is listed with what each holds, where it stands and whether it merges; the person's own worktrees are not", async () => {
    const it = yard({ "a.txt": "one\n" });
    const integration = it.integration();
    const first = await integration.createTree("agent-1", SESSION);
    it.write(first, { "a.txt": "mine\n", "x.txt": "x" });
    const second = await integration.createTree("agent-2", SESSION);
    it.write(second, { "a.txt": "yours\n" });
    await integration.bringAll(SESSION);
    it.write(first, { "x.txt": "again", "new.txt": "n", "__pycache__/x.pyc": "c" });
    const trees = join(it.root, ".claude", "worktrees");
    it.git(it.root, "worktree", "add", "-q", "-b", "worktree-agent-9", join(trees, "agent-9"));
    it.git(it.root, "worktree", "add", "-q", "-b", "worktree-mine", join(trees, "mine"));
    it.git(it.root, "branch", "worktree-agent-7");
    it.write(it.root, { "a.txt": "the person's\n" });
    it.git(it.root, "commit", "-q", "-am", "own");
    const { entries, branch, live, top } = await it.survey();
    expect([branch, live, top]).toEqual(["main", [], it.root]);
    expect(entries.map(({ name, kind, run }) => [name, kind, run])).toEqual([
      [`flower-${RUN}`, "integration", RUN],
      ["agent-1", "worker", RUN],
      ["agent-2", "worker", RUN],
      ["agent-9", "other", undefined],
    ]);
    const [together, one, two, other] = entries;
    expect(one).toMatchObject({
      path: first,
      ahead: 1,
      files: ["a.txt", "x.txt"],
      state: { changed: ["x.txt"], untracked: ["new.txt"] },
      within: [`flower/${RUN}`],
      isMerged: false,
      isLive: false,
      lost: 0,
      merge: { kind: "conflict", files: ["a.txt"] },
    });
    expect(together).toMatchObject({ ahead: 1, merge: { kind: "conflict" }, lost: 0 });
    expect(two).toMatchObject({ within: [], lost: 1 });
    expect(other).toMatchObject({ isMerged: true, merge: { kind: "merged" }, ahead: 0, files: [] });
    expect(it.git(it.root, "status", "--porcelain", "--", "a.txt")).toBe("");
  });

  it("says of two runs that stand on one commit that the earlier is in the later, not that each is in the other", async () => {
    const it = yard();
    const first = it.integration();
    first.takeUp();
    it.write(await first.createTree("agent-1", SESSION), { "x.txt": "x" });
    await first.bringAll(SESSION);
    const later = it.integration(LATER_RUN);
    later.takeUp();
    await later.bringAll(SESSION);
    const { entries } = await it.survey();
    expect(entries.map(({ branch, within }) => [branch, within])).toEqual([
      [first.branch, [later.branch]],
      [later.branch, []],
      [workerBranch(RUN, "agent-1"), [first.branch, later.branch]],
    ]);
  });

  it("counts branches whose worktree is gone, and folders that are gone; a locked one says so", async () => {
    const it = yard();
    const integration = it.integration();
    for (const name of ["agent-1", "agent-2", "agent-3"]) {
      const path = await integration.createTree(name, SESSION);
      it.write(path, { [name]: name });
      it.git(path, "add", "-A");
      it.git(path, "commit", "-q", "-m", name);
      if (name === "agent-1") it.git(it.root, "worktree", "remove", path);
      if (name === "agent-2") rmSync(path, { recursive: true });
      if (name === "agent-3") it.git(it.root, "worktree", "lock", "--reason", "mine", path);
    }
    const { entries } = await it.survey();
    expect(entries.map(({ path, isMissing, lock }) => [path !== undefined, isMissing, lock])).toEqual([
      [false, false, undefined],
      [true, true, undefined],
      [true, false, "mine"],
    ]);
    expect(entries.every(({ lost, merge }) => lost === 1 && merge.kind === "clean")).toBe(true);
  });

  it("counts commits that a detached HEAD alone leads to", async () => {
    const it = yard();
    const path = await it.integration().createTree("agent-1", SESSION);
    it.git(path, "checkout", "-q", "--detach");
    it.write(path, { "x.txt": "x" });
    it.git(path, "add", "-A");
    it.git(path, "commit", "-q", "-m", "astray");
    expect((await it.survey()).entries).toMatchObject([{ lost: 1, isMerged: true }]);
  });

  it("knows what a live run works with, the work it took up from earlier ones included", async () => {
    const it = yard();
    const runDir = join(it.base, "runs");
    mkdirSync(runDir);
    const first = it.integration();
    first.takeUp();
    await first.createTree("agent-1", SESSION);
    const second = it.integration(LATER_RUN);
    second.takeUp();
    await second.createTree("agent-2", SESSION);
    const lease = takeLease(join(runDir, "active.json"), LATER_RUN);
    try {
      const { live, entries } = await it.survey();
      expect(live).toEqual([LATER_RUN]);
      expect(entries.map(({ isLive }) => isLive)).toEqual([true, true]);
    } finally {
      lease.release();
    }
    expect((await it.survey()).entries.map(({ isLive }) => isLive)).toEqual([false, false]);
  });

  it("says that it cannot tell about merges with a git that cannot, and is refused where there is nothing to look at", async () => {
    const it = yard();
    const integration = it.integration();
    it.write(await integration.createTree("agent-1", SESSION), { "x.txt": "x" });
    await integration.bringAll(SESSION);
    it.shadowGit('case " $* " in *" merge-tree "*) echo "usage: git merge-tree" >&2; exit 129;; esac');
    expect((await it.survey()).entries[0]?.merge).toEqual({ kind: "unknown", why: "usage: git merge-tree" });
    const inside = join(it.root, ".claude", "worktrees", "agent-1");
    const look = (workspace: string, env = it.env) => surveyWorktrees({ workspace, runDir: it.base, env });
    await expect(look(inside)).rejects.toMatchObject({
      code: "inside_worktree",
      hint: expect.stringContaining(it.root),
    });
    await expect(look(it.base)).rejects.toMatchObject({ code: "no_repository" });
    const empty = join(it.base, "empty");
    mkdirSync(empty);
    it.git(empty, "init", "-q");
    await expect(look(empty)).rejects.toMatchObject({ code: "no_commit" });
    await expect(look(empty, { ...it.env, PATH: it.base })).rejects.toMatchObject({ code: "git_missing" });
    writeFileSync(join(it.base, "runs"), "");
  });
});

describe("which one is meant", () => {
  const entries = [
    { name: `flower-${RUN}`, branch: `flower/${RUN}` },
    { name: "agent-ab12cd", branch: `flower/${RUN}-agent-ab12cd` },
    { name: "agent-ab12", branch: `flower/${RUN}-agent-ab12` },
    { name: "agent-ff00", branch: "worktree-agent-ff00" },
  ];

  it.each([
    ["agent-ab12", "agent-ab12"],
    ["ab12", "agent-ab12"],
    ["ab12cd", "agent-ab12cd"],
    ["agent-ab12c", "agent-ab12cd"],
    [RUN, `flower-${RUN}`],
    [`flower/${RUN}`, `flower-${RUN}`],
    ["worktree-agent-ff00", "agent-ff00"],
    [` flower-${RUN} `, `flower-${RUN}`],
    ["ff00", "agent-ff00"],
  ])("%s is %s", (typed, name) => expect(chooseEntry(entries, typed).name).toBe(name));

  it.each([
    ["agent", "worktree_ambiguous", /type more/],
    ["ab1", "worktree_unknown", /flower worktrees/],
    ["", "worktree_unknown", /flower worktrees/],
    ["agent-ff01", "worktree_unknown", /did you mean agent-ff00/],
  ])("%j is refused: %s", (typed, code, hint) => {
    expect(() => chooseEntry(entries, typed)).toThrow(
      expect.objectContaining({ code, hint: expect.stringMatching(hint) }),
    );
  });
});
