import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { createTranslator } from "../../../src/config/locale/translator.ts";
import { Goal } from "../../../src/documents/goal.ts";
import type { Event } from "../../../src/events/event.ts";
import { HumanChannel } from "../../../src/people/human-channel.ts";
import { FrozenPapers } from "../../../src/workflow/frozen/frozen-papers.ts";
import { FrozenStore } from "../../../src/workflow/frozen/frozen-store.ts";
import { Lineage } from "../../../src/workflow/lineage.ts";

const made: string[] = [];
afterEach(() => {
  for (const path of made.splice(0)) rmSync(path, { recursive: true, force: true });
});

const GOAL = "## Goal\n\nA counter.\n\n## Checklist\n\n1. prints 3\n2. the tests pass\n";
const WEAK = GOAL.replace("2. the tests pass\n", "");
const BROKEN = "nothing of a goal\n";

interface Folder {
  readonly workspace: string;
  readonly runDir: string;
  readonly goal: string;
}

function folder(text: string | undefined = GOAL): Folder {
  const workspace = realpathSync(mkdtempSync(join(tmpdir(), "flower-frozen-")));
  made.push(workspace);
  const goal = join(workspace, ".flower", "notes", "goal.md");
  mkdirSync(dirname(goal), { recursive: true });
  if (text !== undefined) writeFileSync(goal, text);
  return { workspace, runDir: join(workspace, "runs"), goal };
}

/** A run in the folder; the person answers with `answers`, and nobody is there when they are used up. */
function run(place: Folder, answers: readonly string[] = [], isAlone = true) {
  const { workspace, runDir, goal } = place;
  const lineage = Lineage.open({ runDir, workspace });
  const channel = new HumanChannel({ timeoutS: answers.length > 0 ? null : 0, amendPath: goal });
  const asked: string[] = [];
  channel.listen((event) => {
    if (event.kind !== "ask" || event.payload.state !== "asked") return;
    channel.answer(String(event.payload.id), answers[asked.length] ?? "");
    asked.push(event.text);
  });
  const events: Event[] = [];
  const papers = new FrozenPapers({
    store: new FrozenStore({ runDir, workspace, runId: "run", lineage, isAlone }),
    channel,
    say: createTranslator("en"),
    emit: (event) => events.push(event),
    alsoProtected: [],
  });
  channel.watchAmendments((path, before, added) => papers.amended(path, before, added));
  const taken: string[] = [];
  const hold = () =>
    papers.hold({
      path: goal,
      take: () => {
        const found = Goal.load(goal);
        if (found?.complete() !== true) return false;
        taken.push(found.checks.join("; "));
        return true;
      },
    });
  const phases = () =>
    events.map((event) => event.payload).map((payload) => ("phase" in payload ? payload.phase : payload));
  return { papers, channel, asked, taken, hold, phases, events, lineage };
}

const read = (path: string) => readFileSync(path, "utf8");
const archived = (place: Folder) => {
  const at = join(dirname(place.goal), "archive");
  return existsSync(at) ? readdirSync(at).map((name) => read(join(at, name))) : [];
};
const copies = (place: Folder) => {
  const at = join(place.runDir, "frozen");
  return existsSync(at) ? readdirSync(at).map((name) => read(join(at, name))) : [];
};

