import { describe, expect, it } from "vitest";
import { AgentSpec, type AgentSpecOptions } from "../../src/agents/agent-spec.ts";
import { CompactPolicy } from "../../src/agents/compact-policy.ts";
import { worker } from "../../src/agents/roles/worker.ts";
import { FlowerError, OptionError } from "../../src/core/errors.ts";

const LEAST: AgentSpecOptions = { name: "solo", instructions: "Do it." };

function refusal(build: () => unknown): OptionError {
  try {
    build();
  } catch (error) {
    expect(error).toBeInstanceOf(OptionError);
    return error as OptionError;
  }
  throw new Error("nothing was refused");
}

const make = (extra: Record<string, unknown>) => () =>
  new AgentSpec({ ...LEAST, ...extra } as AgentSpecOptions);

describe("AgentSpec", () => {
  it("fills in every default when only name and instructions are given", () => {
    expect({ ...new AgentSpec(LEAST) }).toEqual({
      name: "solo",
      instructions: "Do it.",
      allowedTools: ["Read", "Glob", "Grep"],
      disallowedTools: [],
      model: undefined,
      effort: undefined,
      maxTurns: undefined,
      maxBudgetUsd: undefined,
      permissionMode: "default",
      agents: undefined,
      mcpServers: {},
      hooks: undefined,
      env: {},
      compact: undefined,
      glance: false,
      workbench: true,
      delegateOnly: false,
    });
  });

  it("cannot be changed, nor through what it was built from", () => {
    const allowedTools = ["Read"];
    const env = { A: "1" };
    const spec = new AgentSpec({ ...LEAST, allowedTools, env });
    allowedTools.push("Write");
    env.A = "2";
    expect(spec.allowedTools).toEqual(["Read"]);
    expect(spec.env).toEqual({ A: "1" });
    expect(() => Object.assign(spec, { name: "other" })).toThrow(TypeError);
    expect(() => (spec.allowedTools as string[]).push("Bash")).toThrow(TypeError);
    expect(() => Object.assign(spec.env, { B: "1" })).toThrow(TypeError);
    expect(() => Object.assign(spec.mcpServers, { m: {} })).toThrow(TypeError);
  });

  it("makes a changed copy and leaves the original alone", () => {
    const spec = new AgentSpec({ ...LEAST, model: "m", maxTurns: 3 });
    const copy = spec.with({ name: "other", maxTurns: undefined });
    expect(copy).toBeInstanceOf(AgentSpec);
    expect([copy.name, copy.model, copy.maxTurns]).toEqual(["other", "m", undefined]);
    expect([spec.name, spec.maxTurns]).toEqual(["solo", 3]);
    expect(refusal(() => spec.with({ naem: "x" } as Partial<AgentSpecOptions>)).hint).toContain('"name"');
  });

  it("names the nearest option when it does not know one", () => {
    const error = refusal(make({ alowedTools: [] }));
    expect(error.code).toBe("unknown_option");
    expect(error.hint).toContain('"allowedTools"');
  });

  const WRONG: readonly (readonly [string, unknown, string])[] = [
    ["name", "", "non-empty string"],
    ["name", undefined, "non-empty string"],
    ["instructions", 7, "a string"],
    ["instructions", null, "a string"],
    ["allowedTools", "Read", "list of non-empty strings"],
    ["allowedTools", ["Read", ""], "list of non-empty strings"],
    ["disallowedTools", [1], "list of non-empty strings"],
    ["model", "", "non-empty string"],
    ["effort", "hihg", 'did you mean "high"'],
    ["maxTurns", 0, "whole number"],
    ["maxTurns", 1.5, "whole number"],
    ["maxBudgetUsd", -1, "above zero"],
    ["maxBudgetUsd", Number.NaN, "above zero"],
    ["permissionMode", "yolo", "one of default, acceptEdits"],
    ["agents", [], "an object"],
    ["mcpServers", { a: "x" }, "server configurations"],
    ["hooks", "PreToolUse", "an object"],
    ["env", { A: 1 }, "object of strings"],
    ["compact", { mode: "off" }, "CompactPolicy"],
    ["glance", "yes", "true or false"],
    ["workbench", 1, "true or false"],
    ["delegateOnly", null, "true or false"],
  ];
  it.each(WRONG)("refuses %s = %j and says what it expects", (key, value, expected) => {
    const error = refusal(make({ [key]: value }));
    expect(error.code).toBe("bad_option");
    expect(error.message).toContain(`"${key}"`);
    expect(error.message).toContain(expected);
    expect(error.hint).not.toBe("");
  });

  it("refuses to be called without an object", () => {
    expect(refusal(() => new AgentSpec("x" as never)).code).toBe("bad_options");
  });

  it("takes a CompactPolicy and hooks as they are", async () => {
    const compact = new CompactPolicy({ mode: "off" });
    const hook = async () => ({});
    const spec = new AgentSpec({
      ...LEAST,
      compact,
      hooks: { PreToolUse: [{ matcher: "Write", hooks: [hook] }] },
    });
    expect(spec.compact).toBe(compact);
    expect(spec.hooks?.PreToolUse?.[0]?.hooks[0]).toBe(hook);
    expect(Object.isFrozen(spec.hooks)).toBe(true);
  });

  const HOOKS: readonly (readonly [string, unknown, string])[] = [
    ["a misspelt event", { PreToolUsed: [] }, "PreToolUse"],
    ["an event that is no list", { PreToolUse: {} }, "PreToolUse: ["],
    ["a matcher without functions", { PreToolUse: [{ matcher: "Write" }] }, "hooks:"],
    ["a hook that is no function", { PreToolUse: [{ hooks: ["x"] }] }, "hooks:"],
    ["a matcher that is no pattern", { PreToolUse: [{ matcher: "(", hooks: [] }] }, "regular expression"],
  ];
  it.each(HOOKS)("refuses hooks with %s", (_name, hooks, hint) => {
    const error = refusal(make({ hooks }));
    expect(error.code).toBe("bad_hooks");
    expect(error.hint).toContain(hint);
  });

  it("checks workers too, and lets a plain agent share a worker's name", () => {
    const agents = { solo: worker("d", "p") };
    expect(new AgentSpec({ ...LEAST, agents }).agents).toEqual(agents);
    expect(refusal(make({ agents, delegateOnly: true })).code).toBe("worker_name_taken");
    expect(refusal(make({ agents: { coder: {} } })).code).toBe("bad_worker");
    const handmade = { ...worker("d", "p"), tools: ["Read", "Task"] };
    expect(refusal(make({ agents: { coder: handmade } })).code).toBe("worker_delegates");
  });
});

describe("CompactPolicy", () => {
  it.each([
    [{}, {}],
    [{ mode: "auto" }, {}],
    [{ mode: "no_summary" }, { DISABLE_AUTO_COMPACT: "1" }],
    [{ mode: "off" }, { DISABLE_COMPACT: "1" }],
    [{ window: 120_000 }, { CLAUDE_CODE_AUTO_COMPACT_WINDOW: "120000" }],
    [
      { mode: "no_summary", window: 5 },
      { DISABLE_AUTO_COMPACT: "1", CLAUDE_CODE_AUTO_COMPACT_WINDOW: "5" },
    ],
  ] as const)("turns %j into %j", (options, env) => {
    expect(new CompactPolicy(options).env()).toEqual(env);
  });

  it.each([{ mode: "none" }, { window: 0 }, { window: 1.5 }, { window: "9" }, { windw: 5 }])(
    "refuses %j",
    (options) => {
      expect(() => new CompactPolicy(options as never)).toThrow(FlowerError);
    },
  );
});
