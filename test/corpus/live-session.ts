// One session of the real harness on a scripted API, with a store the caller gives: what records the corpus and what
// proves that a rewritten transcript is taken up again.

import { mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Options, type Query, query, type SDKMessage } from "@anthropic-ai/claude-agent-sdk";
import { type ScriptedApi, scriptedEnv } from "../../src/testing/index.ts";
import { createGate } from "../testing/gate.ts";

/** A throw-away HOME with a workspace in it. */
export interface Place {
  readonly home: string;
  readonly workspace: string;
}

export interface LiveSession {
  readonly api: ScriptedApi;
  readonly place: Place;
  /** One user message each; the next is sent when the result of the one before has come. */
  readonly prompts: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly options?: Partial<Options>;
  /** Called with every message; may interrupt or abort. */
  readonly onMessage?: (message: SDKMessage, query: Query) => void | Promise<void>;
}

export interface LiveOutcome {
  readonly messages: readonly SDKMessage[];
  readonly thrown: unknown;
}

export function createPlace(): Place {
  const home = mkdtempSync(join(realpathSync(tmpdir()), "flower-corpus-"));
  const workspace = join(home, "ws");
  mkdirSync(workspace);
  return { home, workspace };
}

export function removePlace(place: Place): void {
  rmSync(place.home, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 });
}

function userMessage(content: string) {
  return {
    type: "user" as const,
    message: { role: "user" as const, content },
    parent_tool_use_id: null,
    session_id: "",
  };
}

/** Runs to the result of the last prompt, or to what the iterator throws. */
export async function liveSession(session: LiveSession): Promise<LiveOutcome> {
  const { api, place, prompts } = session;
  const turns = prompts.map(() => createGate());
  async function* input() {
    for (const [i, prompt] of prompts.entries()) {
      yield userMessage(prompt);
      await turns[i]!.opened;
    }
  }
  const env = scriptedEnv({
    home: place.home,
    apiUrl: api.url,
    path: process.env.PATH ?? "",
    // Without it the SDK looks for the mirror under its own HOME and drops every frame without a word.
    extra: {
      CLAUDE_CONFIG_DIR: join(place.home, ".claude"),
      CLAUDE_CODE_DISABLE_BACKGROUND_TASKS: "1",
      ...session.env,
    },
  });
  const messages: SDKMessage[] = [];
  let thrown: unknown;
  let results = 0;
  try {
    const running = query({
      prompt: input(),
      options: {
        cwd: place.workspace,
        env,
        settingSources: [],
        permissionPrompts: "none",
        verbatimPrompts: true,
        tools: ["Agent", "Read", "Bash", "Write", "Grep", "TodoWrite"],
        allowedTools: ["Agent", "Read", "Bash", "Write", "Grep", "TodoWrite"],
        permissionMode: "acceptEdits",
        sessionStoreFlush: "eager",
        ...session.options,
      },
    });
    for await (const message of running) {
      messages.push(message);
      await session.onMessage?.(message, running);
      if (message.type !== "result") continue;
      turns[results]?.open();
      results += 1;
    }
  } catch (error) {
    thrown = error;
  } finally {
    for (const turn of turns) turn.open();
  }
  return { messages, thrown };
}
