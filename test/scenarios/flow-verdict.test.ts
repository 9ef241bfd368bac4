import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { text, toolUse, turn } from "../../src/testing/index.ts";
import { goalText, HOLDS, smoothScript, verdictText } from "./documents.ts";
import { stage } from "./stage.ts";

const GOAL = text(goalText("A word counter.", [HOLDS]));

describe("a judge that says more than one thing in its turn", () => {
  it("has not ruled achieved when it takes a first draft back in plain words", async () => {
    const play = await stage((workspace) =>
      smoothScript({
        coordinator: [text("Done."), text("Done again.")],
        judge: [
          GOAL,
          turn([
            text("## Conclusion\nachieved\n\n## Reason\nThe file is there."),
            toolUse("Glob", { pattern: "*.txt", path: join(workspace) }),
          ]),
          text("The record of check 1 is older than the work. It does not pass."),
          text(verdictText("achieved", "The record is new.")),
        ],
      }),
    );
    const { ctx } = await play.flow("count words");
    expect(ctx._failedAt).toBeUndefined();
    const verdicts = play.events.filter((e) => e.kind === "task" && e.payload.notice === "verdict");
    expect(verdicts.map((e) => (e.payload as Record<string, unknown>).state)).toEqual([
      "unclear",
      "achieved",
    ]);
    play.api.verify();
  });
});
