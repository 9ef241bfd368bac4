import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { parseCommandLine } from "../../src/cli/args/parse-command-line.ts";
import { worktreesCommand } from "../../src/cli/commands/worktrees.ts";
import { createPaint } from "../../src/cli/screen/paint.ts";
import { diffLines } from "../../src/cli/worktrees/diff-lines.ts";
import { listLines } from "../../src/cli/worktrees/list-lines.ts";
import { mergedLines, removedLines } from "../../src/cli/worktrees/outcome-lines.ts";
import { unfit } from "../../src/cli/worktrees/usage.ts";
import type { Language } from "../../src/config/locale/catalogue.ts";
import { createTranslator } from "../../src/config/locale/translator.ts";
import type { Survey, WorktreeEntry } from "../../src/runtime/worktrees/survey.ts";
import { RUN, type Yard, yard } from "../runtime/worktrees/yard.ts";
import { type } from "./screen-io.ts";

const SESSION = Symbol("session");
const TOGETHER = `flower-${RUN}`;
const t = createTranslator("en");

function run(it: Yard, ...argv: string[]) {
  return type(worktreesCommand, ["worktrees", ...argv, "-w", it.root, "-r", join(it.base, "runs")], it.env);
}

/** Two workers: one is in, the other conflicts with it. */
async function worked(): Promise<Yard> {
  const it = yard({ "a.txt": "one\n" });
  const integration = it.integration();
  it.write(await integration.createTree("agent-1", SESSION), { "a.txt": "mine\n", "x.txt": "x\n" });
  it.write(await integration.createTree("agent-2", SESSION), { "a.txt": "yours\n" });
  await integration.takeIn({ name: "agent-1", subject: "write x" });
  await integration.bringAll(SESSION);
  return it;
}

