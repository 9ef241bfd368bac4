// The variables flower sets in every process of the harness: what is off, what is bounded, what is kept lean.

/** Own retries of the harness inside one call; flower waits and resumes above them. */
const HARNESS_RETRIES = "2";

const ALWAYS: Readonly<Record<string, string>> = {
  // TodoWrite exists only without the newer task tools.
  CLAUDE_CODE_ENABLE_TASKS: "0",
  // Workers run in the foreground: a background one ends the turn early.
  CLAUDE_CODE_DISABLE_BACKGROUND_TASKS: "1",
  CLAUDE_CODE_DISABLE_AUTO_MEMORY: "1",
  CLAUDE_AGENT_SDK_DISABLE_BUILTIN_AGENTS: "1",
  CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
  DISABLE_TELEMETRY: "1",
  DISABLE_ERROR_REPORTING: "1",
  DISABLE_AUTOUPDATER: "1",
  CLAUDE_AGENT_SDK_CLIENT_APP: "flower-agent",
};

/** Variables for one query. `longestCallMs` is the longest a question to a person may take, margin included. */
export function harnessVariables(
  base: Readonly<Record<string, string>>,
  longestCallMs: number | undefined,
): Record<string, string> {
  const waits =
    longestCallMs === undefined
      ? {}
      : {
          MCP_TOOL_TIMEOUT: String(longestCallMs),
          // A long question must not be moved to the background: its answer would never reach the model.
          CLAUDE_CODE_MCP_AUTO_BACKGROUND_MS: String(longestCallMs),
        };
  return {
    ...ALWAYS,
    CLAUDE_CODE_MAX_RETRIES: base.CLAUDE_CODE_MAX_RETRIES ?? HARNESS_RETRIES,
    ...waits,
  };
}
