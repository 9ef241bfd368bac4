import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { AgentSpec } from "../../src/agents/agent-spec.ts";
import { HandoffPolicy } from "../../src/agents/handoff-policy.ts";
import { Resilience } from "../../src/runtime/resilience.ts";
import {
  allText,
  dropConnection,
  httpError,
  lastUserText,
  text,
  toolUse,
  turn,
} from "../../src/testing/index.ts";
import { Workbench } from "../../src/workbench/workbench.ts";
import { stage } from "./stage.ts";

const spec = new AgentSpec({ name: "plain", instructions: "Work.", allowedTools: ["Bash", "Read"] });
const QUICK = new Resilience({ baseDelay: 0.05, maxDelay: 0.1, probeInterval: 0.2, maxOfflineWait: 60 });

describe("an outage", () => {
  it("is waited out: the same session goes on, without a word of the error", async () => {
    const play = await stage({
      main: [
        toolUse("Bash", { command: "echo begun" }),
        httpError(529),
        httpError(529),
        httpError(529),
        text("finished"),
      ],
    });
    const runtime = play.runtime({ resilience: QUICK });
    const result = await runtime.run(spec, "do the work");
    expect(result).toMatchObject({ ok: true, text: "finished", resumed: true });
    expect(result.attempts).toBeGreaterThan(1);
    expect(result.errors.length).toBeGreaterThan(0);
    const last = play.api.requests.at(-1)!;
    expect(new Set(play.api.requests.map((request) => request.sessionId)).size).toBe(1);
    expect(lastUserText(last)).toContain("You were interrupted");
    expect(allText(last)).not.toMatch(/529|overloaded/i);
    expect(allText(last).match(/do the work/g)).toHaveLength(1);
    expect(play.events.filter((event) => event.kind === "retry").length).toBeGreaterThan(0);
    // Two turns were answered, alike in tokens; the total after the resume includes what came before it.
    const totals = play.events.flatMap((event) => (event.kind === "result" ? [event.payload.cost_usd] : []));
    expect(totals[0]).toBeGreaterThan(0);
    expect(totals.at(-1)).toBeCloseTo(2 * (totals[0] ?? 0), 9);
    expect(result.costUsd).toBeCloseTo(totals.at(-1) ?? 0, 9);
    play.api.verify();
  });

  it("from the very start sends the prompt once, and a broken stream is gone on from", async () => {
    const play = await stage({
      main: [
        dropConnection(),
        dropConnection(),
        dropConnection(),
        dropConnection({ afterEvents: 2 }),
        text("there"),
      ],
    });
    const result = await play.runtime({ resilience: QUICK }).run(spec, "only once");
    expect(result).toMatchObject({ ok: true, text: "there" });
    expect(allText(play.api.requests.at(-1)!).match(/only once/g)).toHaveLength(1);
  });

  it("that does not end is given up in time, with everything resumable", async () => {
    const play = await stage({ main: [text("unreached")] });
    const runtime = play.runtime({
      resilience: new Resilience({ baseDelay: 0.05, maxDelay: 0.1, probeInterval: 0.1, maxOfflineWait: 1 }),
    });
    await play.api.close();
    const result = await runtime.run(spec, "x");
    expect(result).toMatchObject({ ok: false, error: expect.stringContaining("cannot be reached") });
    expect(result.error).toContain("ECONNREFUSED");
    expect(await runtime.hasSession(result.sessionId ?? "")).toBe(true);
  });

  it("is not waited for when the credential is wrong", async () => {
    const play = await stage({ main: [text("x")] }, { expectKey: "another" });
    const result = await play.runtime({ resilience: QUICK }).run(spec, "x");
    expect(result).toMatchObject({ ok: false, attempts: 1, hint: expect.stringContaining("flower setup") });
  });
});

