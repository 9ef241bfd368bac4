import { existsSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { AgentSpec } from "../../src/agents/agent-spec.ts";
import { coordinator } from "../../src/agents/roles/coordinator.ts";
import { worker } from "../../src/agents/roles/worker.ts";
import type { Event } from "../../src/events/event.ts";
import { always, dispatch, text, turn } from "../../src/testing/index.ts";
import { type Stage, stage } from "./stage.ts";

const plain = new AgentSpec({ name: "plain", instructions: "", allowedTools: ["Read"] });

/** What the harness itself said a session had cost so far, by each of its results. */
function totals(events: readonly Event[]): number[] {
  return events.flatMap((event) => (event.kind === "result" ? [event.payload.cost_usd] : []));
}

function booked(play: Stage): number {
  return play.manifest().reduce((sum, row) => sum + row.cost_usd, 0);
}

describe("what a session costs over several processes", () => {
  it("is the sum of its turns, although the harness's total of a resumed session includes the earlier ones", async () => {
    const play = await stage({ main: [always(text("done"))] });
    const first = await play.runtime().run(plain, "go", { stepName: "one" });
    const turnCost = first.costUsd;
    expect(turnCost).toBeGreaterThan(0);

    const second = await play.runtime().run(plain, "on", { stepName: "two", resume: first.sessionId! });
    const fork = await play
      .runtime()
      .run(plain, "aside", { stepName: "fork", resume: first.sessionId!, fork: true });
    const [one, two, aside] = totals(play.events);
    expect(one).toBeCloseTo(turnCost, 9);
    // Measured: a resumed session's total goes on from where it stood, and so does a fork's.
    expect(two).toBeCloseTo(2 * turnCost, 9);
    expect(aside).toBeGreaterThan(2 * turnCost - 1e-9);

    expect(second.costUsd).toBeCloseTo(turnCost, 9);
    expect(fork.sessionId).not.toBe(first.sessionId);
    expect(fork.costUsd).toBeCloseTo(turnCost, 9);

    // Either book may get lost or damaged; the other one still knows.
    rmSync(join(play.runDir, "costs.json"));
    const third = await play.runtime().run(plain, "on", { stepName: "three", resume: first.sessionId! });
    expect(third.costUsd).toBeCloseTo(turnCost, 9);
    const more = await play.runtime().run(plain, "aside", { stepName: "fork2", resume: fork.sessionId! });
    expect(more.costUsd).toBeCloseTo(turnCost, 9);
    expect(booked(play)).toBeCloseTo(5 * turnCost, 6);

    writeFileSync(join(play.runDir, "manifest.json"), '[{"run": "20');
    const fourth = await play.runtime().run(plain, "on", { stepName: "four", resume: first.sessionId! });
    expect(fourth.costUsd).toBeCloseTo(turnCost, 9);
    const notices = play.events.filter((event) => event.kind === "task" && event.payload.notice === "store");
    expect(notices.map((event) => event.text)).toEqual([expect.stringContaining("manifest was damaged")]);
    const kept = readdirSync(play.runDir).filter((name) => name.startsWith("manifest.json."));
    expect(kept).toHaveLength(1);
    expect(existsSync(join(play.runDir, kept[0]!))).toBe(true);
  });

  it("includes the workers, and takes a turn's context from the main thread alone", async () => {
    const play = await stage({
      coordinator: [
        dispatch("coder", "work"),
        turn(text("Done."), { usage: { inputTokens: 8, cacheReadTokens: 62_539, cacheWriteTokens: 287 } }),
      ],
      workers: { coder: [turn(text("Conclusion: done."), { usage: { inputTokens: 180_000 } })] },
    });
    const lead = coordinator("lead", "", { coder: worker("codes", "You code.") });
    const runtime = play.runtime();
    const result = await runtime.run(lead, "go");
    expect(result.context).toBe(62_834);
    expect(result.usage.input).toBe(180_000 + 100 + 8);
    expect(result.costUsd).toBeCloseTo(totals(play.events).at(-1)!, 9);
    expect(await runtime.contextOf(result.sessionId!)).toBe(62_834);
    expect(runtime.totalCost()).toBeCloseTo(result.costUsd, 4);
    play.api.verify();
  });
});
