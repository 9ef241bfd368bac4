import { describe, expect, it } from "vitest";
import { compileHooks } from "../../src/harness/hook-plan.ts";
import {
  AgentSpec,
  callGuard,
  type Decision,
  type HookInput,
  type Hooks,
  OptionError,
  type ToolCall,
} from "../../src/index.ts";

const INPUT: HookInput = {
  hook_event_name: "PreToolUse",
  tool_name: "Bash",
  tool_input: { command: "ls" },
  tool_use_id: "t1",
  cwd: "/w",
};
const context = { signal: new AbortController().signal };

/** What the harness is told when a Runtime has the guard beside its own. */
async function answerOf(
  decide: (call: ToolCall) => Decision,
  input: Partial<HookInput> = {},
  tools?: string[],
) {
  const guard = callGuard(decide, tools === undefined ? {} : { tools });
  const spec = new AgentSpec({ name: "a", instructions: "", hooks: { PreToolUse: [guard] } });
  const plan = { userHooks: spec.hooks, pre: [], post: [], watch: undefined, onFault: () => {} };
  const hooks = compileHooks(plan) as Hooks;
  const hook = hooks.PreToolUse?.[0]?.hooks[0];
  return (await hook?.({ ...INPUT, ...input }, "t1", context))?.hookSpecificOutput as
    | Record<string, unknown>
    | undefined;
}

describe("a guard of one's own", () => {
  it("is shown the call as it stands, main thread and workers alike", async () => {
    const seen: ToolCall[] = [];
    const decide = (call: ToolCall): Decision => {
      seen.push(call);
      return { kind: "pass" };
    };
    expect(await answerOf(decide)).toBeUndefined();
    await answerOf(decide, { agent_id: "a1", agent_type: "coder" });
    const call = { tool: "Bash", input: { command: "ls" }, cwd: "/w", toolUseId: "t1" };
    expect(seen).toEqual([
      { ...call, agentId: undefined, agentType: undefined },
      { ...call, agentId: "a1", agentType: "coder" },
    ]);
  });

  it.each<[Decision, Record<string, unknown> | undefined]>([
    [{ kind: "pass" }, undefined],
    [{ kind: "allow" }, { permissionDecision: "allow" }],
    [
      { kind: "deny", reason: "Not here." },
      { permissionDecision: "deny", permissionDecisionReason: "Not here." },
    ],
    [
      { kind: "rewrite", input: { command: "pwd" } },
      { permissionDecision: "allow", updatedInput: { command: "pwd" } },
    ],
  ])("turns %j into what the harness understands", async (decision, expected) => {
    const answer = await answerOf(() => decision);
    if (expected === undefined) expect(answer).toBeUndefined();
    else expect(answer).toMatchObject(expected);
  });

  it.each<[string, () => unknown]>([
    ["throws", () => JSON.parse("{")],
    ["answers with nothing", () => undefined],
    ["answers with a promise", async () => ({ kind: "pass" })],
    ["answers with a kind there is not", () => ({ kind: "maybe" })],
    ["refuses without a reason", () => ({ kind: "deny" })],
  ])("that %s lets nothing through", async (_what, decide) => {
    const answer = await answerOf(decide as () => Decision);
    expect(answer).toMatchObject({
      permissionDecision: "deny",
      permissionDecisionReason: expect.stringContaining('the guard "own guard"'),
    });
  });

  it("looks at the tools it names only", async () => {
    const deny = (): Decision => ({ kind: "deny", reason: "no" });
    expect(await answerOf(deny, { tool_name: "Write" }, ["Bash"])).toBeUndefined();
    expect(await answerOf(deny, { tool_name: "Bash" }, ["Bash"])).toMatchObject({
      permissionDecision: "deny",
    });
    expect(await answerOf(deny, { tool_name: "Write" })).toMatchObject({ permissionDecision: "deny" });
  });

  it.each<[string, unknown, object]>([
    ["no function", "deny", {}],
    ["an empty list of tools", () => ({ kind: "pass" }), { tools: [] }],
    ["a tool that is no name", () => ({ kind: "pass" }), { tools: [""] }],
    ["a text for a list", () => ({ kind: "pass" }), { tools: "Bash" }],
    ["an option nobody knows", () => ({ kind: "pass" }), { tool: ["Bash"] }],
  ])("cannot be made of %s", (_what, decide, options) => {
    expect(() => callGuard(decide as () => Decision, options as never)).toThrow(OptionError);
  });
});
