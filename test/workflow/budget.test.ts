import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createTranslator } from "../../src/config/locale/translator.ts";
import type { Event } from "../../src/events/event.ts";
import { HumanChannel } from "../../src/people/human-channel.ts";
import { boundOptions } from "../../src/runtime/run-brake.ts";
import { TokenMeter } from "../../src/runtime/token-meter.ts";
import { readAmount, readBudgetAnswer } from "../../src/workflow/budget-answer.ts";
import { resolveLimits } from "../../src/workflow/budget-limits.ts";
import { RunBudget } from "../../src/workflow/run-budget.ts";

const say = createTranslator("en");
const CHOICES = { raise: "raise it (say by how much)", stop: "stop here", finish: "finish this round only" };

/** A budget with a person who gives these answers, one a question; "decline" skips. */
function budget(
  limits: Parameters<typeof resolveLimits>[0],
  answers: readonly string[] | "nobody" | "no channel",
) {
  const events: Event[] = [];
  const asked: string[] = [];
  const nobody = typeof answers === "string";
  const channel = new HumanChannel({ timeoutS: nobody ? 0 : null });
  channel.listen((event) => {
    if (event.kind !== "ask" || event.payload.state !== "asked") return;
    const answer = nobody ? undefined : answers[asked.length];
    asked.push(event.text);
    const id = String(event.payload.id);
    if (answer === "decline" || answer === undefined) channel.decline(id);
    else channel.answer(id, answer);
  });
  const made = new RunBudget({
    limits: resolveLimits(limits, "test"),
    channel: answers === "no channel" ? undefined : channel,
    say,
    emit: (event) => events.push(event),
  });
  return { budget: made, events, asked };
}

const signal = new AbortController().signal;

describe("an answer at the limit", () => {
  it.each([
    ["stop here", { kind: "stop" }],
    ["stop", { kind: "stop" }],
    ["No, that is enough", { kind: "stop" }],
    ["parar", { kind: "stop" }],
    ["停止", { kind: "stop" }],
    ["finish this round only", { kind: "finish" }],
    ["please finish the round", { kind: "finish" }],
    ["raise it (say by how much)", { kind: "raise_unsaid" }],
    ["yes", { kind: "raise_unsaid" }],
    ["", { kind: "unclear" }],
    ["20", { kind: "raise", by: 20 }],
    ["$20", { kind: "raise", by: 20 }],
    ["now raise it by 12.50", { kind: "raise", by: 12.5 }],
    ["mais 2,5", { kind: "raise", by: 2.5 }],
    ["1,000", { kind: "raise", by: 1000 }],
    ["raise to $80", { kind: "raise_to", to: 80 }],
    ["提高到 80", { kind: "raise_to", to: 80 }],
    ["between 20 and 30", { kind: "raise_unsaid" }],
    ["-5", { kind: "raise_unsaid" }],
    ["0", { kind: "raise_unsaid" }],
  ])("%j means %j", (words, meant) => {
    expect(readBudgetAnswer(words, CHOICES, "usd")).toEqual(meant);
  });

  it("takes the unit of its limit", () => {
    expect(readAmount("500k", "tokens")).toEqual({ kind: "raise", by: 500_000 });
    expect(readAmount("2M tokens", "tokens")).toEqual({ kind: "raise", by: 2_000_000 });
    expect(readAmount("2", "deadline")).toEqual({ kind: "raise", by: 7200 });
    expect(readAmount("30 min", "deadline")).toEqual({ kind: "raise", by: 1800 });
    expect(readAmount("2 h", "deadline")).toEqual({ kind: "raise", by: 7200 });
    expect(readAmount("2 h", "usd")).toEqual({ kind: "unclear" });
  });

  it("never throws, and never raises by nothing or without end", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: "grapheme" }),
        fc.constantFrom("usd", "tokens", "deadline"),
        (text, limit) => {
          const answer = readBudgetAnswer(text, CHOICES, limit);
          if (answer.kind === "raise") expect(answer.by > 0 && Number.isFinite(answer.by)).toBe(true);
        },
      ),
    );
  });
});

