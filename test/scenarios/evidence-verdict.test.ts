import { existsSync, lstatSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { AgentSpec } from "../../src/agents/agent-spec.ts";
import type { Event } from "../../src/events/event.ts";
import { HumanChannel } from "../../src/people/human-channel.ts";
import { dispatch, lastUserText, type Step as Said, text, toolUse } from "../../src/testing/index.ts";
import { Step } from "../../src/workflow/step.ts";
import { type WithGoalOptions, withGoal } from "../../src/workflow/with-goal.ts";
import { Workflow } from "../../src/workflow/workflow.ts";
import { goalText, HOLDS, requestsOf, smoothScript, verdictText } from "./documents.ts";
import { type Stage, stage } from "./stage.ts";

type Payload = Readonly<Record<string, unknown>>;

function notices(play: Stage, notice: string): Payload[] {
  const found = play.events.filter((event) => event.kind === "task" && event.payload.notice === notice);
  return found.map((event) => event.payload as Payload);
}

const steps = (play: Stage) => play.manifest().map((row) => row.step);

describe("a judge that believes everything", () => {
  it("is held to what the commands show, and asked once more for a path it did not name", async () => {
    const play = await stage((workspace) =>
      smoothScript({
        judge: [
          text(
            goalText("A word counter.", ["`node wc.mjs a.txt` -> prints 3", "README.md says how to run it"]),
          ),
          text(verdictText("achieved", "1: it counts.\n2: README.md")),
          text(verdictText("achieved", "Everything is there now.")),
          text(verdictText("achieved", "2: as README.md says")),
        ],
        coordinator: [
          dispatch("coder", "Write wc.mjs and README.md."),
          text("Done."),
          dispatch("coder", "It must count."),
          text("It counts."),
        ],
        workers: {
          coder: [
            [
              toolUse("Write", { file_path: join(workspace, "wc.mjs"), content: "console.log(2);\n" }),
              toolUse("Write", { file_path: join(workspace, "a.txt"), content: "one two three\n" }),
              toolUse("Write", { file_path: join(workspace, "README.md"), content: "node wc.mjs FILE\n" }),
            ],
            text("Conclusion: written."),
            toolUse("Bash", { command: "echo 'console.log(3);' > wc.mjs" }),
            text("Conclusion: it counts."),
          ],
        },
      }),
    );
    const { ctx, runtime } = await play.flow("count words");
    play.api.verify();
    expect(ctx._failedAt).toBeUndefined();
    expect(ctx._passedBy).toBe("judge");
    expect(steps(play).slice(2)).toEqual([
      ...["work", "work:verdict#1", "work#round2", "work:verdict#2", "work:verdict#2.again"],
    ]);

    // Shown once, before any work is paid for.
    const shown = notices(play, "commands");
    expect(shown).toMatchObject([{ commands: ["node wc.mjs a.txt"], folder: play.workspace }]);
    const told = play.events.findIndex((e) => e.kind === "task" && e.payload.notice === "commands");
    expect(told).toBeLessThan(play.events.findIndex((e) => e.kind === "step" && e.text === "work"));

    const verdicts = notices(play, "verdict");
    expect(verdicts.map(({ state }) => state)).toEqual(["not_yet", "achieved"]);
    expect(verdicts[0]?.failed).toEqual([expect.stringMatching(/^1: .*node wc\.mjs a\.txt/)]);
    const outcomes = notices(play, "evidence").filter(({ phase }) => phase === "done");
    expect(outcomes.map(({ outcome }) => outcome)).toEqual(["failed", "held"]);

    // Nothing of a worker's is left that `node --test` and its like would stumble over.
    const all = readdirSync(play.workspace, { recursive: true }).map((name) =>
      join(play.workspace, String(name)),
    );
    expect(all.filter((path) => lstatSync(path).isSymbolicLink() && !existsSync(path))).toEqual([]);

    // The judge was shown it, and the work was told what was seen, not how to mend it.
    const folder = join(play.workspace, ".flower/artifacts/evidence", runtime.runId);
    const output = String(outcomes[0]?.path);
    expect(output.startsWith(join(folder, "round-1"))).toBe(true);
    expect(readFileSync(output, "utf8")).toContain("2");
    const ruling = lastUserText(requestsOf(play.api.requests, "judge")[1]!);
    expect(ruling).toContain("node wc.mjs a.txt");
    expect(ruling).toContain(output);
    const back = lastUserText(requestsOf(play.api.requests, "coordinator")[2]!);
    expect(back).toContain("What flower saw");
    expect(back).toContain(output);
    expect(back).toMatch(/expected: .*3/);

    // Asked once more, in its own session, and no step of the workflow was made of it.
    const rows = play.manifest();
    const session = (step: string) => rows.find((row) => row.step === step)?.session_id;
    expect(session("work:verdict#2.again")).toBe(session("work:verdict#2"));
    expect(lastUserText(requestsOf(play.api.requests, "judge")[3]!)).toContain("item 2");
    expect(Object.keys(play.lineage().steps)).toEqual(["clarify", "goal", "work"]);
  });
});

const spec = new AgentSpec({ name: "plain", instructions: "" });

interface Judged {
  readonly checks: readonly string[];
  readonly judge: readonly Said[];
  readonly answers?: readonly string[];
  readonly options?: Partial<WithGoalOptions>;
}

/** One step of work that does nothing, judged; a person gives these answers, one a question. */
async function judged({ checks, judge, answers, options = {} }: Judged) {
  const rounds = options.rounds ?? 1;
  const play = await stage({ main: Array.from({ length: rounds }, () => text("Done.")), judge: [...judge] });
  const goalPath = join(play.workspace, "goal.md");
  writeFileSync(goalPath, goalText("It works.", checks));
  const channel = new HumanChannel({ timeoutS: answers === undefined ? 0 : null });
  const asked: string[] = [];
  channel.listen((event: Event) => {
    if (event.kind !== "ask" || event.payload.state !== "asked") return;
    channel.answer(String(event.payload.id), answers?.[asked.length] ?? "no more answers");
    asked.push(event.text);
  });
  const work = withGoal(new Step("work", spec, "work"), channel, { goalPath, rounds, ...options });
  const ctx = await new Workflow([work], { channel }).run(play.runtime());
  return { play, ctx, asked };
}

const NOT_YET = (why: string) => text(verdictText("not yet", why, ["1: it is not right"]));

describe("a judge that rejects what the commands show to be right", () => {
  it("is checked by a second one, which is told what the first said and decides it with the evidence", async () => {
    const { play, ctx } = await judged({
      checks: [HOLDS],
      judge: [NOT_YET("I do not believe it."), text(verdictText("achieved", "1: it prints 3."))],
    });
    expect(ctx._failedAt).toBeUndefined();
    expect(ctx._passedBy).toBe("judge");
    expect(steps(play)).toEqual(["work", "work:verdict#1", "work:verdict#1.second"]);
    const [first, second] = requestsOf(play.api.requests, "judge");
    expect(second?.sessionId).not.toBe(first?.sessionId);
    expect(lastUserText(second!)).toContain("I do not believe it.");
    expect(lastUserText(second!)).toContain("What flower saw");
    expect(notices(play, "judge")).toMatchObject([{ phase: "second", round: 1 }]);
    expect(notices(play, "verdict").map(({ state }) => state)).toEqual(["achieved"]);
  });

  it("and a second one that does so too are put before the person, whose word is recorded as theirs", async () => {
    const { play, ctx, asked } = await judged({
      checks: [HOLDS],
      judge: [NOT_YET("I do not believe it."), NOT_YET("Neither do I.")],
      answers: ["1"],
    });
    expect(ctx._failedAt).toBeUndefined();
    expect(ctx._passedBy).toBe("person");
    expect(asked).toHaveLength(1);
    expect(asked[0]).toContain("I do not believe it.");
    expect(notices(play, "accepted")).toMatchObject([{ state: "not_yet", round: 1 }]);
  });
});

describe("what nobody can tell here", () => {
  it("is asked about instead of passed, although the judge passes it", async () => {
    const { ctx, asked, play } = await judged({
      checks: ["`flower-has-no-such-program --check` -> exits 0"],
      judge: [text(verdictText("achieved", "1: surely."))],
      answers: ["1"],
    });
    expect(asked).toHaveLength(1);
    expect(asked[0]).toContain("cannot be verified here");
    expect(ctx._passedBy).toBe("person");
    expect(notices(play, "verdict").map(({ state }) => state)).toEqual(["unreachable"]);
  });
});

describe("without evidence", () => {
  it("the judge's word counts alone, no command runs, and it is told so", async () => {
    const { play, ctx } = await judged({
      checks: ["`touch ran; exit 1` -> exits 0", "it is documented"],
      judge: [text(verdictText("achieved", "All there."))],
      options: { evidence: false },
    });
    expect(ctx._failedAt).toBeUndefined();
    expect(existsSync(join(play.workspace, "ran"))).toBe(false);
    expect(existsSync(join(play.runDir, "evidence"))).toBe(false);
    const told = lastUserText(requestsOf(play.api.requests, "judge")[0]!);
    expect(told).not.toContain("What flower saw");
    expect(told).toContain("flower runs no command of the checklist");
  });
});
