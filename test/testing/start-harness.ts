// Starts the real harness on a scripted API, the way the tests of this room need it: streaming input, a workspace and
// a HOME of its own, nothing inherited but PATH.

import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Options, query, type SDKMessage, type SDKResultMessage } from "@anthropic-ai/claude-agent-sdk";
import { scriptedEnv } from "../../src/testing/index.ts";
import type { ScriptedApi } from "../../src/testing/scripted-api.ts";
import { createGate } from "./gate.ts";

export interface HarnessRun {
  readonly messages: readonly SDKMessage[];
  readonly result: SDKResultMessage;
  /** What the iterator threw after an error result. */
  readonly thrown: unknown;
  readonly workspace: string;
}

export interface HarnessStart {
  readonly prompt?: string;
  readonly apiKey?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly options?: Partial<Options>;
  readonly prepare?: (workspace: string) => void;
}

/** One prompt through the harness, to its result. */
export async function startHarness(api: ScriptedApi, start: HarnessStart = {}): Promise<HarnessRun> {
  const home = mkdtempSync(join(tmpdir(), "flower-testing-"));
  const workspace = join(home, "ws");
  mkdirSync(workspace);
  start.prepare?.(workspace);
  const env = scriptedEnv({
    home,
    apiUrl: api.url,
    path: process.env.PATH ?? "",
    ...(start.apiKey === undefined ? {} : { apiKey: start.apiKey }),
    extra: { CLAUDE_CODE_DISABLE_BACKGROUND_TASKS: "1", ...start.env },
  });
  const over = createGate();
  async function* input() {
    yield {
      type: "user" as const,
      message: { role: "user" as const, content: start.prompt ?? "hello" },
      parent_tool_use_id: null,
      session_id: "",
    };
    await over.opened;
  }
  const messages: SDKMessage[] = [];
  let result: SDKResultMessage | undefined;
  let thrown: unknown;
  try {
    for await (const message of query({
      prompt: input(),
      options: {
        cwd: workspace,
        env,
        settingSources: [],
        permissionPrompts: "none",
        verbatimPrompts: true,
        tools: ["Agent", "Read", "Bash"],
        allowedTools: ["Agent", "Read", "Bash"],
        permissionMode: "acceptEdits",
        ...start.options,
      },
    })) {
      messages.push(message);
      if (message.type !== "result") continue;
      result = message;
      over.open();
    }
  } catch (error) {
    thrown = error;
  } finally {
    over.open();
    rmSync(home, { recursive: true, force: true });
  }
  if (result === undefined) throw thrown;
  return { messages, result, thrown, workspace };
}