describe("a usage limit", () => {
  it("is waited out until it ends, and a run that was killed meanwhile still knows", async () => {
    const resetAt = Math.floor(Date.now() / 1000) + 2;
    // The harness tries twice again by itself before it gives the limit up.
    const limit = httpError(429, { message: `Claude AI usage limit reached|${resetAt}` });
    const play = await stage({ main: [limit, limit, limit, text("after the limit")] });
    const runtime = play.runtime({ resilience: QUICK });
    const result = await runtime.run(spec, "x");
    expect(result).toMatchObject({ ok: true, text: "after the limit" });
    expect(play.api.requests.at(-1)?.at).toBeGreaterThanOrEqual(resetAt);
    expect(existsSync(join(play.runDir, "limit.json"))).toBe(false);

    const until = Date.now() / 1000 + 1.5;
    writeFileSync(join(play.runDir, "limit.json"), JSON.stringify({ reset_at: until }));
    const later = await stage({ main: [text("later")] }, { workspace: play.workspace });
    await later.runtime({ resilience: QUICK }).run(spec, "y");
    expect(later.api.requests[0]?.at).toBeGreaterThanOrEqual(until);
  });
});

describe("a full context", () => {
  const FULL = { inputTokens: 45_000 };
  const document =
    "## Doing\nCounting.\n\n## Decided\n\n## Dead ends\n\n## Next\nCount b.txt.\n\n## Scene\nbench/\n";

  it("is handed over: the session writes its document, a fresh one goes on with it, and the books tell", async () => {
    const play = await stage({
      main: [
        turn(toolUse("Bash", { command: "sleep 5" }), { usage: FULL }),
        text(document),
        text("taken over and done"),
      ],
    });
    const workbench = new Workbench({ workspace: play.workspace });
    const runtime = play.runtime({
      handoff: new HandoffPolicy({ window: 60_000, headroom: 20_000 }),
      workbench,
    });
    const result = await runtime.run(spec, "count everything", { stepName: "work" });
    expect(result).toMatchObject({ ok: true, text: "taken over and done", attempts: 1 });
    expect(result.retired).toHaveLength(1);
    expect(result.retired[0]).not.toBe(result.sessionId);
    const [, writing, successor] = play.api.requests;
    expect(writing?.sessionId).toBe(result.retired[0]);
    expect(lastUserText(writing!)).toContain("45000 of 60000");
    expect(lastUserText(successor!)).toContain("Count b.txt.");
    expect(allText(successor!)).not.toContain("count everything");
    expect(readFileSync(join(workbench.notes, "handoff-work.md"), "utf8")).toContain("Counting.");
    const phases = play.events
      .filter((event) => event.kind === "handoff")
      .map((event) => event.payload.phase);
    expect(phases).toEqual(["near", "writing", "done"]);
    play.api.verify();
  });

  it("in an outage has its document written once the API answers, and the successor does nothing again", async () => {
    const play = await stage({
      main: [
        turn(toolUse("Bash", { command: "sleep 5" }), { usage: FULL }),
        httpError(529),
        httpError(529),
        httpError(529),
        text(document),
        text("taken over and done"),
      ],
    });
    const result = await play
      .runtime({ handoff: new HandoffPolicy({ window: 60_000, headroom: 20_000 }), resilience: QUICK })
      .run(spec, "count everything", { stepName: "work" });
    expect(result).toMatchObject({ ok: true, text: "taken over and done" });
    expect(lastUserText(play.api.requests.at(-1)!)).toContain("Count b.txt.");
    const done = play.events.filter((event) => event.kind === "handoff" && event.payload.phase === "done");
    expect(done.map((event) => event.kind === "handoff" && event.payload.degraded)).toEqual([false]);
    play.api.verify();
  });

  it("whose document cannot be written is handed over mechanically, once, and the overflow shrinks nothing explicit", async () => {
    const play = await stage({
      main: [
        httpError(400, { message: "prompt is too long: 212345 tokens > 200000 maximum" }),
        text("went on"),
      ],
    });
    const workbench = new Workbench({ workspace: play.workspace });
    const result = await play.runtime({ workbench }).run(spec, "a long task", { stepName: "work" });
    expect(result).toMatchObject({ ok: true, text: "went on" });
    const successor = play.api.requests.at(-1)!;
    expect(lastUserText(successor)).toContain("a long task");
    expect(allText(successor)).not.toContain("212345");
    expect(readdirSync(workbench.notes)).toContain("handoff-work.md");
    expect(readFileSync(join(workbench.notes, "handoff-work.md"), "utf8")).toContain(
      "[degraded: handoff not written]",
    );
  });
});
