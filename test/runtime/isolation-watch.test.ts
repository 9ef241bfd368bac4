import { describe, expect, it } from "vitest";
import type { ToolOutcome } from "../../src/guards/decision.ts";
import type { Git } from "../../src/runtime/git.ts";
import { createIsolationWatch, type IsolationFault } from "../../src/runtime/isolation-watch.ts";
import type { WorkerPart } from "../../src/runtime/worktrees/integration.ts";
import type { IntegrationReport } from "../../src/runtime/worktrees/report.ts";
import { isWorthTelling } from "../../src/runtime/worktrees/report.ts";
import { leftOutLines, obstaclesIn, sayIntegration } from "../../src/runtime/worktrees/report-words.ts";

const PATH = "/repo/.claude/worktrees/agent-1";

function report(more: Partial<IntegrationReport> = {}): IntegrationReport {
  return {
    ...{ branch: "flower/r", path: "/repo/.claude/worktrees/flower-r", blocked: undefined, base: "main" },
    blockedWords: undefined,
    ...{ commits: 1, files: ["x"], merged: [], conflicts: [], stuck: [], leftOut: [], kept: undefined },
    ...more,
  };
}

interface Scene {
  readonly taken?: IntegrationReport | undefined;
  /** Commit the worktree was started from. */
  readonly start?: string;
  /** Whether git says that a commit is an ancestor. */
  readonly contains?: boolean;
  /** What `git status` gives at each look at the checkout. */
  readonly looks?: string[];
  readonly failures?: string[];
}

function watching(scene: Scene = {}) {
  const faults: IsolationFault[] = [];
  const obstacles: IntegrationReport[] = [];
  const parts: WorkerPart[] = [];
  const asked: string[][] = [];
  const answer = (out: string, ok = true) => Promise.resolve({ ok, out, missing: false });
  const git = (): Git => ({
    sync: () => ({ ok: true, out: "", missing: false }),
    ask: (...args) => {
      asked.push(args);
      if (args[0] === "status") return answer(scene.looks?.shift() ?? "");
      return answer(args[0] === "rev-parse" ? "head\n" : "hash\n", scene.contains ?? true);
    },
  });
  const watch = createIsolationWatch({
    git: git(),
    gitAt: git,
    integration: {
      startOf: () => scene.start,
      takeIn: async (part) => {
        parts.push(part);
        return scene.taken;
      },
    },
    isIsolated: (role) => role === "coder",
    failures: () => scene.failures ?? [],
    onFault: (fault) => faults.push(fault),
    onObstacle: (found) => obstacles.push(found),
  });
  return { watch, faults, obstacles, parts, asked };
}

function outcome(more: Partial<ToolOutcome> = {}): ToolOutcome {
  return {
    ...{ tool: "Agent", agentId: undefined, agentType: undefined, cwd: "/repo", toolUseId: "t1" },
    input: { subagent_type: "coder", description: "Write x", isolation: "worktree" },
    response: { status: "completed", agentType: "coder", worktreePath: PATH },
    ...more,
  };
}