describe("flower worktrees", () => {
  it("lists, shows, merges and removes", async () => {
    const it = await worked();
    const listed = await run(it);
    expect(listed).toMatchObject({ code: 0, err: "" });
    expect(listed.out.split("\n")).toEqual([
      "- isolated work beside main",
      `# ${TOGETHER}`,
      "    commits: 1, files: 2 · merges cleanly",
      `    .claude/worktrees/${TOGETHER}`,
      "| agent-1",
      `    commits: 1, files: 2 · all in flower/${RUN}`,
      "    .claude/worktrees/agent-1",
      "| agent-2",
      "    commits: 1, files: 1 · merges cleanly",
      "    .claude/worktrees/agent-2",
    ]);
    const shown = await run(it, "diff", "agent-1");
    expect(shown.out).toContain(" 2 files changed");
    it.write(it.base, { "p.diff": `${shown.out}\n` });
    it.git(it.root, "apply", "--check", join(it.base, "p.diff"));
    const merged = await run(it, "merge", "--all");
    expect(merged.code).toBe(1);
    expect(merged.out).toBe(`+ ${TOGETHER} is merged into main (commits: 1, files: 2)`);
    expect(merged.err).toMatch(
      /^x flower\/\S+agent-2 does not merge into main: a\.txt; nothing was changed\n {2}next: /,
    );
    expect(it.read(it.root, "x.txt")).toBe("x\n");
    expect((await run(it, "list")).out).toContain("commits: 1, files: 1 · conflicts in a.txt");
    expect((await run(it, "remove", "--merged")).out.split("\n")).toEqual([
      `+ ${TOGETHER} is removed`,
      "+ agent-1 is removed",
      "- agent-2 stays: it is not merged",
    ]);
    const refused = await run(it, "remove", "agent-2");
    expect(refused).toMatchObject({ code: 1, out: "" });
    expect(refused.err).toContain("commits that are nowhere else: 1");
    expect((await run(it, "remove", "agent-2", "--force")).out).toMatch(
      /^\+ agent-2 is removed\n {2}what went with it: .+\n {2}its branch stood on [0-9a-f]{12}$/,
    );
    expect((await run(it)).out).toBe("- no isolated worktrees here");
    expect((await run(it, "merge", "--all")).out).toBe("- nothing to merge");
    expect((await run(it, "remove", "--merged")).out).toBe("- nothing to remove");
  });

  it("says what went with a worktree removed by force, uncommitted work too", () => {
    const loss = { commits: 0, changed: ["a.txt"], untracked: ["new.txt"] };
    const entry = {
      name: "n",
      branch: "b",
      tip: "0".repeat(40),
      wasMissing: false,
      branchStays: false,
      isCheckedOut: false,
      loss,
    };
    expect(removedLines([entry], [], createTranslator("en"))).toEqual([
      "+ n is removed",
      "  what went with it: uncommitted changes: a.txt; files git does not know: new.txt",
    ]);
    const out = { ...entry, branchStays: true, isCheckedOut: true, loss: { ...loss, commits: 2 } };
    expect(removedLines([out], [], createTranslator("en"))).toEqual([
      "+ n is removed",
      "  its branch b stays: a working tree stands on it",
      "  what went with it: uncommitted changes: a.txt; files git does not know: new.txt",
    ]);
    const changed = Array.from({ length: 30 }, (_, i) => `f${i}`);
    const many = { ...entry, loss: { commits: 0, changed, untracked: [] } };
    expect(removedLines([many], [], createTranslator("pt"))[1]).toMatch(/f0, .*[0-9] e mais \d+$/);
  });

  it("says what a merge could not take along", () => {
    const merged = {
      name: "n",
      branch: "b",
      into: "main",
      head: "0",
      commits: 1,
      files: ["a"],
      leftOut: ["clone/"],
    };
    expect(mergedLines([merged], createTranslator("en"), true)[1]).toBe(
      "! of n was left out, because git cannot commit it as files: clone/",
    );
  });

  it("tells programs all of it as one object, refusals too", async () => {
    const it = await worked();
    const read = async (...argv: string[]) => {
      const { out, code } = await run(it, "--json", ...argv);
      return { code, value: JSON.parse(out) as Record<string, unknown> & { worktrees: { name: string }[] } };
    };
    const list = await read();
    expect(list.value).toMatchObject({ top: it.root, branch: "main", live: [] });
    expect(list.value.worktrees).toMatchObject([
      { name: TOGETHER, kind: "integration", run: RUN, merges: true, conflicts: [], merged: false },
      { name: "agent-1", within: [`flower/${RUN}`], only_here: 0, changed: [], untracked: [] },
      { name: "agent-2", within: [], only_here: 1, files: ["a.txt"] },
    ]);
    expect((await read("diff", "agent-2")).value).toMatchObject({
      branch: `flower/${RUN}-agent-2`,
      patch: expect.stringContaining("+yours"),
      untracked: [],
    });
    expect((await read("merge", TOGETHER)).value).toMatchObject({
      merged: [{ name: TOGETHER, into: "main", commits: 1 }],
      exit: 0,
    });
    expect(await read("merge", "agent-2")).toMatchObject({
      code: 1,
      value: { exit: 1, reason: expect.stringContaining("does not merge") },
    });
    expect(await read("merge", "nobody")).toMatchObject({ code: 1, value: { exit: 1 } });
    expect((await read("remove", "--merged")).value).toMatchObject({
      removed: [{ name: TOGETHER }, { name: "agent-1" }],
      kept: [{ name: "agent-2", why: "unmerged" }],
    });
  });

  it("is refused outside a repository, and makes no folder by looking", async () => {
    const it = yard();
    const there = await type(worktreesCommand, ["worktrees", "-w", join(it.base, "nowhere")], it.env);
    expect(there).toMatchObject({ code: 1, out: "" });
    expect(there.err).toContain("is in no git repository");
    expect(it.git(it.root, "status", "--porcelain")).toBe("");
  });
});