describe("a document that is changed while an agent works", () => {
  it("counts as it was frozen when nobody is there: written back, the change kept, both said", async () => {
    const place = folder();
    const { papers, hold, phases, events, taken } = run(place);
    hold();
    papers.begins("work");
    writeFileSync(place.goal, WEAK);
    await papers.ended("work", undefined);
    expect(read(place.goal)).toBe(GOAL);
    expect(archived(place)).toEqual([WEAK]);
    expect(phases()).toEqual(["changed", "kept"]);
    expect(events[0]?.text).toMatch(
      /goal\.md was changed while work ran; the changed text: .*goal\.changed-/,
    );
    expect(taken).toEqual([]);
  });

  it("counts as the person says, who is shown what is different", async () => {
    const place = folder();
    const { papers, hold, phases, asked, taken } = run(place, ["1", "2"]);
    hold();
    papers.begins("work");
    writeFileSync(place.goal, WEAK);
    await papers.ended("work", undefined);
    expect(asked[0]).toContain("- 2. the tests pass");
    expect(read(place.goal)).toBe(WEAK);
    expect(taken).toEqual(["prints 3"]);
    expect(phases()).toEqual(["changed", "taken"]);

    papers.begins("work#round2");
    writeFileSync(place.goal, GOAL);
    await papers.ended("work#round2", undefined);
    expect(read(place.goal)).toBe(WEAK);
    expect(phases().slice(2)).toEqual(["changed", "kept"]);
  });

  it("is not changed by words that are neither of the two answers", async () => {
    const place = folder();
    const { papers, hold, phases } = run(place, ["who did that?"]);
    hold();
    papers.begins("work");
    writeFileSync(place.goal, WEAK);
    await papers.ended("work", undefined);
    expect([read(place.goal), phases()]).toEqual([GOAL, ["changed", "kept"]]);
  });

  it.each([
    ["removed", undefined, ["removed"]],
    ["made unreadable as a goal, which the person cannot take either", BROKEN, ["changed", "kept"]],
  ])("is written back when it is %s", async (_what, text, told) => {
    const place = folder();
    const { papers, hold, phases } = run(place, ["1"]);
    hold();
    papers.begins("work");
    if (text === undefined) rmSync(place.goal);
    else writeFileSync(place.goal, text);
    await papers.ended("work", undefined);
    expect([read(place.goal), phases()]).toEqual([GOAL, told]);
  });

  it("is asked about once when two agents at work end at once", async () => {
    const place = folder();
    const { papers, hold, asked } = run(place, ["2", "2"]);
    hold();
    papers.begins("left");
    papers.begins("right");
    writeFileSync(place.goal, WEAK);
    await Promise.all([papers.ended("left", undefined), papers.ended("right", undefined)]);
    expect(asked).toHaveLength(1);
    expect(read(place.goal)).toBe(GOAL);
  });

  it("is watched while commands run that no agent runs", async () => {
    const place = folder();
    const { papers, hold, phases } = run(place);
    hold();
    await papers.while("evidence", undefined, async () => writeFileSync(place.goal, WEAK));
    expect([read(place.goal), phases()]).toEqual([GOAL, ["changed", "kept"]]);
  });
});

describe("a document that is changed while nobody works", () => {
  it("counts from then on, and it is said", async () => {
    const place = folder();
    const { papers, hold, phases, asked, taken } = run(place, ["2"]);
    hold();
    papers.begins("goal");
    await papers.ended("goal", undefined);
    writeFileSync(place.goal, WEAK);
    papers.begins("work");
    await papers.ended("work", undefined);
    expect(read(place.goal)).toBe(WEAK);
    expect([phases(), asked, taken]).toEqual([["edited"], [], ["prints 3"]]);
    expect(copies(place)).toEqual([WEAK]);
  });

  it.each([
    ["is no complete one", BROKEN, "incomplete"],
    ["is gone", undefined, "removed"],
  ])("is written back when it %s", (_what, text, phase) => {
    const place = folder();
    const { papers, hold, phases } = run(place);
    hold();
    if (text === undefined) rmSync(place.goal);
    else writeFileSync(place.goal, text);
    papers.begins("work");
    expect([read(place.goal), phases()]).toEqual([GOAL, [phase]]);
    expect(archived(place)).toEqual(text === undefined ? [] : [text]);
  });
});

