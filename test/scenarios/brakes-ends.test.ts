import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { AgentSpec } from "../../src/agents/agent-spec.ts";
import type { Event } from "../../src/events/event.ts";
import { HumanChannel } from "../../src/people/human-channel.ts";
import { Resilience } from "../../src/runtime/resilience.ts";
import {
  always,
  dropConnection,
  httpError,
  type Step as Said,
  text,
  toolUse,
} from "../../src/testing/index.ts";
import { Step } from "../../src/workflow/step.ts";
import { withGoal } from "../../src/workflow/with-goal.ts";
import { Workflow } from "../../src/workflow/workflow.ts";
import { goalText, HOLDS, verdictText } from "./documents.ts";
import { type Stage, stage } from "./stage.ts";

/** How a person meets a question; without words for the next one they skip it. */
type Person = readonly string[] | "nobody" | "time out" | "skips" | "over budget";

const VERDICTS = {
  achieved: verdictText("achieved", "1: seen.md\n2: seen.md\n3: it prints 3"),
  "achieved without a path": verdictText("achieved", "All there."),
  "achieved but a check failed": verdictText("achieved", "Nearly.", ["1. no"]),
  "not yet": verdictText("not yet", "Missing.", ["1. no"]),
  unreachable: verdictText("cannot verify here", "No phone."),
  "not yet, against the evidence": verdictText("not yet", "Missing.", ["3: no"]),
  unclear: "I looked at it for a while.",
  empty: "",
} as const;

const ANSWERS: readonly (readonly [string, Person])[] = [
  ["the first choice", ["1", "1", "1", "1"]],
  ["the second choice", ["2", "2", "2", "2"]],
  ["the third choice", ["3", "3", "3", "3"]],
  ["free words", ["look again", "look again", "look again", "look again"]],
  ["nothing, twice", ["", ""]],
  ["nobody", "nobody"],
  ["time out", "time out"],
  ["a skip", "skips"],
  ["no questions left", "over budget"],
];

function reach(person: Person): HumanChannel {
  const timeoutS = person === "nobody" ? 0 : person === "time out" ? 0.05 : null;
  const channel = new HumanChannel({ timeoutS, ...(person === "over budget" ? { maxAsks: 0 } : {}) });
  let asked = 0;
  channel.listen((event) => {
    if (event.kind !== "ask" || event.payload.state !== "asked" || person === "time out") return;
    const answer = typeof person === "string" ? undefined : person[asked];
    asked += 1;
    const id = String(event.payload.id);
    if (answer === undefined) channel.decline(id);
    else channel.answer(id, answer);
  });
  return channel;
}

const spec = new AgentSpec({ name: "plain", instructions: "", allowedTools: ["Bash"] });

/** One round of work and one that follows: each way a verdict can lead is taken once, none is repeated. */
const ROUNDS = 2;

async function judged(verdict: string, person: Person) {
  const say: Said = verdict === "" ? text(" ") : text(verdict);
  const play = await stage({ main: [always(text("Done."))], judge: [always(say)] });
  const goalPath = join(play.workspace, "goal.md");
  writeFileSync(goalPath, goalText("It works.", ["It works on a phone.", "It is fast.", HOLDS]));
  writeFileSync(join(play.workspace, "seen.md"), "seen");
  const channel = reach(person);
  const work = withGoal(new Step("work", spec, "work"), channel, { goalPath, rounds: ROUNDS });
  const ctx = await new Workflow([work], { channel }).run(play.runtime());
  return { play, ctx, channel };
}

/** Verdicts that put different questions meet every answer; the others share the way of "not yet". */
const CELLS = (Object.keys(VERDICTS) as (keyof typeof VERDICTS)[]).flatMap((state) => {
  const answers =
    state === "unreachable" || state === "not yet"
      ? ANSWERS
      : state === "not yet, against the evidence"
        ? ANSWERS.filter(([name]) => ["the first choice", "free words", "nobody"].includes(name))
        : ANSWERS.slice(state === "achieved without a path" ? 5 : 4, 6);
  return answers.map(([name, person]) => [state, name, person] as const);
});

describe("every verdict comes to an end", () => {
  it.each(CELLS)("%s, and the person gives %s", async (state, _name, person) => {
    const { play, ctx, channel } = await judged(VERDICTS[state], person);
    const rounds = play.manifest().filter((row) => /^work(#round\d+)?$/.test(row.step)).length;
    expect(rounds).toBeLessThanOrEqual(ROUNDS);
    expect(channel.asks.length).toBeLessThanOrEqual(4);
    expect(channel.pending()).toEqual([]);
    if (state === "achieved") expect(ctx._failedAt).toBeUndefined();
    // Whatever it is, only "achieved" and a person's word let it pass.
    else if (typeof person === "string") expect(ctx._failedAt).toBe("work");
  });
});

describe("every wait of a run ends when the run is aborted", () => {
  const slow = new Resilience({ baseDelay: 600, maxDelay: 600, probeInterval: 600, maxOfflineWait: 3600 });
  const limit = httpError(429, {
    message: `Claude AI usage limit reached|${Math.floor(Date.now() / 1000) + 3600}`,
  });
  const WAITS: readonly (readonly [string, Said, (event: Event) => boolean])[] = [
    ["a tool", toolUse("Bash", { command: "sleep 300" }), (event) => event.kind === "tool_call"],
    ["the delay after a failure", always(dropConnection()), (event) => event.kind === "retry"],
    [
      "a usage limit",
      always(limit),
      (event) =>
        event.kind === "task" && event.payload.notice === "limit" && event.payload.phase === "waiting",
    ],
  ];
  it.each(WAITS)("%s", async (_name, said, isWaiting) => {
    const play: Stage = await stage({ main: [said] });
    const abort = new AbortController();
    const runtime = play.runtime({ resilience: slow });
    runtime.listen((event) => isWaiting(event) && abort.abort());
    const ctx = await new Workflow([new Step("work", spec, "work")]).run(runtime, { signal: abort.signal });
    expect(ctx._failedAt).toBe("work");
    expect(ctx._results?.work?.error).toBe("stopped on request");
  });

  it.each([
    ["a verdict", VERDICTS.unreachable, {}],
    ["what two judges reject", VERDICTS["not yet, against the evidence"], {}],
    ["a round without progress", VERDICTS["not yet"], {}],
    ["the budget", VERDICTS["not yet"], { budgetTokens: 1 }],
  ] as const)("the question about %s", async (_name, verdict, limits) => {
    const play = await stage({ main: [always(text("Done."))], judge: [always(text(verdict))] });
    const goalPath = join(play.workspace, "goal.md");
    writeFileSync(goalPath, goalText("It works.", ["It works on a phone.", "It is fast.", HOLDS]));
    const channel = new HumanChannel({ timeoutS: null });
    const abort = new AbortController();
    channel.listen((event) => event.kind === "ask" && event.payload.state === "asked" && abort.abort());
    const work = withGoal(new Step("work", spec, "work"), channel, { goalPath, rounds: 3 });
    const ctx = await new Workflow([work], { channel }).run(play.runtime(), {
      signal: abort.signal,
      ...limits,
    });
    expect(ctx._failedAt).toBe("work");
    expect(channel.pending()).toEqual([]);
    expect(channel.asks).toHaveLength(1);
  });
});
