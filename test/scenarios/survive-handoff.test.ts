import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { AgentSpec } from "../../src/agents/agent-spec.ts";
import { HandoffPolicy } from "../../src/agents/handoff-policy.ts";
import { Resilience } from "../../src/runtime/resilience.ts";
import { allText, httpError, lastUserText, text, toolUse, turn } from "../../src/testing/index.ts";
import { Workbench } from "../../src/workbench/workbench.ts";
import { stage } from "./stage.ts";

const spec = new AgentSpec({ name: "plain", instructions: "Work.", allowedTools: ["Bash", "Read"] });
const POLICY = new HandoffPolicy({ window: 60_000, headroom: 20_000 });
const QUICK = new Resilience({ baseDelay: 0.05, maxDelay: 0.1, probeInterval: 0.2, maxOfflineWait: 1 });
const FULL = { inputTokens: 45_000 };
const TOO_LONG = { message: "prompt is too long: 212345 tokens > 200000 maximum" };

const working = (command: string) => turn(toolUse("Bash", { command }), { usage: FULL });

function document(doing: string, next: string): string {
  return `## Doing\n${doing}\n\n## Decided\n\n## Dead ends\n\n## Next\n${next}\n\n## Scene\nnotes/\n`;
}

describe("handing over", () => {
  it("happens generation after generation; each document goes to the archive when the next one comes", async () => {
    const play = await stage({
      main: [
        working("echo one"),
        text(document("first", "go on one")),
        working("echo two"),
        // The turn that writes is over the threshold itself, and may look something up first: it is exempt, or every
        // generation would degrade.
        working("echo looked up"),
        turn(text(document("second", "go on two")), { usage: FULL }),
        text("all done"),
      ],
    });
    const workbench = new Workbench({ workspace: play.workspace });
    const result = await play.runtime({ handoff: POLICY, workbench }).run(spec, "task", { stepName: "work" });
    expect(result).toMatchObject({ ok: true, text: "all done", errors: [] });
    expect(result.retired).toHaveLength(2);
    expect(readFileSync(join(workbench.notes, "handoff-work.md"), "utf8")).toContain("go on two");
    const archive = join(workbench.notes, "archive", "handoff");
    expect(readFileSync(join(archive, readdirSync(archive)[0] ?? ""), "utf8")).toContain("go on one");
    play.api.verify();
  });

  it("takes what a person made of the document before it is taken over", async () => {
    const play = await stage({ main: [working("echo x"), text(document("x", "do y")), text("done")] });
    const workbench = new Workbench({ workspace: play.workspace });
    const runtime = play.runtime({ handoff: POLICY, workbench });
    await runtime.run(spec, "task", {
      stepName: "work",
      onEvent: (event) => {
        if (event.kind !== "handoff" || event.payload.phase !== "done") return;
        writeFileSync(join(workbench.notes, "handoff-work.md"), document("x", "do Z instead"));
      },
    });
    expect(lastUserText(play.api.requests.at(-1)!)).toContain("do Z instead");
  });

  it.each([
    ["a reply that is no document", text("I shall rather go on working.")],
    ["a reply that lacks a section", text("## Doing\nsomething\n")],
    ["an error for a reply", httpError(400, { message: "Output blocked by content filtering policy" })],
  ])("goes on with a document put together without the session after %s", async (what, reply) => {
    const play = await stage({ main: [working("echo x"), reply, text("went on")] });
    const workbench = new Workbench({ workspace: play.workspace });
    const runtime = play.runtime({ handoff: POLICY, workbench, resilience: QUICK });
    const result = await runtime.run(spec, "the whole task in one sentence", { stepName: "work" });
    expect(result).toMatchObject({ ok: true, text: "went on", attempts: 1 });
    expect(result.errors.join("\n")).toContain("handoff not written");
    const successor = allText(play.api.requests.at(-1)!);
    expect(successor).toContain("the whole task in one sentence");
    expect(successor).not.toContain("content filtering");
    expect(readFileSync(join(workbench.notes, "handoff-work.md"), "utf8")).toContain(
      "[degraded: handoff not written]",
    );
    // What was no document is kept where a person finds it; an error is none.
    const raw = join(workbench.notes, "archive", "raw");
    expect(existsSync(raw)).toBe(what !== "an error for a reply");
  });

  it("stops with a diagnosis when every generation fills up: the window lies below the role's floor", async () => {
    const policy = new HandoffPolicy({ window: 60_000, headroom: 20_000, maxGenerations: 2 });
    const play = await stage({
      main: [
        working("echo 1"),
        text(document("a", "b")),
        working("echo 2"),
        text(document("a", "b")),
        working("echo 3"),
      ],
    });
    const result = await play.runtime({ handoff: policy }).run(spec, "task");
    expect(result.ok).toBe(false);
    expect(result.hint).toMatch(/start-up floor/);
    expect(result.retired).toHaveLength(2);
  });

  it("ends when a fresh session overflows with the shortest document too", async () => {
    const play = await stage({
      main: [
        httpError(400, TOO_LONG),
        httpError(400, TOO_LONG),
        httpError(400, TOO_LONG),
        httpError(400, TOO_LONG),
      ],
    });
    const result = await play.runtime({ resilience: QUICK }).run(spec, "task");
    expect(result).toMatchObject({
      ok: false,
      error: expect.stringContaining("overflows before its first turn"),
    });
  });

  it("is not for a worker's context: only the main thread counts", async () => {
    const { coordinator } = await import("../../src/agents/roles/coordinator.ts");
    const { worker } = await import("../../src/agents/roles/worker.ts");
    const { dispatch } = await import("../../src/testing/index.ts");
    const lead = coordinator("lead", "", { coder: worker("codes", "You code.") });
    const play = await stage({
      coordinator: [dispatch("coder", "big"), text("reported")],
      workers: {
        coder: [
          turn(toolUse("Bash", { command: "echo hi" }), { usage: { inputTokens: 180_000 } }),
          text("Conclusion: ok"),
        ],
      },
    });
    const result = await play.runtime({ handoff: POLICY }).run(lead, "task");
    expect(result).toMatchObject({ ok: true, text: "reported", retired: [] });
  });

  it("learns the model's true window, but never in place of one a person set", async () => {
    const play = await stage({ main: [text("hello")] });
    const runtime = play.runtime({ handoff: new HandoffPolicy({ enabled: true }) });
    const guessed = runtime.handoff.window;
    await runtime.run(spec, "hi");
    expect(runtime.handoff.window).toBe(1_000_000);
    const told = play.events.filter((event) => event.kind === "task" && event.payload.notice === "window");
    expect(told).toHaveLength(guessed === 1_000_000 ? 0 : 1);
    const again = await stage({ main: [text("hello")] });
    const fixed = again.runtime({ handoff: POLICY });
    await fixed.run(spec, "hi");
    expect(fixed.handoff.window).toBe(60_000);
  });

  it("keeps the harness from summarising by itself", async () => {
    const play = await stage({ main: [text("one"), text("two")] });
    const runtime = play.runtime();
    const first = await runtime.run(spec, "hi");
    const env = await stage({
      main: [toolUse("Bash", { command: "echo compact=$DISABLE_AUTO_COMPACT" }), text("x")],
    });
    await env.runtime().run(spec, "hi");
    expect(allText(env.api.requests.at(-1)!)).toContain("compact=1");
    expect(first.ok).toBe(true);
  });
});
