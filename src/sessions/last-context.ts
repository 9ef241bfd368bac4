// How large a session's context was at its last model turn, read from the tail of its transcript.

import { isRecord } from "../core/json.ts";

/** The model the harness names in messages it made up itself, such as an API error. */
const SYNTHETIC_MODEL = "<synthetic>";

function tokens(usage: Record<string, unknown>, field: string): number {
  const value = usage[field];
  return typeof value === "number" && Number.isFinite(value) && value > 0 ? value : 0;
}

/** Tokens one entry's request held: cached ones too, they are in the context all the same. 0 when it says nothing. */
function contextOf(entry: unknown): number {
  if (!isRecord(entry) || entry.type !== "assistant") return 0;
  if (entry.isSidechain === true || entry.isApiErrorMessage === true) return 0;
  const { message } = entry;
  if (!isRecord(message) || message.model === SYNTHETIC_MODEL || !isRecord(message.usage)) return 0;
  return (
    tokens(message.usage, "input_tokens") +
    tokens(message.usage, "cache_read_input_tokens") +
    tokens(message.usage, "cache_creation_input_tokens")
  );
}

/** Context of the first entry that tells one, newest first; 0 when none does. Unreadable payloads are passed over. */
export function contextFrom(newestFirst: readonly string[]): number {
  for (const payload of newestFirst) {
    try {
      const context = contextOf(JSON.parse(payload));
      if (context > 0) return context;
    } catch {
      // load() is where damage is told.
    }
  }
  return 0;
}
