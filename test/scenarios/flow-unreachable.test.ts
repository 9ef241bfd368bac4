import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { lastUserText, type Step, text } from "../../src/testing/index.ts";
import { starterFlow } from "../../src/workflow/starter-flow.ts";
import { goalText, requestsOf, smoothScript, verdictText } from "./documents.ts";
import { type Stage, stage } from "./stage.ts";

const GOAL = text(
  goalText("It looks right on a phone.", ["Open it on a phone. [cannot verify here: no phone]"]),
);
const UNREACHABLE = text(verdictText("cannot verify here", "There is no phone in this place."));
const ACHIEVED = text(verdictText("achieved", "1: good enough in shot.png"));

async function set(verdicts: readonly Step[], work: readonly Step[]): Promise<Stage> {
  const play = await stage(smoothScript({ judge: [GOAL, ...verdicts], coordinator: work }));
  writeFileSync(join(play.workspace, "shot.png"), "what a worker left");
  return play;
}

/** Run the flow with a person who gives these answers, one a question. */
async function withPerson(play: Stage, answers: readonly string[]) {
  const flow = starterFlow("make it look right", { workspace: play.workspace, timeoutS: null });
  const runtime = play.runtime({ workbench: flow.workbench! });
  const asked: string[] = [];
  flow.channel!.listen((event) => {
    if (event.kind !== "ask" || event.payload.state !== "asked") return;
    flow.channel!.answer(String(event.payload.id), answers[asked.length] ?? "no more answers");
    asked.push(event.text);
  });
  const ctx = await flow.run(runtime);
  await runtime.close();
  play.api.verify();
  return { ctx, asked };
}

describe("a goal that cannot be verified here", () => {
  it("is announced when the goal is set, before any work is paid for", async () => {
    const play = await set([ACHIEVED], [text("Done.")]);
    await play.flow("make it look right");
    const told = play.events.findIndex((e) => e.kind === "task" && e.payload.notice === "unverifiable");
    const work = play.events.findIndex((e) => e.kind === "step" && e.text === "work");
    expect(told).toBeGreaterThan(-1);
    expect(told).toBeLessThan(work);
    expect(play.events[told]?.text).toContain("goal.md");
    expect(play.events[told]?.payload).toMatchObject({ total: 1 });
  });

  it("ends the run with a reason and a way on when nobody is there, without another round", async () => {
    const play = await set([UNREACHABLE], [text("Done.")]);
    const { ctx } = await play.flow("make it look right");
    expect(ctx._failedAt).toBe("work");
    expect(ctx._aborted).toContain("There is no phone in this place.");
    expect(ctx._hint).toContain("goal.md");
    expect(play.manifest().map((row) => row.step)).toEqual(["clarify", "goal", "work", "work:verdict#1"]);
    play.api.verify();
  });

  it("is done when the person accepts it as it is", async () => {
    const play = await set([UNREACHABLE], [text("Done.")]);
    const { ctx, asked } = await withPerson(play, ["1"]);
    expect(ctx._failedAt).toBeUndefined();
    expect(ctx.work).toBe("Done.");
    expect(asked).toHaveLength(1);
    expect(asked[0]).toContain("There is no phone in this place.");
  });

  it("is changed by the person, written down, and judged anew by the changed goal", async () => {
    const play = await set([UNREACHABLE, ACHIEVED], [text("Done."), text("Again.")]);
    const { ctx, asked } = await withPerson(play, ["2", "A screenshot at 390 pixels is enough."]);
    expect(ctx._failedAt).toBeUndefined();
    expect(asked).toHaveLength(2);
    const goal = readFileSync(join(play.workspace, ".flower/notes/goal.md"), "utf8");
    expect(goal).toContain("A screenshot at 390 pixels is enough.");
    const round2 = requestsOf(play.api.requests, "coordinator")[1]!;
    expect(lastUserText(round2)).toContain("A screenshot at 390 pixels is enough.");
    const verdict2 = requestsOf(play.api.requests, "judge")[2]!;
    expect(lastUserText(verdict2)).toContain("A screenshot at 390 pixels is enough.");
  });

  it("goes back to work with the person's own words when they disagree", async () => {
    const play = await set([UNREACHABLE, ACHIEVED], [text("Done."), text("Again.")]);
    const { ctx } = await withPerson(play, ["There is a phone emulator, use it."]);
    expect(ctx._failedAt).toBeUndefined();
    const [, round2] = requestsOf(play.api.requests, "coordinator");
    expect(lastUserText(round2!)).toContain("There is a phone emulator, use it.");
    expect(play.manifest().map((row) => row.step)).toContain("work#round2");
  });
});
