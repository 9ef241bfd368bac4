import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { dispatch, lastUserText, text, toolResults, toolUse } from "../../src/testing/index.ts";
import { goalText, requestsOf, smoothScript, verdictText } from "./documents.ts";
import { stage } from "./stage.ts";

const CHECKS = ["`node wc.mjs a.txt` prints 3", "The tests pass."];

describe("a worker that makes its goal easier", () => {
  it("is refused by every tool that writes, found out where a command did it, and judged by what was frozen", async () => {
    const seen: string[] = [];
    const play = await stage((workspace) => {
      const goal = join(workspace, ".flower", "notes", "goal.md");
      return smoothScript({
        judge: [
          text(goalText("A word counter.", CHECKS)),
          (request) => {
            seen.push(lastUserText(request), readFileSync(goal, "utf8"));
            return text(verdictText("achieved", "It counts."));
          },
        ],
        coordinator: [dispatch("coder", "Write wc.mjs."), text("Done.")],
        workers: {
          coder: [
            toolUse("Write", { file_path: goal, content: "## Goal\nx\n## Checklist\n- done\n" }),
            (request) => {
              seen.push(
                toolResults(request)
                  .map((result) => result.text)
                  .join("\n"),
              );
              const weaken = `sed -i '/tests pass/d' ${goal}; rm ${workspace}/.flower/notes/brief.md`;
              return toolUse("Bash", { command: `echo done > wc.mjs; ${weaken}` });
            },
            text("Conclusion: written."),
          ],
        },
      });
    });
    const notes = join(play.workspace, ".flower", "notes");
    const { ctx } = await play.flow("count the words");
    expect(ctx._failedAt).toBeUndefined();
    const [refused, asked, onDisk] = seen;
    expect(refused).toContain("It is frozen: only the person changes it.");
    expect(asked).toContain("2. The tests pass.");
    expect(onDisk).toContain("2. The tests pass.");
    expect(readFileSync(join(notes, "brief.md"), "utf8")).toContain("## Boundaries");

    const changed = readdirSync(join(notes, "archive")).filter((name) => name.startsWith("goal.changed-"));
    expect(changed).toHaveLength(1);
    expect(readFileSync(join(notes, "archive", changed[0]!), "utf8")).not.toContain("tests pass");
    const told = play.events.filter((event) => event.kind === "task" && event.payload.notice === "frozen");
    expect(told.map((event) => event.payload)).toMatchObject([
      { phase: "removed", step: "work" },
      { phase: "changed", step: "work" },
      { phase: "kept" },
    ]);

    // The copy for a run that is killed lies in the run folder, and lineage says what it is.
    const lineage = JSON.parse(readFileSync(join(play.runDir, "lineage.json"), "utf8"));
    expect(Object.keys(lineage.frozen).sort()).toEqual([".flower/notes/brief.md", ".flower/notes/goal.md"]);
    expect(Object.values(lineage.frozen).filter((mark) => (mark as { during?: string }).during)).toEqual([]);
    expect(readdirSync(join(play.runDir, "frozen"))).toHaveLength(2);
    expect(existsSync(join(play.runDir, ".gitignore"))).toBe(true);

    // Nothing has changed since, although the worker did change the file.
    const requests = play.api.requests.length;
    await play.flow("");
    expect(play.api.requests).toHaveLength(requests);
    expect(requestsOf(play.api.requests, "coordinator")).toHaveLength(2);
    play.api.verify();
  });
});
