import { describe, expect, it } from "vitest";
import type { HookInput, HookOutput, Hooks } from "../../src/agents/hooks.ts";
import type { PostGuard, PreGuard } from "../../src/guards/decision.ts";
import { type CallWatch, compileHooks } from "../../src/harness/hook-plan.ts";

interface Setup {
  readonly user?: Hooks;
  readonly pre?: PreGuard[];
  readonly post?: PostGuard[];
  readonly watch?: CallWatch;
}

const faults: string[] = [];

function compile({ user, pre = [], post = [], watch }: Setup) {
  faults.length = 0;
  return compileHooks({ userHooks: user, pre, post, watch, onFault: (where) => faults.push(where) });
}

async function call(
  event: "PreToolUse" | "PostToolUse",
  setup: Setup,
  more: Partial<HookInput> = {},
): Promise<Record<string, unknown> & { hookSpecificOutput?: Record<string, unknown> }> {
  const hooks = compile(setup) as Hooks;
  const input = {
    hook_event_name: event,
    tool_name: "Bash",
    tool_input: { command: "ls" },
    cwd: "/w",
    ...more,
  };
  const answers: HookOutput[] = [];
  for (const matcher of hooks[event] ?? []) {
    for (const hook of matcher.hooks)
      answers.push(await hook(input, "t1", { signal: new AbortController().signal }));
  }
  expect(answers).toHaveLength(1);
  return answers[0] as never;
}

function asBefore(hook: (input: HookInput) => HookOutput, matcher?: string): Hooks {
  return {
    PreToolUse: [{ ...(matcher === undefined ? {} : { matcher }), hooks: [async (input) => hook(input)] }],
  };
}

function guard(decide: PreGuard["decide"]): PreGuard {
  return { name: "g", tools: undefined, decide };
}

function specific(own: Record<string, unknown>): HookOutput {
  return { hookSpecificOutput: { hookEventName: "PreToolUse", ...own } };
}

const prefix = guard((c) => ({
  kind: "rewrite",
  input: { command: `guarded ${(c.input as { command: string }).command}` },
}));

