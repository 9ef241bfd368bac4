// Entries as short as the harness takes them, for tests that write a history by hand.

import type { TranscriptEntry } from "../../src/transcript/entry.ts";

const SESSION_ID = "00000000-0000-4000-8000-000000000001";

/** A small number as an entry's id. */
export function id(n: number): string {
  return `00000000-0000-4000-9000-${String(n).padStart(12, "0")}`;
}

interface Parts {
  readonly parent?: string | null;
  readonly more?: Readonly<Record<string, unknown>>;
}

function entry(n: number, type: string, parts: Parts): TranscriptEntry {
  return {
    parentUuid: parts.parent !== undefined ? parts.parent : n === 1 ? null : id(n - 1),
    isSidechain: false,
    type,
    uuid: id(n),
    timestamp: `2026-01-02T03:04:${String(n % 60).padStart(2, "0")}.000Z`,
    userType: "external",
    entrypoint: "sdk-ts",
    cwd: "/home/person/ws",
    sessionId: SESSION_ID,
    version: "2.1.332",
    gitBranch: "HEAD",
    ...parts.more,
  };
}

/** The user's turn; hangs on the entry before unless `parent` says otherwise. */
export function user(n: number, content: unknown, parts: Parts = {}): TranscriptEntry {
  return { ...entry(n, "user", parts), message: { role: "user", content } };
}

/** A part of the model's turn, one message an entry unless `messageId` says otherwise. */
export function assistant(
  n: number,
  content: readonly unknown[],
  parts: Parts & { readonly messageId?: string; readonly model?: string } = {},
): TranscriptEntry {
  const message = {
    id: parts.messageId ?? `msg_${n}`,
    type: "message",
    role: "assistant",
    model: parts.model ?? "claude-opus-5-5",
    content,
    stop_reason: null,
    stop_sequence: null,
    usage: { input_tokens: 10, output_tokens: 5, cache_read_input_tokens: 0, cache_creation_input_tokens: 0 },
  };
  return { ...entry(n, "assistant", parts), effort: "medium", perTurnEffort: "medium", message };
}

export function text(words: string) {
  return { type: "text", text: words };
}

export function call(callId: string, command: unknown = "npm test", name = "Bash") {
  return { type: "tool_use", id: callId, name, input: { command } };
}

export function result(callId: string, content: unknown = "fine") {
  return { type: "tool_result", tool_use_id: callId, content };
}
