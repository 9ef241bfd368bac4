// Requests the harness makes for itself: which they are, and an answer that needs no script.

import { type IncomingRequest, lastUserText, systemText, toolNames } from "./api-request.ts";
import { type Turn, text, turn } from "./turn.ts";

/**
 * `title`: a name for the session (only with non-essential traffic on); `web_search`: the WebSearch tool asking a
 * model that can search; `compaction`: the history is to be summarised; `other`: any call without tools that is
 * not part of a conversation, small-model chores for one.
 */
export type SideKind = "title" | "web_search" | "compaction" | "other";

function isCompaction(request: IncomingRequest): boolean {
  const words = lastUserText(request);
  return words.includes("an <analysis> block followed by a <summary> block");
}

/** The kind of side request, or undefined for a request of an agent. */
export function sideKind(request: IncomingRequest): SideKind | undefined {
  const tools = toolNames(request);
  if (isCompaction(request)) return "compaction";
  if (tools.length === 1 && tools[0] === "web_search") return "web_search";
  // Every turn of an agent carries this field, with or without tools; no chore of the harness does.
  if (tools.length > 0 || request.body.context_management !== undefined) return undefined;
  return systemText(request).includes("You are naming a coding session") ? "title" : "other";
}

const AUTOMATIC: Readonly<Record<SideKind, string>> = {
  title: JSON.stringify({ title: "Scripted session" }),
  web_search: "No results: this search is scripted.",
  compaction:
    "<analysis>scripted</analysis>\n<summary>The conversation so far, summarised by script.</summary>",
  other: "ok",
};

/** The answer a side request gets when the script has none for it. */
export function automaticTurn(kind: SideKind): Turn {
  return turn(text(AUTOMATIC[kind]), { usage: { inputTokens: 0, outputTokens: 0 } });
}
