import { describe, expect, it } from "vitest";
import { AgentSpec } from "../../src/agents/agent-spec.ts";
import { clarify } from "../../src/agents/roles/clarifier.ts";
import { coordinator } from "../../src/agents/roles/coordinator.ts";
import { judge } from "../../src/agents/roles/judge.ts";
import { worker } from "../../src/agents/roles/worker.ts";
import { mainThreadTools, sessionTools } from "../../src/harness/tool-set.ts";
import { HumanChannel } from "../../src/people/human-channel.ts";

const channel = new HumanChannel();

describe("the tools of a session", () => {
  it("are a coordinator's and its workers' together; its main thread has its own alone", () => {
    const lead = coordinator("lead", "", { coder: worker("codes", "code") }, { channel });
    expect(sessionTools(lead)).toEqual(
      expect.arrayContaining(["Agent", "Read", "Bash", "Write", "Edit", "Glob", "Grep", "WebFetch"]),
    );
    const own = mainThreadTools(lead);
    for (const hand of ["Write", "Edit", "WebFetch", "WebSearch", "Glob"]) expect(own).not.toContain(hand);
    expect(own).toEqual(
      expect.arrayContaining(["Agent", "Read", "Bash", channel.toolName, channel.inboxToolName]),
    );
  });

  it.each([
    ["clarifier", clarify("c", channel)],
    ["judge", judge("j", channel)],
  ])("let a %s look and ask, and nothing else", (_role, spec) => {
    expect(sessionTools(spec)).not.toEqual(expect.arrayContaining(["Write"]));
    for (const tool of ["Write", "Edit", "Bash", "Agent"]) expect(sessionTools(spec)).not.toContain(tool);
    expect(spec.allowedTools).toContain(channel.toolName);
  });

  it("name a tool that is approved under conditions once, and leave servers' tools to their server", () => {
    const spec = new AgentSpec({
      name: "x",
      instructions: "",
      allowedTools: ["Bash(git *)", "Bash(ls)", "Read", "mcp__db__query"],
      mcpServers: { db: { command: "db" }, other: { command: "other" } },
      agents: { scout: worker("looks", "look", { tools: ["Read", "Grep"] }) },
    });
    expect(sessionTools(spec)).toEqual(["Bash", "Read", "Grep"]);
    expect(mainThreadTools(spec)).toEqual(["Bash", "Read", "mcp__db__query", "mcp__other"]);
  });
});