describe("what flower itself writes", () => {
  it("is never taken for tampering: words of the person, in the middle of a step", async () => {
    const place = folder();
    const { papers, channel, hold, phases, lineage } = run(place);
    hold();
    papers.begins("work");
    channel.send("Lines as well.");
    await papers.ended("work", undefined);
    expect(phases()).toEqual([]);
    expect(read(place.goal)).toContain("> Lines as well.");
    expect([...lineage.frozenMarks().values()][0]?.during).toBeUndefined();

    // The next process finds nothing changed either.
    const next = run(place);
    await next.papers.wake(undefined);
    expect(next.phases()).toEqual([]);
    next.channel.amend("And characters.", { label: "on wake" });
    const third = run(place);
    await third.papers.wake(undefined);
    expect(third.phases()).toEqual([]);
  });

  it("does not wash what an agent had changed before", async () => {
    const place = folder();
    const { papers, channel, hold, phases } = run(place);
    hold();
    papers.begins("work");
    writeFileSync(place.goal, WEAK);
    channel.send("Lines as well.");
    await papers.ended("work", undefined);
    expect(phases()).toEqual(["changed", "kept"]);
    expect(read(place.goal).startsWith(GOAL)).toBe(true);
    expect(read(place.goal)).toContain("> Lines as well.");
  });

  it("is left alone where a flower beside this one froze it anew", async () => {
    const place = folder();
    const { papers, hold, phases, lineage } = run(place);
    hold();
    papers.begins("work");
    writeFileSync(place.goal, WEAK);
    const beside = run(place, [], false);
    beside.hold();
    // Whoever holds the folder is still at work, also by what is on disk.
    expect([...lineage.frozenMarks().values()][0]?.during).toBe("run work");
    await papers.ended("work", undefined);
    papers.begins("work#round2");
    await papers.ended("work#round2", undefined);
    expect([read(place.goal), phases()]).toEqual([WEAK, []]);
  });
});

describe("the next run", () => {
  it("takes an edit made since for the person's", async () => {
    const place = folder();
    const first = run(place);
    first.hold();
    first.papers.begins("work");
    await first.papers.ended("work", undefined);
    writeFileSync(place.goal, WEAK);

    const next = run(place, ["2"]);
    await next.papers.wake(undefined);
    expect([next.phases(), next.asked]).toEqual([["edited"], []]);
    expect(next.papers.wasEdited(place.goal)).toBe(true);
    expect(copies(place)).toEqual([WEAK]);

    const third = run(place);
    await third.papers.wake(undefined);
    expect([third.phases(), third.papers.wasEdited(place.goal)]).toEqual([[], false]);
  });

  it.each([
    ["nobody is there: what was frozen counts", [], GOAL, ["changed", "kept"], false],
    ["the person takes it", ["1"], WEAK, ["changed", "taken"], true],
    ["the person does not", ["2"], GOAL, ["changed", "kept"], false],
  ])("asks about one under a step that was killed: %s", async (_what, answers, text, told, edited) => {
    const place = folder();
    const killed = run(place);
    killed.hold();
    killed.papers.begins("work#round2");
    writeFileSync(place.goal, WEAK);

    const next = run(place, answers);
    await next.papers.wake(undefined);
    expect([read(place.goal), next.phases(), next.papers.wasEdited(place.goal)]).toEqual([
      text,
      told,
      edited,
    ]);
    expect(next.events[0]?.text).toContain("while work#round2 ran");
    const third = run(place);
    await third.papers.wake(undefined);
    expect(third.phases()).toEqual([]);
  });

  it("is asked once more where a run was ended before the answer came, and nothing is written back until then", async () => {
    const place = folder();
    const first = run(place);
    first.hold();
    const leaving = new AbortController();
    first.papers.begins("work");
    writeFileSync(place.goal, WEAK);
    leaving.abort();
    await first.papers.ended("work", leaving.signal);
    expect([read(place.goal), first.phases()]).toEqual([WEAK, []]);
    const next = run(place, ["1"]);
    await next.papers.wake(undefined);
    expect(next.asked).toHaveLength(1);
  });

  it("writes a document back that a killed step removed, and forgets one the person removed", async () => {
    const place = folder();
    const killed = run(place);
    killed.hold();
    killed.papers.begins("work");
    rmSync(place.goal);
    const next = run(place);
    await next.papers.wake(undefined);
    expect([read(place.goal), next.phases()]).toEqual([GOAL, ["removed"]]);

    rmSync(place.goal);
    const third = run(place);
    await third.papers.wake(undefined);
    expect([existsSync(place.goal), third.phases(), copies(place)]).toEqual([false, [], []]);
  });

  it("says so where the copy of what was frozen was changed as well", async () => {
    const place = folder();
    const killed = run(place);
    killed.hold();
    killed.papers.begins("work");
    writeFileSync(place.goal, WEAK);
    for (const name of readdirSync(join(place.runDir, "frozen"))) {
      writeFileSync(join(place.runDir, "frozen", name), WEAK);
    }
    const next = run(place);
    await next.papers.wake(undefined);
    expect(next.phases()).toEqual(["lost"]);
  });
});