describe("one callback before a call", () => {
  it("says nothing where nobody has anything to say", async () => {
    expect(await call("PreToolUse", {})).toEqual({});
  });

  it("loses neither the user's rewrite nor the guard's", async () => {
    const user = asBefore(() => specific({ updatedInput: { command: "user" } }));
    const { hookSpecificOutput } = await call("PreToolUse", { user, pre: [prefix] });
    expect(hookSpecificOutput).toMatchObject({
      permissionDecision: "allow",
      updatedInput: { command: "guarded user" },
    });
  });

  it("denies the call when a hook does not answer within its own limit, and takes one that does", async () => {
    const never = async () => new Promise<HookOutput>(() => {});
    const late: Hooks = { PreToolUse: [{ hooks: [never], timeout: 0.02 }] };
    expect((await call("PreToolUse", { user: late })).hookSpecificOutput).toMatchObject({
      permissionDecision: "deny",
      permissionDecisionReason: expect.stringContaining("0.02 s"),
    });
    const soon: Hooks = { PreToolUse: [{ hooks: [async () => ({})], timeout: 5 }] };
    expect(await call("PreToolUse", { user: soon })).toEqual({});
  });

  it("lets each hook of the user see what the one before made of the call", async () => {
    const add = (input: HookInput) =>
      specific({ updatedInput: { command: `${(input.tool_input as { command: string }).command}+` } });
    const user: Hooks = { PreToolUse: [...asBefore(add).PreToolUse!, ...asBefore(add).PreToolUse!] };
    const { hookSpecificOutput } = await call("PreToolUse", { user });
    expect(hookSpecificOutput).toEqual({ hookEventName: "PreToolUse", updatedInput: { command: "ls++" } });
  });

  it.each<[string, HookOutput]>([
    ["denies", specific({ permissionDecision: "deny", permissionDecisionReason: "not today" })],
    ["blocks in the older words", { decision: "block", reason: "not today" }],
    [
      "wants a person to click",
      specific({ permissionDecision: "ask", permissionDecisionReason: "not today" }),
    ],
  ])("denies when the user's hook %s, whatever a guard allows", async (_what, output) => {
    const { hookSpecificOutput } = await call("PreToolUse", {
      user: asBefore(() => output),
      pre: [guard(() => ({ kind: "allow" }))],
    });
    expect(hookSpecificOutput).toMatchObject({
      permissionDecision: "deny",
      permissionDecisionReason: "not today",
    });
  });

  it("stays a denial when the user's hook runs on in the background", async () => {
    const answer = await call("PreToolUse", {
      user: asBefore(() => ({ async: true, asyncTimeout: 5, systemMessage: "logged" })),
      pre: [guard(() => ({ kind: "deny", reason: "no" }))],
    });
    expect(answer).toEqual({
      systemMessage: "logged",
      hookSpecificOutput: {
        hookEventName: "PreToolUse",
        permissionDecision: "deny",
        permissionDecisionReason: "no",
      },
    });
  });

  it("has the harness block a call whose answer it cannot read", () => {
    expect(compile({}).PreToolUse).toMatchObject([{ onFailure: "block" }]);
  });

  it("denies when a guard does, whatever the user's hook allows, and hands no rewritten input on", async () => {
    const user = asBefore(() => specific({ permissionDecision: "allow", updatedInput: { command: "x" } }));
    const { hookSpecificOutput } = await call("PreToolUse", {
      user,
      pre: [guard(() => ({ kind: "deny", reason: "no" }))],
    });
    expect(hookSpecificOutput).toEqual({
      hookEventName: "PreToolUse",
      permissionDecision: "deny",
      permissionDecisionReason: "no",
    });
  });

  it.each<[string, Setup]>([
    [
      "a hook of the user throws",
      {
        user: asBefore(() => {
          throw new Error("boom");
        }),
      },
    ],
    ["a hook of the user answers with no object", { user: asBefore(() => "yes" as never) }],
    [
      "a guard throws",
      {
        pre: [
          guard(() => {
            throw new Error("boom");
          }),
        ],
      },
    ],
    [
      "the watch throws",
      {
        watch: {
          before: async () => {
            throw new Error("boom");
          },
          after: async () => undefined,
        },
      },
    ],
  ])("denies when %s", async (_what, setup) => {
    const { hookSpecificOutput } = await call("PreToolUse", setup);
    expect(hookSpecificOutput?.permissionDecision).toBe("deny");
    expect(hookSpecificOutput?.permissionDecisionReason).toMatch(/guard|error/i);
  });

  it.each([
    ["Agent", "Task", true],
    ["Task", "Agent", true],
    ["Bash|Task", "Agent", true],
    ["(Ag|Bg)ent", "Agent", true],
    ["Write|Edit", "Bash", false],
    ["Bas", "Bash", false],
    ["Ba.*", "Bash", true],
    ["*", "Bash", true],
    ["", "Bash", true],
  ])("asks a hook for %j about %s: %s", async (matcher, tool, asked) => {
    let seen = false;
    const user = asBefore(() => {
      seen = true;
      return {};
    }, matcher);
    await call("PreToolUse", { user }, { tool_name: tool });
    expect(seen).toBe(asked);
  });

  it("keeps words for the model and the other fields of every hook", async () => {
    const user: Hooks = {
      PreToolUse: [
        ...asBefore(() => ({ ...specific({ additionalContext: "one" }), systemMessage: "seen" })).PreToolUse!,
        ...asBefore(() => specific({ additionalContext: "two" })).PreToolUse!,
      ],
    };
    expect(await call("PreToolUse", { user })).toEqual({
      systemMessage: "seen",
      hookSpecificOutput: { hookEventName: "PreToolUse", additionalContext: "one\ntwo" },
    });
  });

  it("lets the watch see only calls that will run, as they will run", async () => {
    const seen: unknown[] = [];
    const watch: CallWatch = {
      before: async (c) => void seen.push(c.input),
      after: async () => undefined,
    };
    await call("PreToolUse", { watch, pre: [guard(() => ({ kind: "deny", reason: "no" }))] });
    await call("PreToolUse", { watch, pre: [prefix] });
    expect(seen).toEqual([{ command: "guarded ls" }]);
  });
});

