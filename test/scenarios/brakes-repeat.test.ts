import { describe, expect, it } from "vitest";
import { AgentSpec } from "../../src/agents/agent-spec.ts";
import { coordinator } from "../../src/agents/roles/coordinator.ts";
import { worker } from "../../src/agents/roles/worker.ts";
import { allText, always, dispatch, text, toolUse } from "../../src/testing/index.ts";
import { stage } from "./stage.ts";

const spec = new AgentSpec({ name: "plain", instructions: "", allowedTools: ["Bash"] });

describe("an agent that goes in circles", () => {
  it("is told so after five times, and after three refusals the step ends with a diagnosis and is not tried again", async () => {
    const play = await stage({ main: [always(toolUse("Bash", { command: "exit 3" }))] });
    const result = await play.runtime().run(spec, "make it");
    expect(result).toMatchObject({
      ok: false,
      attempts: 1,
      error: expect.stringContaining("went in circles"),
    });
    expect(result.error).toContain("exit 3");
    expect(result.hint).not.toBe("");
    // Five that ran, three that were refused; the last refusal ends it before it is answered, or just after.
    expect(play.api.requests.length).toBeGreaterThanOrEqual(8);
    expect(play.api.requests.length).toBeLessThanOrEqual(9);
    expect(allText(play.api.requests[6]!)).toContain("You have done this 5 times in a row");
  });

  it("may still turn round: after the refusal it does something else and finishes", async () => {
    const same = toolUse("Bash", { command: "echo same" });
    const play = await stage({
      main: [same, same, same, same, same, same, toolUse("Bash", { command: "echo other" }), text("done")],
    });
    const result = await play.runtime().run(spec, "make it");
    expect(result).toMatchObject({ ok: true, text: "done", denials: 1 });
    play.api.verify();
  });

  it("ends the step also as a worker, and is named", async () => {
    const play = await stage({
      coordinator: [dispatch("coder", "work"), always(text("gave up"))],
      workers: { coder: [always(toolUse("Bash", { command: "echo stuck" }))] },
    });
    const lead = coordinator("lead", "", { coder: worker("codes", "You code.") });
    const result = await play.runtime().run(lead, "go");
    expect(result).toMatchObject({
      ok: false,
      error: expect.stringContaining("worker coder went in circles"),
    });
  });

  it("is not one that waits for something that changes", async () => {
    const poll = toolUse("Bash", { command: "echo x >> n; wc -l < n" });
    const play = await stage({ main: [...Array(9).fill(poll), text("ready")] });
    expect(await play.runtime().run(spec, "wait")).toMatchObject({ ok: true, text: "ready", denials: 0 });
  });
});
