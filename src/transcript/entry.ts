// A stored session as it really is: lines of many kinds, some of which carry a message in content blocks. Reading and
// copying only; what a rewrite does with them is in the other files of this room.

import { isRecord } from "../core/json.ts";

/** One line of a stored transcript. Kinds nobody knows pass through. */
export type TranscriptEntry = {
  type: string;
  uuid?: string;
  timestamp?: string;
  [key: string]: unknown;
};

/** One content block of a message, of any type. */
export type Block = Readonly<Record<string, unknown>>;

/** A block that calls a tool. */
export type CallBlock = Block & { readonly type: "tool_use"; readonly id: string };

/** A block that answers a call. */
export type ResultBlock = Block & { readonly type: "tool_result"; readonly tool_use_id: string };

/** The model that the harness names in messages it made up itself, such as an API error. */
export const SYNTHETIC_MODEL = "<synthetic>";

/** The message in an entry, if it is the user's or the model's turn at all. */
export function messageOf(entry: TranscriptEntry): Readonly<Record<string, unknown>> | undefined {
  if (entry.type !== "user" && entry.type !== "assistant") return undefined;
  return isRecord(entry.message) ? entry.message : undefined;
}

/** Whether no rewrite may change what the entry says: summaries, and what the harness put in for itself. */
export function isProtected(entry: TranscriptEntry): boolean {
  return entry.isCompactSummary === true || entry.isMeta === true;
}

/** The blocks a rewrite may change; none for other kinds, protected entries and plain text. */
export function openBlocks(entry: TranscriptEntry): readonly unknown[] {
  const content = messageOf(entry)?.content;
  return Array.isArray(content) && !isProtected(entry) ? content : [];
}

/** True for a tool call with an id. */
export function isCall(block: unknown): block is CallBlock {
  return isRecord(block) && block.type === "tool_use" && typeof block.id === "string";
}

/** True for an answer that says which call it belongs to. */
export function isResult(block: unknown): block is ResultBlock {
  return isRecord(block) && block.type === "tool_result" && typeof block.tool_use_id === "string";
}

/** A copy of the entry with other blocks; the entry itself stays as it is. */
export function withBlocks(entry: TranscriptEntry, content: readonly unknown[]): TranscriptEntry {
  return { ...entry, message: { ...messageOf(entry), content } };
}

/** The id that all entries of one model message share, or undefined. */
export function messageId(entry: TranscriptEntry): string | undefined {
  const id = entry.type === "assistant" ? messageOf(entry)?.id : undefined;
  return typeof id === "string" && id !== "" ? id : undefined;
}

/** What the entry hangs on: an id, or undefined for a root. */
export function parentOf(entry: TranscriptEntry): string | undefined {
  return typeof entry.parentUuid === "string" ? entry.parentUuid : undefined;
}

/** Every call of the transcript once, in the order they were first made. */
export function callsOf(entries: readonly TranscriptEntry[]): ReadonlyMap<string, CallBlock> {
  const calls = new Map<string, CallBlock>();
  for (const entry of entries) {
    if (entry.type !== "assistant") continue;
    for (const block of openBlocks(entry))
      if (isCall(block) && !calls.has(block.id)) calls.set(block.id, block);
  }
  return calls;
}