describe("its words and options", () => {
  const problem = (...argv: string[]) => {
    const line = parseCommandLine(["worktrees", ...argv]);
    if (line.kind === "usage_error") return `usage: ${line.suggestion ?? line.problem.key}`;
    return line.kind === "command" ? unfit(line, t) : line.kind;
  };

  it.each([
    [[], undefined],
    [["list"], undefined],
    [["list", "x"], "usage: flower go worktrees list x"],
    [["lst"], "usage: flower worktrees list"],
    [["merg", "agent-1"], "usage: flower worktrees merge agent-1"],
    [["of", "the", "repo"], "usage: flower go worktrees of the repo"],
    [["diff"], "flower worktrees diff needs the name of a worktree"],
    [["diff", "a"], undefined],
    [["diff", "a", "b"], "usage: flower go worktrees diff a b"],
    [["merge"], "flower worktrees merge needs the name of a worktree, or --all"],
    [["merge", "--all"], undefined],
    [["merge", "a", "--all"], "flower worktrees merge: either a name or --all, not both"],
    [["remove", "--merged"], undefined],
    [["remove", "a", "--force"], undefined],
    [["remove", "--merged", "--force"], "--force has no effect with flower worktrees remove --merged"],
    [["merge", "a", "--force"], "--force has no effect with flower worktrees merge"],
    [["remove", "--all"], "--all has no effect with flower worktrees remove"],
    [["--merged"], "--merged has no effect with flower worktrees list"],
  ])("%j: %s", (argv, words) => expect(problem(...argv)).toBe(words));

  it("exits with 2 for one that cannot be", async () => {
    const it = yard();
    expect(await run(it, "merge")).toMatchObject({ code: 2, err: expect.stringContaining("usage: ") });
  });
});

describe("its lines", () => {
  const entry: WorktreeEntry = {
    name: "agent-1",
    kind: "other",
    run: undefined,
    branch: "worktree-agent-1",
    path: "/elsewhere/agent-1",
    isMissing: true,
    lock: "",
    isLive: true,
    tip: "a".repeat(40),
    base: undefined,
    ahead: 2,
    files: ["x"],
    state: {
      ...{ head: undefined, branch: undefined },
      ...{ changed: ["a"], untracked: ["b"], nested: ["c/"], unmerged: [] },
    },
    isMerged: false,
    within: [],
    lost: 2,
    merge: { kind: "unknown", why: "old git\u001b[2J" },
  };
  const survey = { top: "/repo", branch: undefined, head: "b".repeat(40), live: [] } as unknown as Survey;
  const view = (language: Language, colours = false) => ({
    t: createTranslator(language),
    width: 100,
    verbose: false,
    folder: "",
    paint: createPaint(colours),
  });

  it.each<Language>(["en", "zh", "pt"])(
    "say every state in %s, with nothing in them that moves the cursor",
    (language) => {
      const lines = listLines(
        { ...survey, entries: [entry, { ...entry, path: undefined, lock: undefined }] },
        view(language),
      );
      expect(lines.join("\n")).not.toMatch(/undefined|\{/);
      expect(lines.join("\n")).not.toContain("\u001b");
      expect(lines.join("\n")).toContain("b".repeat(12));
      const outcome = {
        name: "agent-1",
        branch: "b",
        tip: "c".repeat(40),
        loss: { commits: 1, changed: [], untracked: [] },
      };
      const removed = [
        { ...outcome, wasMissing: true, branchStays: true, isCheckedOut: false },
        { ...outcome, wasMissing: false, branchStays: false, isCheckedOut: false },
      ];
      const kept = (["live", "locked", "unmerged", "uncommitted"] as const).map((why) => ({
        name: "n",
        branch: "b",
        why,
      }));
      const said = removedLines(removed, kept, createTranslator(language));
      expect(new Set(said).size).toBe(9);
    },
  );

  it("colour a difference on a terminal, and strip what a file would do to it; elsewhere it is as git gives it", () => {
    const found = {
      stat: " a | 2 +-\n",
      patch: "diff --git a/a b/a\n@@ -1 +1 @@\n-old\n+new\u001b[2J\n",
      untracked: ["u\nv"],
    };
    const facts = { entry, branch: "main", isTty: true };
    const onTerminal = diffLines(found, facts, view("en", true));
    expect(onTerminal.at(-1)).toBe("\u001b[32m+new\u001b[39m");
    expect(onTerminal).toContain("  ? u\\nv");
    const plain = diffLines(found, { ...facts, isTty: false }, view("en"));
    expect(plain.slice(-4)).toEqual(["diff --git a/a b/a", "@@ -1 +1 @@", "-old", "+new\u001b[2J"]);
    expect(diffLines({ stat: "", patch: "", untracked: [] }, facts, view("en"))).toEqual([
      "- agent-1 holds nothing that main has not",
    ]);
  });
});
