// Calls and results in pairs: the API refuses a call without its result and a result without its call, anywhere in a
// history. Pairs are found by call id over the whole transcript: results of calls made side by side hang on their own
// call, beside the thread from the last entry to the first.

import { shortHash } from "../core/ids.ts";
import type { Draft } from "./draft.ts";
import { isCall, isResult, messageId, openBlocks, parentOf, type TranscriptEntry } from "./entry.ts";
import { INTERRUPTED_MARK } from "./outcome-mark.ts";
import { NOTE_START } from "./result-text.ts";

/** What was unpaired. */
export interface Pairing {
  /** Calls that were given a result. */
  readonly calls: number;
  /** Results, and repeated calls, that went. */
  readonly strays: number;
}

/** Fields that every entry of one thread has alike. */
const SHARED = [
  ...["isSidechain", "agentId", "sessionId", "cwd", "version", "gitBranch", "userType", "entrypoint", "slug"],
  "timestamp",
];

/** Stands where the first message would otherwise be the model's. */
const FIRST_WORDS = `${NOTE_START}the beginning of this conversation is not recorded]`;

interface CallPlace {
  readonly at: number;
  readonly entry: TranscriptEntry;
  readonly group: string;
}

/** Entries of one message share a group; one without an id is a group of its own. */
function groupOf(entry: TranscriptEntry, at: number): string {
  return messageId(entry) ?? `at ${at}`;
}

/** The same at every load: entries written after a resume hang on it. */
function synthesizedUuid(entry: TranscriptEntry, ids: readonly string[]): string {
  const seed = `${entry.uuid ?? ""} ${ids.join(" ")}`;
  const hex = `${shortHash(seed)}${shortHash(`${seed} more`)}`;
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

function synthesize(entry: TranscriptEntry, ids: readonly string[], text: string): TranscriptEntry {
  const content = ids.map((id) => ({ type: "tool_result", tool_use_id: id, content: text, is_error: true }));
  const shared = Object.fromEntries(
    SHARED.filter((name) => name in entry).map((name) => [name, entry[name]]),
  );
  return {
    ...shared,
    parentUuid: entry.uuid ?? parentOf(entry) ?? null,
    type: "user",
    message: { role: "user", content },
    uuid: synthesizedUuid(entry, ids),
    toolUseResult: text,
    toolDenialKind: INTERRUPTED_MARK,
    ...(entry.uuid === undefined ? {} : { sourceToolAssistantUUID: entry.uuid }),
  };
}

/** Takes out what has no partner before it, and says which calls are left open. */
function dropStrays(draft: Draft): {
  readonly open: ReadonlyMap<string, CallPlace>;
  readonly strays: number;
} {
  const called = new Set<string>();
  const open = new Map<string, CallPlace>();
  let strays = 0;
  const isPaired = (block: unknown, at: number, entry: TranscriptEntry): boolean => {
    if (isCall(block)) {
      if (called.has(block.id)) return false;
      called.add(block.id);
      open.set(block.id, { at, entry, group: groupOf(entry, at) });
      return true;
    }
    return !isResult(block) || open.delete(block.tool_use_id);
  };
  draft.visit((entry, at) => {
    const blocks = openBlocks(entry);
    const left = blocks.filter((block) => isPaired(block, at, entry));
    if (left.length === blocks.length) return;
    strays += blocks.length - left.length;
    const leavesGap = left.length === 0 && entry.type === "user" && draft.opensDialogue(at);
    draft.keepBlocks(at, leavesGap ? [{ type: "text", text: FIRST_WORDS }] : left);
  });
  return { open, strays };
}

/** What hung on a call and is no part of its message hangs on the result from now on. */
function rehang(
  draft: Draft,
  results: ReadonlyMap<string, { readonly uuid: string; readonly after: number; readonly group: string }>,
): void {
  const groups = new Map<string, string>();
  draft.visit((entry, at) => {
    for (const block of openBlocks(entry)) if (isCall(block)) groups.set(block.id, groupOf(entry, at));
    const parent = parentOf(entry);
    const result = parent === undefined ? undefined : results.get(parent);
    if (result === undefined || at <= result.after) return;
    const isSibling = openBlocks(entry).some(
      (block) => isResult(block) && groups.get(block.tool_use_id) === result.group,
    );
    if (!isSibling) draft.hangOn(at, result.uuid);
  });
}

/** Take out results without a call and repeated calls, and give each call without a result one with `text`. */
export function pairCalls(draft: Draft, text: string): Pairing {
  const { open, strays } = dropStrays(draft);
  if (open.size === 0) return { calls: 0, strays };
  const lastOfGroup = new Map<string, number>();
  draft.visit((entry, at) => {
    if (entry.type === "assistant") lastOfGroup.set(groupOf(entry, at), at);
  });
  const byEntry = new Map<number, { readonly place: CallPlace; readonly ids: string[] }>();
  for (const [id, place] of open) {
    const known = byEntry.get(place.at);
    if (known === undefined) byEntry.set(place.at, { place, ids: [id] });
    else known.ids.push(id);
  }
  const results = new Map<
    string,
    { readonly uuid: string; readonly after: number; readonly group: string }
  >();
  for (const { place, ids } of byEntry.values()) {
    const result = synthesize(place.entry, ids, text);
    const after = lastOfGroup.get(place.group) ?? place.at;
    draft.addAfter(after, result);
    if (place.entry.uuid !== undefined && result.uuid !== undefined)
      results.set(place.entry.uuid, { uuid: result.uuid, after, group: place.group });
  }
  rehang(draft, results);
  return { calls: open.size, strays };
}
