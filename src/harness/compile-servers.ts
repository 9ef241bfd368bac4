// In-process tools described by other rooms become MCP servers of the harness; a fresh one for each query.

import {
  createSdkMcpServer,
  type McpServerConfig,
  type SdkMcpToolDefinition,
  tool,
} from "@anthropic-ai/claude-agent-sdk";
import { z } from "zod";
import { MAX_TIMER_MS } from "../core/clock.ts";
import { errorText } from "../core/errors.ts";
import {
  type InProcessServer,
  type InProcessTool,
  isInProcessServer,
  type ToolParameter,
} from "../core/tool-server.ts";

/** Room above a question's own time-out, so that the tool answers before the harness gives up on it. */
const MARGIN_S = 60;

/** The model is told the exact shape; what it sends instead reaches the tool, which can still make sense of it. */
function schemaOf(parameter: ToolParameter): z.ZodType {
  const shape =
    parameter.kind === "string"
      ? { type: "string" as const }
      : { type: "array" as const, items: { type: "string" as const } };
  const described = z.unknown().meta(shape).describe(parameter.description);
  return parameter.optional ? described.optional() : described;
}

function compileTool(description: InProcessTool): SdkMcpToolDefinition {
  const shape = Object.fromEntries(
    Object.entries(description.parameters).map(([name, parameter]) => [name, schemaOf(parameter)]),
  );
  const run = async (input: unknown, extra: unknown) => {
    const signal = (extra as { signal?: AbortSignal } | undefined)?.signal ?? new AbortController().signal;
    try {
      const text = await description.run(input as Record<string, unknown>, { signal });
      return { content: [{ type: "text" as const, text }] };
    } catch (error) {
      return { content: [{ type: "text" as const, text: errorText(error) }], isError: true };
    }
  };
  return tool(description.name, description.description, shape as never, run as never) as never;
}

/** Longest time one call of the server may take, in milliseconds, as far as a timer can hold. */
function callLimitMs(server: InProcessServer): number {
  if (server.timeoutS === undefined || !Number.isFinite(server.timeoutS)) return MAX_TIMER_MS;
  return Math.min((Math.max(0, server.timeoutS) + MARGIN_S) * 1000, MAX_TIMER_MS);
}

/** The longest call limit among flower's own servers, in milliseconds; undefined when there are none. */
export function longestCallMs(servers: Readonly<Record<string, unknown>>): number | undefined {
  const limits = Object.values(servers).filter(isInProcessServer).map(callLimitMs);
  return limits.length === 0 ? undefined : Math.max(...limits);
}

/** Compile flower's own server descriptions; configurations meant for the harness pass through. */
export function compileServers(servers: Readonly<Record<string, unknown>>): Record<string, McpServerConfig> {
  const compiled: Record<string, McpServerConfig> = {};
  for (const [name, server] of Object.entries(servers)) {
    compiled[name] = isInProcessServer(server)
      ? createSdkMcpServer({
          name: server.name,
          alwaysLoad: true,
          timeout: callLimitMs(server),
          tools: server.tools.map(compileTool),
        })
      : (server as McpServerConfig);
  }
  return compiled;
}
