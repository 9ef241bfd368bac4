// Calls and outcomes as the harness reports them, with the parts a test does not care about filled in.

import { mkdtempSync, realpathSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isolated } from "../../src/agents/isolation.ts";
import { worker } from "../../src/agents/roles/worker.ts";
import type { Decision, PostGuard, ToolCall, ToolOutcome } from "../../src/guards/decision.ts";

export function call(tool: string, input: unknown, more: Partial<ToolCall> = {}): ToolCall {
  return { tool, input, agentId: undefined, agentType: undefined, cwd: "/w", toolUseId: "toolu_1", ...more };
}

/** The same call as a worker makes it. */
export function byWorker(tool: string, input: unknown, more: Partial<ToolCall> = {}): ToolCall {
  return call(tool, input, { agentId: "a1", agentType: "coder", ...more });
}

export function outcome(
  tool: string,
  input: unknown,
  response: unknown,
  more: Partial<ToolCall> = {},
): ToolOutcome {
  return { ...call(tool, input, more), response };
}

/** What the model gets to see: the replacement, or the answer as it was. */
export function seen(guard: PostGuard, done: ToolOutcome): unknown {
  const decision = guard.review(done);
  return decision.kind === "replace" ? decision.response : done.response;
}

export function reasonOf(decision: Decision): string {
  if (decision.kind !== "deny") throw new Error(`expected a denial, got ${JSON.stringify(decision)}`);
  return decision.reason;
}

export function inputAfter(decision: Decision): Readonly<Record<string, unknown>> {
  if (decision.kind !== "rewrite") throw new Error(`expected a rewrite, got ${JSON.stringify(decision)}`);
  return decision.input;
}

export function temporaryFolder(name = "guards"): string {
  return realpathSync(mkdtempSync(join(tmpdir(), `flower-${name}-`)));
}

export const coder = worker("writes code", "You write code.");
export const reader = worker("reads", "You read.", {
  tools: ["Read", "WebFetch", "mcp__db", "mcp__log__tail"],
});
export const loner = isolated(coder);