describe("the limits of a run", () => {
  it("must be numbers above zero", () => {
    for (const value of [0, -1, Number.NaN, "5" as never]) {
      expect(() => resolveLimits({ budgetUsd: value }, "x")).toThrow(/budgetUsd must be a number above zero/);
    }
  });

  it("bind a process where they are lower than its own, and only then", () => {
    expect(boundOptions({}, Number.POSITIVE_INFINITY)).toEqual({ options: {}, byRun: false });
    expect(boundOptions({}, 3)).toEqual({ options: { maxBudgetUsd: 3 }, byRun: true });
    expect(boundOptions({ maxBudgetUsd: 2 }, 3)).toEqual({ options: { maxBudgetUsd: 2 }, byRun: false });
    expect(boundOptions({ maxBudgetUsd: 5 }, 3)).toEqual({ options: { maxBudgetUsd: 3 }, byRun: true });
  });

  it("are warned of once at 80 %, and once more after they were raised", async () => {
    const { budget: run, events } = budget({ budgetUsd: 10 }, ["10"]);
    run.spend(7.9);
    expect(events).toHaveLength(0);
    run.spend(0.2);
    run.spend(1);
    run.spend(2);
    expect(events).toHaveLength(1);
    expect(events[0]).toMatchObject({
      kind: "task",
      payload: { notice: "budget", limit: "usd", percent: 81, budget: 10 },
    });
    expect(events[0]?.text).toContain("$8.10 of $10.00");
    expect(await run.pause(signal)).toBeUndefined();
    // Ten more than the 11.1 that were used.
    expect(run.leftUsd()).toBeCloseTo(10, 9);
    run.spend(8);
    expect(events).toHaveLength(2);
  });

  it("are not counted twice by parallel steps that wait: one question is put, all get its answer", async () => {
    const { budget: run, asked } = budget({ budgetUsd: 1 }, ["finish this round only"]);
    run.spend(1);
    expect(await Promise.all([run.pause(signal), run.pause(signal), run.pause(signal)])).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
    expect(asked).toHaveLength(1);
  });

  it("let a round be finished without any limit, and nothing after it", async () => {
    const { budget: run } = budget({ budgetUsd: 1, deadlineS: 0.001 }, ["3"]);
    run.spend(1);
    expect(run.isLastRound).toBeUndefined();
    expect(await run.pause(signal)).toBeUndefined();
    expect(run.reached()).toBeUndefined();
    expect(run.leftUsd()).toBe(Number.POSITIVE_INFINITY);
    expect(run.deadline().aborted).toBe(false);
    expect(run.isLastRound?.error).toContain("$1.00");
  });

  it("abort what runs when the time is over, and again after the deadline was moved", async () => {
    const { budget: run, events } = budget({ deadlineS: 0.05 }, ["0.00003"]);
    const over = (s: AbortSignal) => new Promise<void>((done) => s.addEventListener("abort", () => done()));
    const first = run.deadline();
    await over(first);
    expect(run.reached()).toBe("deadline");
    expect(events.filter((e) => e.kind === "task" && e.payload.limit === "deadline")).toHaveLength(1);
    expect(await run.pause(signal)).toBeUndefined();
    expect(run.reached()).toBeUndefined();
    expect(run.deadline()).not.toBe(first);
    await over(run.deadline());
    expect(run.reached()).toBe("deadline");
  });
});

describe("every state of the budget", () => {
  const ENDS: readonly (readonly [string, readonly string[] | "nobody" | "no channel", "stop" | "on"])[] = [
    ["nobody is there", "nobody", "stop"],
    ["there is no channel", "no channel", "stop"],
    ["the question is skipped", ["decline"], "stop"],
    ["stop", ["2"], "stop"],
    ["finish", ["3"], "on"],
    ["raise, and by how much", ["1", "5"], "on"],
    ["raise, and no answer to how much", ["1", "decline"], "stop"],
    ["raise, and words without a number, twice", ["1", "a lot", "plenty"], "stop"],
    ["raise, words, then a number", ["1", "a lot", "5"], "on"],
    ["raise, then stop after all", ["1", "no, stop"], "stop"],
    ["free words with a number", ["raise by 5"], "on"],
    ["raised to less than was used", ["raise to 0.000000001"], "stop"],
    ["an empty answer, then nobody", ["", "decline"], "stop"],
  ];
  const LIMITS = [{ budgetUsd: 1 }, { budgetTokens: 1 }, { deadlineS: 0.0001 }] as const;

  it.each(ENDS.flatMap((end) => LIMITS.map((limit) => [...end, limit] as const)))(
    "ends: %s %j",
    async (_name, answers, expected, limits) => {
      const { budget: run, asked } = budget(limits, answers);
      run.spend(1);
      run.countTokens(1);
      while (run.reached() === undefined) await new Promise((next) => setImmediate(next));
      const words = await run.pause(signal);
      expect(words === undefined ? "on" : "stop").toBe(expected);
      expect(asked.length).toBeLessThanOrEqual(3);
      if (words === undefined) return;
      expect(words.hint).toContain("larger");
      // Once stopped nobody is asked again, and no process is let through.
      expect(await run.pause(signal)).toBe(words);
      expect(run.reached()).toBeDefined();
      expect(run.isLastRound).toBe(words);
      run.close();
    },
  );

  it("ends when the run is aborted while a question waits", async () => {
    const { budget: run } = (() => {
      const channel = new HumanChannel({ timeoutS: null });
      const made = new RunBudget({
        limits: resolveLimits({ budgetUsd: 1 }, "t"),
        channel,
        say,
        emit: () => {},
      });
      return { budget: made };
    })();
    run.spend(2);
    const abort = new AbortController();
    const waiting = run.pause(abort.signal);
    abort.abort();
    expect(await waiting).toMatchObject({ error: expect.any(String) });
  });
});

describe("the tokens of a process", () => {
  const message = (id: string, input: number, output: number) => ({
    type: "assistant",
    message: { id, usage: { input_tokens: input, cache_read_input_tokens: 5, output_tokens: output } },
  });
  const result = (tokens: number) => ({
    type: "result",
    model_usage_since_last_result: {
      m: { inputTokens: tokens, outputTokens: 1, cacheReadInputTokens: 1, cacheCreationInputTokens: 1 },
    },
  });

  it("are counted once a message, however many blocks it arrives in, and settled by the result", () => {
    const meter = new TokenMeter();
    expect([message("a", 10, 1), message("a", 10, 1), message("b", 20, 1)].map((m) => meter.read(m))).toEqual(
      [16, 0, 26],
    );
    expect(meter.read(result(97))).toBe(100 - 42);
    expect(meter.read(message("c", 1, 1))).toBe(7);
    expect(meter.read({ type: "result" })).toBe(0);
    expect(meter.read({ type: "user" })).toBe(0);
  });
});
