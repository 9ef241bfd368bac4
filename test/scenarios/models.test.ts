import { describe, expect, it } from "vitest";
import { dispatch, text } from "../../src/testing/index.ts";
import { briefText, goalText, HOLDS, verdictText } from "./documents.ts";
import { stage } from "./stage.ts";

const STORY = {
  clarifier: [text(briefText("Count words."))],
  judge: [text(goalText("A counter.", [HOLDS])), text(verdictText("achieved", "It counts."))],
  coordinator: [dispatch("coder", "Write it."), text("Done.")],
  workers: { coder: [text("Conclusion: written.")] },
};

describe("models by role", () => {
  it("are what each role's requests ask for, the worker's too, and each hands over by its own window", async () => {
    const play = await stage(STORY);
    const models = {
      coordinator: "claude-opus-4-5",
      worker: "gateway/worker-2:30b[1m]",
      judge: "opus[1m]",
    };
    await play.flow("count", { model: "claude-haiku-4-5", models });
    const asked = new Set(play.api.requests.map(({ role, body }) => `${role} ${body.model}`));
    expect([...asked].sort()).toEqual([
      "clarifier claude-haiku-4-5",
      "coordinator claude-opus-4-5",
      expect.stringMatching(/^judge claude-opus-[\d-]+$/),
      "worker gateway/worker-2:30b",
    ]);
    // Of the coordinator: neither its worker's larger window nor the judges' is taken for its own.
    const learned = play.events.flatMap((event) =>
      event.kind === "task" && event.payload.notice === "window" ? [event.payload.window] : [],
    );
    expect(learned).toEqual([200_000]);
    play.api.verify();
  });

  it("leave a worker without one to CLAUDE_CODE_SUBAGENT_MODEL, and the rest to ANTHROPIC_MODEL", async () => {
    const play = await stage({ coordinator: STORY.coordinator, workers: STORY.workers });
    const { coordinator } = await import("../../src/agents/roles/coordinator.ts");
    const { worker } = await import("../../src/agents/roles/worker.ts");
    const lead = coordinator("lead", "", { coder: worker("codes", "You code.") });
    const variables = { ANTHROPIC_MODEL: "local/main", CLAUDE_CODE_SUBAGENT_MODEL: "local/sub" };
    const runtime = play.runtime({
      env: { ANTHROPIC_API_KEY: "sk-ant-test-dummy", ANTHROPIC_BASE_URL: play.api.url, ...variables },
    });
    await runtime.run(lead, "go");
    expect(play.api.requests.map(({ role, body }) => `${role} ${body.model}`)).toEqual([
      "coordinator local/main",
      "worker local/sub",
      "coordinator local/main",
    ]);
  });
});