function asAfter(hook: (input: HookInput) => HookOutput): Hooks {
  return { PostToolUse: [{ hooks: [async (input) => hook(input)] }] };
}

describe("one callback after a call", () => {
  const shorten: PostGuard = {
    name: "short",
    tools: undefined,
    review: (outcome) => ({ kind: "replace", response: `short ${String(outcome.response)}` }),
  };

  it("gives the guards what the user's hook made of the answer", async () => {
    const user = asAfter(() => ({ hookSpecificOutput: { updatedToolOutput: "mine" } }));
    const { hookSpecificOutput } = await call(
      "PostToolUse",
      { user, post: [shorten] },
      { tool_response: "long" },
    );
    expect(hookSpecificOutput?.updatedToolOutput).toBe("short mine");
  });

  it("guards the answer also when the user's hook throws", async () => {
    const user = asAfter(() => {
      throw new Error("boom");
    });
    const { hookSpecificOutput } = await call(
      "PostToolUse",
      { user, post: [shorten] },
      { tool_response: "long" },
    );
    expect(hookSpecificOutput?.updatedToolOutput).toBe("short long");
    expect(faults).toEqual(["PostToolUse"]);
  });

  it("adds the watch's words to the user's", async () => {
    const user = asAfter(() => ({ hookSpecificOutput: { additionalContext: "one" } }));
    const watch: CallWatch = { before: async () => {}, after: async () => "two" };
    const { hookSpecificOutput } = await call("PostToolUse", { user, watch }, { tool_response: "x" });
    expect(hookSpecificOutput).toEqual({ hookEventName: "PostToolUse", additionalContext: "one\ntwo" });
  });

  it("leaves the answer alone when nobody has anything to say", async () => {
    expect(await call("PostToolUse", {}, { tool_response: "x" })).toEqual({});
  });
});

describe("other events", () => {
  it("reach the harness as the user gave them", () => {
    const stop = [{ hooks: [async () => ({})] }];
    expect((compile({ user: { Stop: stop, PreCompact: [] } }) as Hooks).Stop).toBe(stop);
    expect(compile({ user: { PreCompact: [] } })).not.toHaveProperty("PreCompact");
  });
});

describe("worktrees of isolated workers", () => {
  type Made = { hooks: ((input: HookInput) => Promise<HookOutput>)[]; timeout?: number }[] | undefined;
  const input = { hook_event_name: "WorktreeCreate", name: "agent-1" };
  const compileWith = (more: object) => {
    const told: string[] = [];
    const plan = { userHooks: undefined, pre: [], post: [], watch: undefined, ...more };
    const hooks = compileHooks({ ...plan, onFault: (where, error) => told.push(`${where}: ${error}`) });
    return { made: hooks.WorktreeCreate as unknown as Made, told };
  };

  it("are made by flower, with time for a large checkout", async () => {
    const { made } = compileWith({ makeWorktree: async (name: string) => `/repo/${name}` });
    expect(made).toHaveLength(1);
    expect(made?.[0]?.timeout).toBeGreaterThanOrEqual(600);
    expect(await made?.[0]?.hooks[0]?.(input)).toEqual({
      hookSpecificOutput: { hookEventName: "WorktreeCreate", worktreePath: "/repo/agent-1" },
    });
  });

  it("that cannot be made give no path, so that no worker starts in the shared checkout", async () => {
    const { made, told } = compileWith({ makeWorktree: () => Promise.reject(new TypeError("full")) });
    expect(await made?.[0]?.hooks[0]?.(input)).toEqual({});
    expect(told).toEqual(["WorktreeCreate: TypeError: full"]);
  });

  it("are left to a user's own hook, and to the harness where no role is isolated", () => {
    const own: Hooks = { WorktreeCreate: [{ hooks: [async () => ({})] }] };
    const makeWorktree = async () => "/x";
    expect(compileWith({ userHooks: own, makeWorktree }).made).toBe(own.WorktreeCreate);
    expect(compileWith({}).made).toBeUndefined();
  });
});
