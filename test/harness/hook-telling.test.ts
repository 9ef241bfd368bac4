import { describe, expect, it } from "vitest";
import type { HookInput, Hooks } from "../../src/agents/hooks.ts";
import { compileHooks, type HookPlan } from "../../src/harness/hook-plan.ts";

async function fire(event: string, plan: Partial<HookPlan>, more: Partial<HookInput> = {}) {
  const faults: string[] = [];
  const hooks = compileHooks({
    userHooks: undefined,
    pre: [{ name: "no", tools: undefined, decide: () => ({ kind: "deny", reason: "refused" }) }],
    post: [],
    watch: undefined,
    onFault: (where) => faults.push(where),
    ...plan,
  }) as Hooks;
  const input = { hook_event_name: event, tool_name: "Agent", tool_input: {}, cwd: "/w", ...more };
  const hook = hooks[event]?.[0]?.hooks[0];
  const answer = await hook?.(input, "t1", { signal: new AbortController().signal });
  return { answer, faults };
}

describe("telling what became of a call", () => {
  it("cannot undo a refusal: a callback that throws would let the call run", async () => {
    const { answer, faults } = await fire("PreToolUse", {
      onDenied: () => {
        throw new TypeError("nobody listens");
      },
    });
    expect(answer?.hookSpecificOutput).toMatchObject({
      permissionDecision: "deny",
      permissionDecisionReason: "refused",
    });
    expect(faults).toEqual(["PreToolUse"]);
  });

  it("gives a watch's words to the model beside a failed call, and none for one a person stopped", async () => {
    const watch = { before: async () => {}, after: async () => undefined, failed: async () => "it failed" };
    const failed = await fire("PostToolUseFailure", { watch }, { error: "x" });
    expect(failed.answer?.hookSpecificOutput).toEqual({
      hookEventName: "PostToolUseFailure",
      additionalContext: "it failed",
    });
    const stopped = await fire("PostToolUseFailure", { watch }, { error: "x", is_interrupt: true });
    expect(stopped.answer).toEqual({});
  });
});