describe("a dispatch that is over", () => {
  it("has its work taken in under its description, and says nothing when all is well", async () => {
    const { watch, parts, faults, asked } = watching({ taken: report(), start: "abc" });
    expect(await watch.after(outcome())).toBeUndefined();
    expect(parts).toEqual([{ name: "agent-1", subject: "Write x" }]);
    expect(faults).toEqual([]);
    expect(asked).toContainEqual(["merge-base", "--is-ancestor", "abc", "HEAD"]);
  });

  it("tells the coordinator, and the person, what does not go in", async () => {
    const conflicts = [
      { branch: "flower/r-agent-1", path: PATH, files: ["a.txt"], with: ["flower/r-agent-0"] },
    ];
    const leftOut = [{ branch: "flower/r-agent-1", path: PATH, files: ["clone/"] }];
    const taken = report({ conflicts, leftOut });
    const { watch, obstacles } = watching({ taken });
    const words = await watch.after(outcome());
    expect(words).toMatch(/^flower noticed/);
    expect(words).toContain(
      "- Conflict: flower/r-agent-1 does not merge into flower/r: a.txt (also changed by",
    );
    expect(words).toContain("`git merge flower/r-agent-1`");
    expect(words).toContain(`- Left out: in ${PATH}, no commit holds clone/.`);
    expect(obstacles).toEqual([taken]);
  });

  it("is looked at by its effect: no worktree, or one from another commit", async () => {
    const none = watching();
    const words = await none.watch.after(outcome({ response: { status: "completed", agentType: "coder" } }));
    expect(words).toContain("got no worktree");
    expect(none.parts).toEqual([]);
    const wrong = watching({ contains: false });
    expect(await wrong.watch.after(outcome())).toContain("does not start from the commit");
    expect([...none.faults, ...wrong.faults].map(({ kind }) => kind)).toEqual([
      "not_isolated",
      "wrong_commit",
    ]);
    const failed = watching();
    expect(await failed.watch.after(outcome({ response: "an error" }))).toBeUndefined();
    expect(failed.faults).toEqual([]);
  });

  it("counts for a worker that was written to again, and for nobody else's calls", async () => {
    const { watch, parts } = watching({ taken: report() });
    await watch.after(outcome({ tool: "SendMessage", input: { to: "7", summary: "Go on" }, response: {} }));
    expect(parts).toEqual([{ name: "agent-7", subject: "Go on" }]);
    await watch.after(outcome({ tool: "Read", input: {}, response: {} }));
    await watch.after(outcome({ agentId: "1", agentType: "coder" }));
    expect(parts).toHaveLength(1);
  });

  it("that could not begin is told why", async () => {
    const { watch } = watching({ failures: ["no worktree could be made for agent-1: the disk is full"] });
    const call = outcome();
    expect(await watch.failed?.(call, "hook failed")).toContain("- no worktree could be made for agent-1");
    expect(await watch.failed?.({ ...call, tool: "Bash" }, "x")).toBeUndefined();
    expect(await watching().watch.failed?.(call, "x")).toBeUndefined();
  });
});

describe("a Bash of an isolated worker", () => {
  const bash = outcome({ tool: "Bash", agentId: "1", agentType: "coder", input: {}, response: {} });

  it("that changes the shared checkout is reported at once, and told to the coordinator with the next report", async () => {
    const { watch, faults } = watching({ looks: ["?? mine.txt\0", "?? mine.txt\0?? leaked.txt\0 D gone\0"] });
    await watch.before(bash);
    expect(await watch.after(bash)).toBeUndefined();
    expect(faults).toEqual([
      { kind: "checkout_changed", agentId: "1", agentType: "coder", files: ["gone", "leaked.txt"] },
    ]);
    expect(await watch.after(outcome())).toContain(
      "changed the shared checkout through Bash: gone, leaked.txt",
    );
    expect(await watch.after(outcome())).toBeUndefined();
  });

  it("is not looked at where its role is not isolated, or it is the main thread's", async () => {
    const { watch, asked } = watching();
    await watch.before({ ...bash, agentType: "reviewer" });
    await watch.before({ ...bash, agentId: undefined });
    expect(asked).toEqual([]);
  });
});

describe("how isolated work is said", () => {
  it.each([
    [
      report(),
      "isolated work is on flower/r: 1 commits, 1 files beyond main; in /repo/.claude/worktrees/flower-r",
    ],
    [report({ path: undefined }), "isolated work: nothing was brought together"],
    [
      report({ path: undefined, blocked: "in the way" }),
      "isolated work could not be brought together: in the way",
    ],
  ])("%#: %s", (found, words) => {
    expect(sayIntegration(found)).toBe(words);
    expect(isWorthTelling(found)).toBe(found.path !== undefined || found.blocked !== undefined);
  });

  it("names few files, and what stands in a name cannot end the line", () => {
    const files = ["a\nb", "c,d", "e", "f", "g", "h"];
    const [line] = leftOutLines(report({ leftOut: [{ branch: "b", path: "/p", files }] }));
    expect(line).toBe('Left out: in /p, no commit holds "a\\nb", "c,d", e, f, g and 1 more.');
  });

  it("says what stands in the way, also where git names no file and a worktree is gone", () => {
    const conflicts = [{ branch: "main", path: undefined, files: [], with: [] }];
    const stuck = [{ branch: "flower/r-agent-2", path: undefined, why: "locked", words: "locked" }];
    const found = report({ path: undefined, conflicts, stuck });
    expect(isWorthTelling(found)).toBe(true);
    expect(obstaclesIn(found)).toEqual([
      expect.stringMatching(/^Conflict: main does not merge into flower\/r\. Have a worker/),
      expect.stringMatching(/^Not taken: the work in flower\/r-agent-2 \(flower\/r-agent-2\): locked\./),
    ]);
  });
});
