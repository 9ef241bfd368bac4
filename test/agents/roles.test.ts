import { describe, expect, it } from "vitest";
import type { AskChannel } from "../../src/agents/ask-channel.ts";
import { CompactPolicy } from "../../src/agents/compact-policy.ts";
import { isolated, wantsIsolation } from "../../src/agents/isolation.ts";
import { CLARIFIER_RULES, clarify } from "../../src/agents/roles/clarifier.ts";
import { COORDINATOR_RULES, coordinator } from "../../src/agents/roles/coordinator.ts";
import { JUDGE_RULES, judge } from "../../src/agents/roles/judge.ts";
import { ORACLE_RULES, oracle } from "../../src/agents/roles/oracle.ts";
import { WORKER_RULES, worker } from "../../src/agents/roles/worker.ts";
import { OptionError } from "../../src/core/errors.ts";

/** A channel as its users write one: getters and methods on a prototype. */
class PaperChannel implements AskChannel {
  get toolName(): string {
    return "mcp__human__ask";
  }
  get inboxToolName(): string {
    return "mcp__human__inbox";
  }
  mcpServers(options: { readonly inbox?: boolean } = {}) {
    const names = options.inbox === false ? ["ask"] : ["ask", "inbox"];
    const tools = names.map((name) => ({ name, description: name, parameters: {}, run: async () => "" }));
    return { human: { kind: "in_process" as const, name: "human", tools } };
  }
}
const channel = new PaperChannel();

function toolsOffered(servers: Readonly<Record<string, unknown>>): string[] {
  return (servers.human as { tools: { name: string }[] }).tools.map((tool) => tool.name);
}

function codeOf(build: () => unknown): string {
  try {
    build();
  } catch (error) {
    if (error instanceof OptionError) return error.code;
    throw error;
  }
  return "accepted";
}

describe("coordinator", () => {
  const coder = worker("writes code", "You write code.");
  const local = worker("reads", "You read.", { tools: ["Read"] });

  it("directs, may glance and read, and has nothing to write with", () => {
    const spec = coordinator("lead", "Mind the style.", { coder });
    expect(spec.delegateOnly).toBe(true);
    expect(spec.glance).toBe(true);
    expect(spec.workbench).toBe(true);
    expect(spec.permissionMode).toBe("acceptEdits");
    expect(spec.allowedTools).toEqual(["Agent", "TodoWrite", "Read", "Bash", "WebFetch", "WebSearch"]);
    expect(spec.agents).toEqual({ coder });
    expect(spec.instructions.startsWith(`${COORDINATOR_RULES}\n\n`)).toBe(true);
    expect(spec.instructions.endsWith("Mind the style.")).toBe(true);
  });

  it("asks and collects mail only with a channel", () => {
    expect(coordinator("lead", "", { coder }).mcpServers).toEqual({});
    const spec = coordinator("lead", "", { coder }, { channel });
    expect(spec.allowedTools).toContain("mcp__human__ask");
    expect(spec.allowedTools).toContain("mcp__human__inbox");
    expect(toolsOffered(spec.mcpServers)).toEqual(["ask", "inbox"]);
  });

  it("approves the web for the session only when a worker has it", () => {
    expect(coordinator("lead", "", { local }).allowedTools).not.toContain("WebFetch");
    const fetcher = worker("fetches", "p", { tools: ["Read", "WebFetch"] });
    const tools = coordinator("lead", "", { local, fetcher }).allowedTools;
    expect(tools).toContain("WebFetch");
    expect(tools).not.toContain("WebSearch");
  });

  it("loses its looks when told so, and passes the rest on", () => {
    const compact = new CompactPolicy({ mode: "off" });
    const spec = coordinator(
      "lead",
      "",
      { local },
      {
        canRead: false,
        glance: false,
        model: "m",
        effort: "high",
        maxTurns: 4,
        maxBudgetUsd: 2,
        permissionMode: "default",
        compact,
        env: { A: "1" },
        hooks: { Stop: [{ hooks: [async () => ({})] }] },
      },
    );
    expect(spec.allowedTools).toEqual(["Agent", "TodoWrite"]);
    expect(spec.glance).toBe(false);
    expect([spec.model, spec.effort, spec.maxTurns, spec.maxBudgetUsd]).toEqual(["m", "high", 4, 2]);
    expect([spec.permissionMode, spec.compact, spec.env]).toEqual(["default", compact, { A: "1" }]);
    expect(spec.hooks?.Stop).toHaveLength(1);
  });

  const REFUSED: readonly (readonly [string, () => unknown, string])[] = [
    ["no workers", () => coordinator("lead", "", {}), "no_workers"],
    ["workers that are no object", () => coordinator("lead", "", undefined as never), "no_workers"],
    ["a worker of its own name", () => coordinator("lead", "", { lead: coder }), "worker_name_taken"],
    [
      "a worker of its own name in capitals",
      () => coordinator("lead", "", { LEAD: coder }),
      "worker_name_taken",
    ],
    ["general-purpose", () => coordinator("lead", "", { "general-purpose": coder }), "worker_name_built_in"],
    ["fork", () => coordinator("lead", "", { fork: coder }), "worker_name_built_in"],
    ["Explore in lower case", () => coordinator("lead", "", { explore: coder }), "worker_name_built_in"],
    ["an empty name", () => coordinator("lead", "", { "": coder }), "worker_name"],
    ["a name with a line break", () => coordinator("lead", "", { "a\nb": coder }), "worker_name"],
    [
      "an unknown option",
      () => coordinator("lead", "", { coder }, { chanel: channel } as never),
      "unknown_option",
    ],
    [
      "a channel that is none",
      () => coordinator("lead", "", { coder }, { channel: {} as never }),
      "bad_channel",
    ],
    ["instructions that are no text", () => coordinator("lead", 1 as never, { coder }), "bad_option"],
    ["options that are no object", () => coordinator("lead", "", { coder }, "x" as never), "bad_options"],
  ];
  it.each(REFUSED)("refuses %s", (_name, build, code) => {
    expect(codeOf(build)).toBe(code);
  });
});

