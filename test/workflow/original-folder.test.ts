import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { Brief } from "../../src/documents/brief.ts";
import { Goal } from "../../src/documents/goal.ts";
import { starterFlow } from "../../src/workflow/starter-flow.ts";
import { wakeState } from "../../src/workflow/wake-state.ts";

const BRIEF = "## 目标\n数单词\n\n## 验收标准\n打印 3\n\n## 边界\n无\n\n## 未知与假设\n无\n";
const GOAL = "## 目标\n能数单词\n\n## 判定清单\n- 运行 `node wc.mjs a.txt`，打印 3\n";

/** What the Python original leaves after its three steps. */
function left(): { readonly workspace: string; readonly notes: string } {
  const workspace = realpathSync(mkdtempSync(join(tmpdir(), "flower-original-")));
  const notes = join(workspace, ".flower", "notes");
  mkdirSync(notes, { recursive: true });
  mkdirSync(join(workspace, "runs"));
  writeFileSync(join(notes, "需求.md"), BRIEF);
  writeFileSync(join(notes, "目标.md"), GOAL);
  writeFileSync(join(notes, "问答记录.md"), "问：什么是单词？\n");
  const steps = { 确认需求: "s1", 设定目标: "s2", 干活: "s3", mine: "s4" };
  writeFileSync(join(workspace, "runs", "lineage.json"), JSON.stringify({ workspace, woke: 2, steps }));
  return { workspace, notes };
}

describe("a folder the Python original left", () => {
  it("is found with its documents, steps and wakes, and looking at it writes nothing", () => {
    const { workspace, notes } = left();
    const state = wakeState(workspace);
    expect(state).toMatchObject({ waking: true, briefReady: true, checks: 1, woke: 2 });
    expect({ ...state.steps }).toEqual({ clarify: "s1", goal: "s2", work: "s3", mine: "s4" });
    expect(state.brief).toBe(join(notes, "brief.md"));
    expect(readdirSync(notes).sort()).toEqual(["目标.md", "问答记录.md", "需求.md"].sort());
  });

  it("has its documents copied to our names on the first wake, which count from then on", () => {
    const { workspace, notes } = left();
    starterFlow("", { workspace, timeoutS: 0 });
    expect(Brief.load(join(notes, "brief.md"))?.goal).toBe("数单词");
    expect(Goal.load(join(notes, "goal.md"))?.statement).toBe("能数单词");
    expect(readFileSync(join(notes, "qa.md"), "utf8")).toContain("什么是单词");
    expect(readFileSync(join(notes, "需求.md"), "utf8")).toBe(BRIEF);
    writeFileSync(join(notes, "goal.md"), GOAL.replace("打印 3", "打印 4"));
    starterFlow("", { workspace, timeoutS: 0 });
    expect(readFileSync(join(notes, "goal.md"), "utf8")).toContain("打印 4");
  });

  it("is put away whole when all begins anew: its documents are not found again", () => {
    const { workspace, notes } = left();
    starterFlow("something else", { workspace, timeoutS: 0, fresh: true });
    expect(wakeState(workspace)).toMatchObject({ waking: false, briefReady: false });
    const [archive = ""] = readdirSync(join(notes, "archive"));
    expect(readdirSync(join(notes, "archive", archive))).toEqual(
      expect.arrayContaining(["需求.md", "目标.md"]),
    );
  });
});
