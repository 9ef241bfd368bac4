import { linkSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { frozenPreGuard } from "../../src/guards/frozen-guard.ts";
import { byWorker, call, reasonOf, temporaryFolder } from "./calls.ts";

describe("what is frozen", () => {
  const home = temporaryFolder("frozen");
  const notes = join(home, ".flower", "notes");
  mkdirSync(join(notes, "verdicts"), { recursive: true });
  const goal = join(notes, "goal.md");
  writeFileSync(goal, "goal");
  symlinkSync(goal, join(home, "link.md"));
  symlinkSync(notes, join(home, "n"));
  linkSync(goal, join(home, "hard.md"));
  const protects: string[] = [goal, join(notes, "verdicts")];
  const guard = frozenPreGuard({ protects: () => protects });

  it.each([
    ["by its name", "Write", { file_path: goal, content: "x" }],
    ["in part", "Edit", { file_path: goal, old_string: "a", new_string: "b" }],
    ["in parts", "MultiEdit", { file_path: goal, edits: [] }],
    ["as a notebook", "NotebookEdit", { notebook_path: goal, new_source: "x" }],
    ["relative", "Write", { file_path: ".flower/notes/goal.md", content: "x" }],
    ["with dots", "Write", { file_path: `${home}/n/../.flower/notes/goal.md`, content: "x" }],
    ["with blanks", "Write", { file_path: ` ${goal} `, content: "x" }],
    ["through a link", "Write", { file_path: join(home, "link.md"), content: "x" }],
    ["through a folder's link", "Edit", { file_path: join(home, "n", "goal.md") }],
    ["under a second name", "Write", { file_path: join(home, "hard.md"), content: "x" }],
    ["inside a folder", "Write", { file_path: join(notes, "verdicts", "mine.md"), content: "achieved" }],
  ])("is written by no tool %s, on any thread", (_name, tool, input) => {
    for (const make of [call, byWorker]) {
      const decision = guard.decide(make(tool, input, { cwd: home }));
      expect(reasonOf(decision)).toContain("only the person changes it");
    }
  });

  it.each([
    ["another file beside it", "Write", { file_path: join(notes, "plan.md"), content: "x" }],
    ["a file whose name begins like it", "Write", { file_path: `${goal}.bak`, content: "x" }],
    [
      "a folder whose name begins like one",
      "Write",
      { file_path: join(notes, "verdicts2", "x.md"), content: "" },
    ],
    ["no path at all", "Write", { content: "x" }],
    ["a path that is no text", "Edit", { file_path: 7 }],
    ["nothing", "Write", null],
  ])("leaves %s to the other guards", (_name, tool, input) => {
    expect(guard.decide(byWorker(tool, input, { cwd: home })).kind).toBe("pass");
  });

  it("is for reading, and holds from the moment it is frozen", () => {
    expect(guard.tools).not.toContain("Read");
    const late = join(home, "late.md");
    const write = () => guard.decide(call("Write", { file_path: late, content: "" }, { cwd: home })).kind;
    expect(write()).toBe("pass");
    protects.push(late);
    expect(write()).toBe("deny");
  });
});
