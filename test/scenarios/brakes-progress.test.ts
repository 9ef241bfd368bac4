import { describe, expect, it } from "vitest";
import { allText, dispatch, lastUserText, type Step, text, toolUse } from "../../src/testing/index.ts";
import { starterFlow } from "../../src/workflow/starter-flow.ts";
import { goalText, requestsOf, smoothScript, verdictText } from "./documents.ts";
import { repository, type Stage, stage } from "./stage.ts";

const GOAL = text(goalText("A word counter.", ["`node wc.mjs a.txt` prints 3", "The tests pass."]));
const notYet = (...failed: string[]) =>
  text(verdictText("not yet", `It is not there: ${failed.join("; ")}`, failed));
const ACHIEVED = text(verdictText("achieved", "1: wc.mjs counts\n2: as seen in wc.mjs"));

/** Rounds of work in which the worker writes these contents, one a round; "" writes nothing. */
function script(contents: readonly string[], verdicts: readonly Step[]) {
  const work = contents.flatMap((content) =>
    content === "" ? [text("Done.")] : [dispatch("coder", content), text("Done.")],
  );
  return (workspace: string) =>
    smoothScript({
      judge: [GOAL, ...verdicts],
      coordinator: work,
      workers: {
        coder: contents
          .filter((content) => content !== "")
          .flatMap((content) => [
            toolUse("Write", { file_path: `${workspace}/wc.mjs`, content }),
            text("Conclusion: written."),
          ]),
      },
    });
}

const steps = (play: Stage) => play.manifest().map((row) => row.step);
const notices = (play: Stage) =>
  play.events.filter((e) => e.kind === "task" && e.payload.notice === "progress");

async function withPerson(play: Stage, answers: readonly string[]) {
  const flow = starterFlow("count words", { workspace: play.workspace, timeoutS: null });
  const asked: string[] = [];
  flow.channel!.listen((event) => {
    if (event.kind !== "ask" || event.payload.state !== "asked") return;
    flow.channel!.answer(String(event.payload.id), answers[asked.length] ?? "no more answers");
    asked.push(event.text);
  });
  const ctx = await flow.run(play.runtime({ workbench: flow.workbench! }));
  return { ctx, asked };
}

describe("a rejected round that left everything as the round before", () => {
  it("is followed by no other when nobody is there to say so", async () => {
    const play = await stage(script(["", "", ""], [notYet("1. no wc.mjs"), notYet("1. still nothing")]));
    const { ctx } = await play.flow("count words");
    expect(ctx._failedAt).toBe("work");
    expect(ctx._aborted).toContain("no progress since the last round");
    expect(ctx._aborted).toContain("still nothing");
    expect(steps(play).filter((step) => step.startsWith("work"))).toEqual([
      "work",
      "work:verdict#1",
      "work#round2",
      "work:verdict#2",
    ]);
    expect(notices(play)).toHaveLength(1);
  });

  it("is followed by another one when the person says so, with what they say", async () => {
    const play = await stage(script(["", "", "3"], [notYet("1."), notYet("1."), ACHIEVED]));
    const { ctx, asked } = await withPerson(play, ["Write it in one file, wc.mjs."]);
    expect(ctx._failedAt).toBeUndefined();
    expect(asked).toHaveLength(1);
    expect(asked[0]).toContain("Round 2 of 3 changed nothing");
    expect(lastUserText(requestsOf(play.api.requests, "coordinator")[2]!)).toContain(
      "Write it in one file, wc.mjs.",
    );
    play.api.verify();
  });
});

describe("rounds go on", () => {
  it("while files change, or other checks fail, in a repository", async () => {
    const play = await stage(script(["1", "2", ""], [notYet("1. no"), notYet("1. no"), ACHIEVED]));
    repository(play.workspace);
    const { ctx } = await play.flow("count words");
    expect(ctx._failedAt).toBeUndefined();
    expect(steps(play)).toContain("work:verdict#3");
    expect(notices(play)).toHaveLength(0);

    const checks = await stage(script(["", "", "3"], [notYet("1. no", "2. no"), notYet("2. no"), ACHIEVED]));
    const done = await checks.flow("count words");
    expect(done.ctx._failedAt).toBeUndefined();
    expect(steps(checks)).toContain("work:verdict#3");
  });
});

describe("isolated work", () => {
  it("counts by what the worktrees hold: the same change in a fresh worktree is no progress, another one is", async () => {
    const isolated = (contents: readonly string[], verdicts: readonly Step[]) =>
      stage(() =>
        smoothScript({
          judge: [GOAL, ...verdicts],
          coordinator: contents.flatMap((content) => [dispatch("coder", content), text("Done.")]),
          workers: {
            coder: contents.flatMap((content) => [
              toolUse("Bash", { command: `printf '${content}' > wc.mjs` }),
              text("Conclusion: ok."),
            ]),
          },
        }),
      );
    const achievedThere: Step = (request) => {
      const worktree = /\S+\.claude\/worktrees\/flower-[\w-]+/.exec(allText(request))?.[0];
      return text(verdictText("achieved", `1: ${worktree}/wc.mjs counts\n2: they are in ${worktree}/wc.mjs`));
    };
    const same = await isolated(["1", "1", "1"], [notYet("1."), notYet("1.")]);
    repository(same.workspace);
    expect((await same.flow("count words", { isolate: true })).ctx._aborted).toContain("no progress");
    const other = await isolated(["1", "2", "3"], [notYet("1."), notYet("1."), achievedThere]);
    repository(other.workspace);
    expect((await other.flow("count words", { isolate: true })).ctx._failedAt).toBeUndefined();
  });
});
