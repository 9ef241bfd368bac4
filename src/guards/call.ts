// Small questions every guard asks about a call, answered the same way everywhere.

import { DISPATCH_TOOLS } from "../agents/tool-groups.ts";
import { isRecord } from "../core/json.ts";
import type { Decision, ToolCall } from "./decision.ts";

/** Leaves the call to the next guard, then to the harness. */
export const PASS: Decision = Object.freeze({ kind: "pass" });

/** Refuses the call; the model reads `reason`. */
export function deny(reason: string): Decision {
  return { kind: "deny", reason };
}

/** Whether the call comes from the main thread. An empty id counts as none, so that it meets the stricter side. */
export function isMainThread(call: ToolCall): boolean {
  return !call.agentId;
}

/** Whether `tool` starts a worker, under either of its names. */
export function isDispatch(tool: string): boolean {
  return DISPATCH_TOOLS.includes(tool);
}

/** Whether a guard for `tools` looks at `tool`; undefined means all, `Agent` and `Task` are the same. */
export function concerns(tools: readonly string[] | undefined, tool: string): boolean {
  if (tools === undefined || tools.includes(tool)) return true;
  return isDispatch(tool) && tools.some(isDispatch);
}

/** The call's input as an object, or undefined when the model wrote something else. */
export function inputOf(call: ToolCall): Readonly<Record<string, unknown>> | undefined {
  return isRecord(call.input) ? call.input : undefined;
}

/** The refusal of a call whose input has not the shape its tool takes. */
export function malformed(tool: string, expected: string): Decision {
  return deny(`The input of ${tool} is malformed: it needs ${expected}. Nothing was run.`);
}

/** The own entry `name` of a record: `constructor` is not an agent. */
export function ownEntry<T>(record: Readonly<Record<string, T>>, name: unknown): T | undefined {
  return typeof name === "string" && Object.hasOwn(record, name) ? record[name] : undefined;
}
