// A hook's input as the call a guard decides on.

import type { HookInput } from "../agents/hooks.ts";
import type { ToolCall } from "../guards/decision.ts";
import { asText } from "./message.ts";

/** Read a hook's input. */
export function toCall(input: HookInput): ToolCall {
  return {
    tool: asText(input.tool_name),
    input: input.tool_input,
    agentId: input.agent_id,
    agentType: input.agent_type,
    cwd: asText(input.cwd),
    toolUseId: input.tool_use_id,
  };
}
