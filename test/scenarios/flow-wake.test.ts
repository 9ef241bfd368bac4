import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { lastUserText, text } from "../../src/testing/index.ts";
import { bodyOf, briefText, goalText, HOLDS, requestsOf, smoothScript, verdictText } from "./documents.ts";
import { stage } from "./stage.ts";

const GOAL = text(goalText("A word counter.", [HOLDS]));
const ACHIEVED = text(verdictText("achieved", "It counts."));
const SENTENCE = "Lines must be counted too.";

function times(whole: string, part: string): number {
  return whole.split(part).length - 1;
}

describe("waking a run with a sentence", () => {
  it("puts the words into the brief once, into a goal set anew, and to the same work session", async () => {
    const play = await stage(
      smoothScript({
        judge: [GOAL, ACHIEVED, GOAL, ACHIEVED, GOAL, ACHIEVED],
        coordinator: [text("Done."), text("Lines as well."), text("Still both.")],
      }),
    );
    const brief = () => readFileSync(join(play.workspace, ".flower/notes/brief.md"), "utf8");

    const first = await play.flow("count the words in my files");
    expect(first.ctx._woke).toBe(0);
    const before = brief();
    const work = play.lineage().steps.work;

    const second = await play.flow(SENTENCE);
    expect(second.ctx._woke).toBe(1);
    expect(second.ctx._failedAt).toBeUndefined();
    expect(brief().startsWith(before.trimEnd())).toBe(true);
    expect(times(brief(), SENTENCE)).toBe(1);

    const judges = requestsOf(play.api.requests, "judge");
    expect(lastUserText(judges[2]!)).toContain("Count the words in a file.");
    expect(lastUserText(judges[2]!)).toContain(SENTENCE);

    const turns = requestsOf(play.api.requests, "coordinator");
    expect(lastUserText(turns[1]!)).toMatch(new RegExp(`^${SENTENCE}`));
    expect(turns[1]?.sessionId).toBe(work);
    expect(bodyOf(turns[1]!)).toContain("Done.");
    expect(play.lineage()).toMatchObject({ woke: 1, steps: { work } });

    await play.flow(SENTENCE);
    expect(times(brief(), SENTENCE)).toBe(1);
    expect(play.lineage()).toMatchObject({ woke: 2, steps: { work } });
    expect(requestsOf(play.api.requests, "clarifier")).toHaveLength(1);
    play.api.verify();
  });

  it("hands the words to a clarification that was not finished, in its own session", async () => {
    const play = await stage(
      smoothScript({
        clarifier: [
          text("I would rather chat."),
          text("Still no brief."),
          text("No."),
          text(briefText("Count words.")),
        ],
      }),
    );
    const first = await play.flow("count the words in my files");
    expect(first.ctx._failedAt).toBe("clarify");
    const session = play.lineage().steps.clarify;

    const second = await play.flow("Only text files.");
    expect(second.ctx._failedAt).toBeUndefined();
    const asked = requestsOf(play.api.requests, "clarifier").at(-1)!;
    expect(asked.sessionId).toBe(session);
    expect(lastUserText(asked)).toContain("Only text files.");
    expect(lastUserText(asked)).toContain("do not repeat questions");
    play.api.verify();
  });
});

describe("waking a run with nothing said", () => {
  it("goes on with the work whose rounds were used up, pays for nothing else, changes no document, asks nothing", async () => {
    const play = await stage(
      smoothScript({
        judge: [
          GOAL,
          text(verdictText("not yet", "A constant.", ["it prints the same for every file"])),
          ACHIEVED,
        ],
        coordinator: [text("Done, I think."), text("Now it counts.")],
      }),
    );
    const first = await play.flow("count the words in my files", { rounds: 1 });
    expect(first.ctx._failedAt).toBe("work");
    const before = play.manifest();
    const steps = play.lineage().steps;
    const documents = () =>
      ["brief.md", "goal.md"].map((name) =>
        readFileSync(join(play.workspace, ".flower/notes", name), "utf8"),
      );
    const frozen = documents();

    const second = await play.flow("", { rounds: 1 });
    expect(second.ctx._failedAt).toBeUndefined();
    expect(second.ctx._woke).toBe(1);
    const added = play.manifest().slice(before.length);
    expect(added.map((row) => row.step)).toEqual(["work", "work:verdict#1"]);
    expect(added[0]?.session_id).toBe(steps.work);
    expect(play.lineage().steps).toEqual(steps);
    expect(lastUserText(requestsOf(play.api.requests, "coordinator")[1]!)).toContain("go on");

    // Each turn costs the same, so the wake may cost one turn of work and one verdict.
    const turn = before[1]!.cost_usd;
    expect(added.map((row) => row.cost_usd)).toEqual([turn, turn]);
    expect(documents()).toEqual(frozen);
    expect(play.events.filter((event) => event.kind === "ask")).toEqual([]);
    play.api.verify();
  });

  it("refuses an empty request where there is nothing to wake", async () => {
    const play = await stage({});
    await expect(play.flow("  ")).rejects.toMatchObject({ code: "empty_ask" });
    expect(play.api.requests).toEqual([]);
  });
});
