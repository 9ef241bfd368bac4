import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { AgentSpec } from "../../src/agents/agent-spec.ts";
import { clarify } from "../../src/agents/roles/clarifier.ts";
import { coordinator } from "../../src/agents/roles/coordinator.ts";
import { worker } from "../../src/agents/roles/worker.ts";
import { OptionError } from "../../src/core/errors.ts";
import { type BuildOptions, buildOptions } from "../../src/harness/build-options.ts";
import { HumanChannel } from "../../src/people/human-channel.ts";

const plain = new AgentSpec({ name: "x", instructions: "Be brief." });

function plugin(folder: string): string {
  mkdirSync(join(folder, ".claude-plugin"), { recursive: true });
  writeFileSync(join(folder, ".claude-plugin", "plugin.json"), '{"name":"p"}');
  return folder;
}

function temporary(): string {
  return mkdtempSync(join(tmpdir(), "flower-options-"));
}

describe("an agent as options of the harness", () => {
  it("keeps the harness's own system prompt and adds instructions and prelude", () => {
    expect(buildOptions(plain, { prelude: "INDEX" }).systemPrompt).toEqual({
      type: "preset",
      preset: "claude_code",
      append: "Be brief.\n\nINDEX",
    });
  });

  it("asks nobody, expands nothing, and reads no settings unless told to", () => {
    const options = buildOptions(plain);
    expect(options).toMatchObject({ permissionPrompts: "none", verbatimPrompts: true, settingSources: [] });
    expect(buildOptions(plain, { portable: false }).settingSources).toEqual(["project"]);
    expect(options.hooks).toBeUndefined();
    expect(options.allowDangerouslySkipPermissions).toBeUndefined();
  });

  it("gives the child the environment it was given and flower's switches, not this process's", () => {
    process.env.SECRET_OF_THE_PARENT = "x";
    const { env } = buildOptions(plain, { env: { PATH: "/bin" } });
    delete process.env.SECRET_OF_THE_PARENT;
    expect(env).toMatchObject({
      PATH: "/bin",
      CLAUDE_CODE_DISABLE_BACKGROUND_TASKS: "1",
      DISABLE_TELEMETRY: "1",
    });
    expect(env).not.toHaveProperty("SECRET_OF_THE_PARENT");
    expect(env).not.toHaveProperty("HOME");
  });

  it("lets the agent's own variables win over flower's", () => {
    const spec = new AgentSpec({ name: "x", instructions: "", env: { CLAUDE_CODE_MAX_RETRIES: "9" } });
    expect(buildOptions(spec, { env: { CLAUDE_CODE_MAX_RETRIES: "5" } }).env?.CLAUDE_CODE_MAX_RETRIES).toBe(
      "9",
    );
    expect(buildOptions(plain, { env: { CLAUDE_CODE_MAX_RETRIES: "5" } }).env?.CLAUDE_CODE_MAX_RETRIES).toBe(
      "5",
    );
  });

  it.each([
    ["half an hour", 1800, (1800 + 120) * 1000],
    ["for ever", null, 2_147_483_647],
    ["longer than a timer can hold", 1e9, 2_147_483_647],
    ["not at all", 0, 120_000],
  ])("lets a call to a person take longer than a question waits: %s", (_what, timeoutS, limit) => {
    const { env, mcpServers } = buildOptions(clarify("c", new HumanChannel({ timeoutS })));
    expect(Number(env?.MCP_TOOL_TIMEOUT)).toBe(limit);
    expect(Number(env?.CLAUDE_CODE_MCP_AUTO_BACKGROUND_MS)).toBe(limit);
    expect(Object.keys(mcpServers ?? {})).toEqual(["human"]);
  });

  it("makes a coordinator an agent of its own with its few tools and an empty prompt", () => {
    const lead = coordinator("lead", "", { coder: worker("codes", "You code.", { isolate: true }) });
    const options = buildOptions(lead);
    expect(options.agent).toBe("lead");
    expect(options.agents?.lead).toMatchObject({ prompt: "", tools: ["Agent", "TodoWrite", "Read", "Bash"] });
    expect(options.agents?.coder).toMatchObject({ description: "codes" });
    expect(options.agents?.coder).not.toHaveProperty("model");
    expect(options.agents?.coder).not.toHaveProperty("isolate");
  });

  it("passes limits on when they are given, and only then", () => {
    const spec = new AgentSpec({ name: "x", instructions: "", model: "m", maxTurns: 3, maxBudgetUsd: 2 });
    expect(buildOptions(spec)).toMatchObject({ model: "m", maxTurns: 3, maxBudgetUsd: 2 });
    for (const key of ["model", "effort", "maxTurns", "maxBudgetUsd"])
      expect(buildOptions(plain)).not.toHaveProperty(key);
  });
});

describe("what options refuse", () => {
  it.each([
    ["a fork without a session", { fork: true }, "resume_missing"],
    ["a message without its session", { resumeAt: "m1" }, "resume_missing"],
    ["a plugin that is not there", { plugins: ["/nowhere"] }, "plugin_missing"],
    ["a key nobody knows", { resumeFrom: "s" }, "unknown_option"],
  ])("%s", (_what, options, code) => {
    const build = () => buildOptions(plain, options as BuildOptions);
    expect(build).toThrow(OptionError);
    expect(build).toThrow(expect.objectContaining({ code, hint: expect.stringMatching(/\w/) }));
  });

  it("names the nearest key", () => {
    expect(() => buildOptions(plain, { resum: "s" } as never)).toThrow(
      expect.objectContaining({ hint: expect.stringContaining("resume") }),
    );
  });
});

describe("where a session starts", () => {
  it("is the session named, a copy of it, or a message in it", () => {
    expect(buildOptions(plain, { resume: "s" })).toMatchObject({ resume: "s" });
    expect(buildOptions(plain, { resume: "s" })).not.toHaveProperty("forkSession");
    expect(buildOptions(plain, { resume: "s", fork: true, resumeAt: "m" })).toMatchObject({
      resume: "s",
      forkSession: true,
      resumeSessionAt: "m",
    });
  });
});

describe("plugins", () => {
  it("are found in the workspace's plugin folder unless that is turned off", () => {
    const cwd = temporary();
    const path = plugin(join(cwd, "plugin"));
    expect(buildOptions(plain, { cwd }).plugins).toEqual([{ type: "local", path }]);
    expect(buildOptions(plain, { cwd, usePlugin: false })).not.toHaveProperty("plugins");
  });

  it("are not a folder that is merely called plugin", () => {
    const cwd = temporary();
    mkdirSync(join(cwd, "plugin"));
    expect(buildOptions(plain, { cwd })).not.toHaveProperty("plugins");
  });

  it("come beside the one of the workspace when they are named", () => {
    const cwd = temporary();
    plugin(join(cwd, "plugin"));
    const more = plugin(temporary());
    expect(buildOptions(plain, { cwd, plugins: [more] }).plugins).toHaveLength(2);
  });
});
