import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import {
  type ApiRequest,
  ask,
  dispatch,
  lastToolResult,
  type Script,
  text,
  toolUse,
} from "../../src/testing/index.ts";
import { briefText, goalText, verdictText } from "./documents.ts";
import { stage } from "./stage.ts";

const WRONG = "console.log(2);\n";
const RIGHT =
  'import { readFileSync } from "node:fs";\nconsole.log(readFileSync(process.argv[2], "utf8").trim().split(/\\s+/).length);\n';

function script(workspace: string): Script {
  const path = join(workspace, "wc.mjs");
  const ruleOn = (request: ApiRequest) => {
    const seen = lastToolResult(request, "Read") ?? "";
    return seen.includes("split")
      ? text(verdictText("achieved", "1: wc.mjs counts words."))
      : text(verdictText("not yet", "wc.mjs prints a constant.", ["1: it does not count"]));
  };
  return {
    clarifier: [ask("Which files?", ["text", "all"]), text(briefText("Count the words in a file."))],
    judge: [
      text(goalText("A word counter.", ["`node wc.mjs a.txt` -> prints 3"])),
      toolUse("Read", { file_path: path }),
      ruleOn,
      toolUse("Read", { file_path: path }),
      ruleOn,
    ],
    coordinator: [
      toolUse("Write", { file_path: join(workspace, "mine.txt"), content: "x" }),
      toolUse("Bash", { command: "node -e 'console.log(1)'" }),
      dispatch("coder", "Write wc.mjs. Accepted when `node wc.mjs a.txt` prints 3."),
      text("The worker reports it done."),
      dispatch("coder", "wc.mjs must count."),
      text("It counts now."),
    ],
    workers: {
      coder: [
        [
          toolUse("Write", { file_path: path, content: WRONG }),
          toolUse("Write", { file_path: join(workspace, "a.txt"), content: "one two three\n" }),
        ],
        toolUse("Bash", { command: "node wc.mjs a.txt" }),
        text("Conclusion: written."),
        toolUse("Bash", { command: `cat > wc.mjs <<'EOF'\n${RIGHT}EOF\nnode wc.mjs a.txt` }),
        (request) => text(`Conclusion: it prints ${lastToolResult(request, "Bash")}`),
      ],
    },
  };
}

describe("from one sentence to judged work", () => {
  it("clarifies, sets the goal, works, is rejected once, goes on in the same session, and is achieved", async () => {
    const play = await stage(script);
    const { ctx, runtime } = await play.flow("count the words in my files");

    expect(ctx._failedAt).toBeUndefined();
    play.api.verify();

    const rows = play.manifest();
    expect(rows.map((row) => row.step)).toEqual([
      "clarify",
      "goal",
      "work",
      "work:verdict#1",
      "work#round2",
      "work:verdict#2",
    ]);
    const session = (step: string) => rows.find((row) => row.step === step)?.session_id;
    expect(session("work#round2")).toBe(session("work"));
    expect(
      new Set([session("work"), session("work:verdict#1"), session("work:verdict#2"), session("goal")]).size,
    ).toBe(4);
    expect(rows.every((row) => row.ok)).toBe(true);

    // 100 tokens in and 20 out a turn at the scripted model's price, each turn paid once although round 2 resumes.
    const turns = play.api.requests.filter((request) => request.role !== "side").length;
    const perTurn = (rows[1]?.cost_usd ?? 0) / 1;
    expect(perTurn).toBeGreaterThan(0);
    expect(rows.reduce((sum, row) => sum + row.cost_usd, 0)).toBeCloseTo(turns * perTurn, 6);
    expect(runtime.totalCost()).toBeCloseTo(turns * perTurn, 4);

    expect(existsSync(join(play.workspace, "mine.txt"))).toBe(false);
    expect(readFileSync(join(play.workspace, ".flower/notes/brief.md"), "utf8")).toContain("Count the words");
    expect(readFileSync(join(play.workspace, ".flower/notes/goal.md"), "utf8")).toContain("prints 3");
    expect(play.lineage()).toEqual({
      workspace: play.workspace,
      woke: 0,
      steps: { clarify: session("clarify"), goal: session("goal"), work: session("work") },
      frozen: Object.fromEntries(
        ["brief.md", "goal.md"].map((name) => {
          const text = readFileSync(join(play.workspace, ".flower/notes", name));
          return [`.flower/notes/${name}`, { sha256: createHash("sha256").update(text).digest("hex") }];
        }),
      ),
    });
  });

  it("keeps the coordinator's hands off: no Write at all, no Bash beyond a glance, and grants the worker node", async () => {
    const play = await stage(script);
    await play.flow("count the words in my files");
    const requests = play.api.requests.filter((request) => request.role === "coordinator");
    expect(lastToolResult(requests[1]!, "Write")).toContain("No such tool available");
    expect(lastToolResult(requests[2]!, "Bash")).toMatch(/glance/);
    const workers = play.api.requests.filter((request) => request.role === "worker");
    expect(lastToolResult(workers[2]!, "Bash")).toContain("2");
    expect(play.manifest().find((row) => row.step === "work")?.denials).toBe(1);
  });
});
