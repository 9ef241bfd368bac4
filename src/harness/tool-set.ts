// Which tools a session has: exactly those of its role and its workers. This keeps the first request small and makes
// "cannot write" a property of the session instead of a rule in a prompt.

import type { AgentSpec } from "../agents/agent-spec.ts";

/** Read-only web tools that a coordinator pre-approves for its workers without having them itself. */
const WEB_TOOLS = ["WebFetch", "WebSearch"];

/** `Bash(git *)` -> `Bash`: an approval pattern names a tool with conditions. */
function toolName(pattern: string): string {
  const at = pattern.indexOf("(");
  return at < 0 ? pattern : pattern.slice(0, at);
}

function isBuiltIn(name: string): boolean {
  return !name.startsWith("mcp__");
}

function workerTools(spec: AgentSpec): readonly string[] {
  return Object.values(spec.agents ?? {}).flatMap((worker) => worker.tools.map(toolName));
}

/** Built-in tools of the whole session: the role's and its workers' together. */
export function sessionTools(spec: AgentSpec): string[] {
  const names = [...spec.allowedTools.map(toolName), ...workerTools(spec)];
  return [...new Set(names.filter(isBuiltIn))];
}

/** Tools of a coordinator's main thread alone; every MCP server of the session by name, or its tools would vanish. */
export function mainThreadTools(spec: AgentSpec): string[] {
  const forWorkers = new Set(workerTools(spec).filter((name) => WEB_TOOLS.includes(name)));
  const own = spec.allowedTools.map(toolName).filter((name) => !forWorkers.has(name));
  const named = new Set(own.filter((name) => !isBuiltIn(name)).map((name) => name.split("__")[1]));
  const servers = Object.keys(spec.mcpServers).filter((server) => !named.has(server));
  return [...new Set([...own, ...servers.map((server) => `mcp__${server}`)])];
}
