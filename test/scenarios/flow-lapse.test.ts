import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { dispatch, lastUserText, text, toolUse } from "../../src/testing/index.ts";
import { starterFlow } from "../../src/workflow/starter-flow.ts";
import { wakeState } from "../../src/workflow/wake-state.ts";
import { goalText, requestsOf, smoothScript, verdictText } from "./documents.ts";
import { type Stage, stage } from "./stage.ts";

const GOAL = text(goalText("A word counter.", ["`wc -w < a.txt` -> prints 3"]));
const ACHIEVED = text(verdictText("achieved", "1: it prints 3\n2: a.txt has one line"));
const NOT_YET = text(verdictText("not yet", "a.txt is empty now.", ["1: it prints 0"]));

const standings = (play: Stage) =>
  play.events.flatMap((event) =>
    event.kind === "task" && event.payload.notice === "standing" ? [event.text] : [],
  );
const steps = (play: Stage, run: string) =>
  play
    .manifest()
    .filter((row) => row.run === run)
    .map((row) => row.step);

describe("waking a run with nothing said, after its work was done", () => {
  it("spends nothing while nothing has changed, judges a changed tree first, and works only on what is missing", async () => {
    const play = await stage(
      smoothScript({
        judge: [GOAL, ACHIEVED, NOT_YET, ACHIEVED, ACHIEVED],
        coordinator: [text("Done."), dispatch("coder", "Fill a.txt."), text("Mended.")],
        workers: {
          coder: [toolUse("Bash", { command: "echo one two three > a.txt" }), text("Conclusion: filled.")],
        },
      }),
    );
    const notes = join(play.workspace, ".flower", "notes");
    const file = join(play.workspace, "a.txt");
    writeFileSync(file, "one two three\n");
    const first = await play.flow("count the words in my files");

    // What was ruled is written down, for people, for the next run, and in the books.
    const [name] = readdirSync(join(notes, "verdicts"));
    expect(name).toBe(`${first.runtime.runId}-work-round-1.md`);
    const record = readFileSync(join(notes, "verdicts", name!), "utf8");
    expect(record).toContain("# work: achieved, round 1 of 3");
    expect(record).toContain(".flower/notes/goal.md with SHA-256");
    expect(record).toContain(`evidence in .flower/artifacts/evidence/${first.runtime.runId}/round-1`);
    expect(play.manifest().at(-1)).toMatchObject({
      step: "work:verdict#1",
      verdict: { state: "achieved", round: 1 },
    });
    expect(wakeState(play.workspace).verdict).toMatchObject({ state: "achieved", workedOn: false });

    const [requests, books] = [play.api.requests.length, play.manifest()];
    const second = await play.flow("");
    expect(play.api.requests).toHaveLength(requests);
    expect(play.manifest()).toEqual(books);
    expect(second.ctx._failedAt).toBeUndefined();
    expect(second.ctx._verdict?.achieved).toBe(true);
    expect(standings(play)).toEqual([
      "achieved, and nothing has changed since: there is nothing to do and nothing is spent",
    ]);

    writeFileSync(file, "");
    const third = await play.flow("");
    expect(third.ctx._failedAt).toBeUndefined();
    expect(standings(play)[1]).toContain("achieved, for a tree that has changed since");
    expect(steps(play, third.runtime.runId)).toEqual(["work:verdict#0", "work", "work:verdict#1"]);
    const woken = requestsOf(play.api.requests, "coordinator")[1]!;
    expect(lastUserText(woken)).toContain("a.txt is empty now.");
    expect(lastUserText(woken)).toContain("What flower saw");
    expect(lastUserText(requestsOf(play.api.requests, "judge")[2]!)).toContain("nobody has worked since");

    // A person's edit of the goal counts, and is judged before anybody works on it.
    const goal = join(notes, "goal.md");
    writeFileSync(goal, `${readFileSync(goal, "utf8").trimEnd()}\n2. lines are counted as well\n`);
    expect(wakeState(play.workspace).verdict?.changedDocuments).toEqual([".flower/notes/goal.md"]);
    const fourth = await play.flow("");
    expect(steps(play, fourth.runtime.runId)).toEqual(["work:verdict#0"]);
    expect(lastUserText(requestsOf(play.api.requests, "judge")[4]!)).toContain(
      "2. lines are counted as well",
    );
    const told = play.events.filter((event) => event.kind === "task" && event.payload.notice === "frozen");
    expect(told.map((event) => event.text)).toEqual(["goal.md was edited; it counts from now on"]);
    // What flower will run is shown when the goal is set, and again for one that was edited.
    const shown = play.events.filter((event) => event.kind === "task" && event.payload.notice === "commands");
    expect(shown).toHaveLength(2);

    const last = play.api.requests.length;
    await play.flow("");
    expect(play.api.requests).toHaveLength(last);
    play.api.verify();
  });

  it("takes a person's acceptance for done, an edited brief for another task, and a fresh start for the end of both", async () => {
    const play = await stage(
      smoothScript({
        judge: [
          text(goalText("It looks right.", ["on a phone [cannot verify here: there is none]"])),
          text(verdictText("cannot verify here", "There is no phone.")),
          text(goalText("A counter of lines.", ["`printf 'a\\nb\\n' | wc -l` -> prints 2"])),
          ACHIEVED,
        ],
        coordinator: [text("Done."), text("Lines as well.")],
      }),
    );
    const flow = starterFlow("make it look right", { workspace: play.workspace, timeoutS: null });
    flow.channel!.listen((event) => {
      if (event.kind === "ask" && event.payload.state === "asked")
        flow.channel!.answer(String(event.payload.id), "1");
    });
    await flow.run(play.runtime({ workbench: flow.workbench! }));
    expect(wakeState(play.workspace).verdict).toMatchObject({ state: "accepted", judged: "unreachable" });
    const requests = play.api.requests.length;
    const { ctx } = await play.flow("");
    expect(ctx._failedAt).toBeUndefined();
    expect(standings(play)[0]).toMatch(/^accepted by you, and nothing has changed/);
    expect(play.api.requests).toHaveLength(requests);

    // An edited brief asks for something else: the goal is set anew by it, and the work session is told both.
    const brief = join(play.workspace, ".flower", "notes", "brief.md");
    writeFileSync(brief, readFileSync(brief, "utf8").replace("Count the words", "Count the lines"));
    const edited = await play.flow("");
    expect(steps(play, edited.runtime.runId)).toEqual(["goal", "work", "work:verdict#1"]);
    expect(lastUserText(requestsOf(play.api.requests, "judge")[2]!)).toContain("Count the lines");
    const woken = lastUserText(requestsOf(play.api.requests, "coordinator")[1]!);
    expect(woken).toContain("Count the lines");
    expect(woken).toContain("prints 2");

    starterFlow("something else", { workspace: play.workspace, fresh: true });
    expect(wakeState(play.workspace)).toMatchObject({ waking: false, verdict: undefined });
    expect(existsSync(join(play.runDir, "frozen"))).toBe(false);
    const archive = join(play.workspace, ".flower", "notes", "archive");
    const [time] = readdirSync(archive).filter((each) => /^\d/.test(each));
    expect(readdirSync(join(archive, time!)).sort()).toEqual(
      expect.arrayContaining(["brief.md", "frozen", "goal.md", "lineage.json", "verdicts"]),
    );
    play.api.verify();
  });
});