describe("worker", () => {
  it("has every working tool and the discipline, and is not isolated", () => {
    const made = worker("writes code", "You write code.");
    expect(made).toEqual({
      description: "writes code",
      prompt: `You write code.\n\n${WORKER_RULES}`,
      tools: ["Read", "Write", "Edit", "Bash", "Glob", "Grep", "WebFetch", "WebSearch"],
      model: "inherit",
      isolate: false,
    });
    expect(Object.isFrozen(made)).toBe(true);
    expect(worker("d", "bare", { discipline: false }).prompt).toBe("bare");
  });

  it("carries what it is given and nothing else", () => {
    const made = worker("d", "p", {
      tools: ["Read", "mcp__db__query", "mcp__db__*"],
      model: "m",
      effort: 3,
      maxTurns: 5,
      permissionMode: "acceptEdits",
      skills: ["pdf"],
      isolate: true,
    });
    expect(made).toMatchObject({ model: "m", effort: 3, maxTurns: 5, skills: ["pdf"], isolate: true });
    expect(Object.keys(worker("d", "p", { effort: undefined }))).not.toContain("effort");
  });

  it.each([
    ["Agent", "worker_delegates"],
    ["Task", "worker_delegates"],
    ["Agent(coder)", "worker_delegates"],
    ["Bash(git *)", "bad_tool"],
    ["Read ", "bad_tool"],
  ])("refuses the tool %j", (tool, code) => {
    expect(codeOf(() => worker("d", "p", { tools: ["Read", tool] }))).toBe(code);
  });

  it("refuses a description nobody could choose it by, and values of the wrong type", () => {
    expect(codeOf(() => worker("", "p"))).toBe("bad_option");
    expect(codeOf(() => worker("d", "p", { effort: "most" as never }))).toBe("bad_option");
    expect(codeOf(() => worker("d", "p", { isolate: "yes" as never }))).toBe("bad_option");
    expect(codeOf(() => worker("d", "p", { isolated: true } as never))).toBe("unknown_option");
  });
});

describe("isolation", () => {
  const plain = worker("d", "p");

  it("is a mark that survives copying and can be taken off", () => {
    const marked = isolated(plain);
    expect(wantsIsolation({ ...marked, model: "other" })).toBe(true);
    expect(wantsIsolation(isolated(marked, false))).toBe(false);
    expect(wantsIsolation(plain)).toBe(false);
    expect(wantsIsolation(undefined)).toBe(false);
  });
});

describe("clarify, judge and oracle", () => {
  it("clarify can ask and look, cannot write, and has no inbox at all", () => {
    const spec = clarify("clarify", channel, { instructions: "Be kind." });
    expect(spec.allowedTools).toEqual(["mcp__human__ask", "Read", "Glob", "Grep", "WebFetch", "WebSearch"]);
    expect(toolsOffered(spec.mcpServers)).toEqual(["ask"]);
    expect([spec.workbench, spec.maxTurns, spec.permissionMode]).toEqual([false, undefined, "default"]);
    expect(spec.instructions).toBe(`${CLARIFIER_RULES}\n\nBe kind.`);
    expect(clarify("clarify", channel, { canRead: false }).allowedTools).toEqual(["mcp__human__ask"]);
  });

  it("judge reads only, unless it may run", () => {
    const spec = judge("judge", channel);
    expect(spec.allowedTools).toEqual(["mcp__human__ask", "Read", "Glob", "Grep"]);
    expect(toolsOffered(spec.mcpServers)).toEqual(["ask"]);
    expect([spec.workbench, spec.instructions]).toEqual([false, JUDGE_RULES]);
    expect(judge("judge", channel, { canRun: true }).allowedTools).toContain("Bash");
  });

  it("oracle reads only, sees the workbench, and is cheap", () => {
    const spec = oracle();
    expect([spec.name, spec.maxTurns, spec.maxBudgetUsd, spec.workbench]).toEqual(["oracle", 12, 0.5, true]);
    expect(spec.allowedTools).toEqual(["Read", "Glob", "Grep"]);
    expect(spec.instructions).toBe(ORACLE_RULES);
    expect(oracle("aside", { maxTurns: 2, instructions: "x" }).maxTurns).toBe(2);
  });

  it.each([
    ["clarify without a channel", () => clarify("c", undefined as never), "bad_channel"],
    ["judge without a channel", () => judge("j", {} as never), "bad_channel"],
    [
      "clarify with instructions that are no text",
      () => clarify("c", channel, { instructions: 1 as never }),
      "bad_option",
    ],
    ["judge with an unknown option", () => judge("j", channel, { canrun: true } as never), "unknown_option"],
    ["oracle with a budget of nothing", () => oracle("o", { maxBudgetUsd: 0 }), "bad_option"],
  ] as const)("refuses %s", (_name, build, code) => {
    expect(codeOf(build)).toBe(code);
  });
});
