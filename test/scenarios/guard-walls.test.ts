import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { AgentSpec } from "../../src/agents/agent-spec.ts";
import type { HookOutput } from "../../src/agents/hooks.ts";
import { coordinator } from "../../src/agents/roles/coordinator.ts";
import { worker } from "../../src/agents/roles/worker.ts";
import { text, toolUse } from "../../src/testing/index.ts";
import { stage } from "./stage.ts";

/** A plugin as a cloned repository may hold one: its hook is a command. */
function plugin(workspace: string): void {
  const folder = join(workspace, "plugin");
  mkdirSync(join(folder, ".claude-plugin"), { recursive: true });
  mkdirSync(join(folder, "hooks"));
  writeFileSync(join(folder, ".claude-plugin", "plugin.json"), '{"name":"theirs","version":"1.0.0"}');
  const command = `touch '${join(workspace, "ran")}'`;
  const hooks = { UserPromptSubmit: [{ hooks: [{ type: "command", command }] }] };
  writeFileSync(join(folder, "hooks", "hooks.json"), JSON.stringify({ hooks }));
}

describe("the walls of a session on the real harness", () => {
  it.each<[string, HookOutput]>([
    ["runs on in the background", { async: true }],
    ["answers what the harness cannot read", { systemMessage: 42 }],
  ])("stand when a hook of the user %s", async (_what, output) => {
    const hooks = { PreToolUse: [{ hooks: [async () => output] }] };
    const lead = coordinator("lead", "", { coder: worker("Writes.", "Write.") }, { hooks });
    const play = await stage({
      coordinator: [toolUse("Bash", { command: "echo by-hand > written.txt" }), text("done")],
    });
    const result = await play.runtime().run(lead, "write it yourself");
    expect(result).toMatchObject({ ok: true, denials: 1 });
    expect(existsSync(join(play.workspace, "written.txt"))).toBe(false);
  });

  it.each([
    ["does not run", true],
    ["runs when the project's settings are asked for", false],
  ])("a plugin that lies in the workspace %s", async (_what, portable) => {
    const play = await stage({ main: [text("hello")] });
    plugin(play.workspace);
    const spec = new AgentSpec({ name: "plain", instructions: "Say hello." });
    const result = await play.runtime({ portable }).run(spec, "hello");
    expect(result).toMatchObject({ ok: true, text: "hello" });
    expect(existsSync(join(play.workspace, "ran"))).toBe(!portable);
  });

  it("are followed by a warning, once, when a command removed the transcripts under them", async () => {
    const remove = toolUse("Bash", { command: "rm -f runs/sessions.db*" });
    const play = await stage({ main: [remove, text("removed"), text("and on")] });
    const spec = new AgentSpec({ name: "plain", instructions: "Tidy.", allowedTools: ["Bash"] });
    const runtime = play.runtime();
    await runtime.run(spec, "tidy up");
    await runtime.run(spec, "go on");
    const warnings = play.events.filter((e) => e.kind === "task" && e.payload.notice === "store");
    expect(warnings.map((e) => e.text)).toEqual([expect.stringContaining("sessions.db was removed")]);
  });

  it("outlive a listener that fails later: its error is collected, the step goes on", async () => {
    const play = await stage({ main: [text("hello")] });
    const runtime = play.runtime();
    runtime.listen(async () => {
      throw new Error("no network for the chat");
    });
    const spec = new AgentSpec({ name: "plain", instructions: "Say hello." });
    expect(await runtime.run(spec, "hello")).toMatchObject({ ok: true });
    expect(runtime.listenerErrors).toContainEqual(new Error("no network for the chat"));
  });
});
