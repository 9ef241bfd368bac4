// What the harness notes beside a result that is no answer of the tool: denied, rejected, interrupted.

import type { ResultBlock, TranscriptEntry } from "./entry.ts";

/** The mark of calls that a hook or a permission rule refused. */
const DENIED = "permission-rule";

/** Marks of calls that were stopped. In a session that nobody attends, nobody but an interruption rejects a call. */
const INTERRUPTED: readonly unknown[] = ["interrupted", "user-rejected"];

/** Results from versions that set no mark are known by how their text begins. */
const INTERRUPTED_TEXTS = [
  "[Request interrupted by user",
  "[Tool call interrupted",
  "The user doesn't want to proceed with this tool use",
];

/** What a synthesized result is marked with, as the harness marks its own. */
export const INTERRUPTED_MARK = "interrupted";

/** Whether the entry brings the refusal of a call. */
export function isDenial(entry: TranscriptEntry): boolean {
  return entry.toolDenialKind === DENIED;
}

/** Whether a result stands for a call that was stopped. */
export function isInterrupted(entry: TranscriptEntry, block: ResultBlock): boolean {
  if (entry.toolDenialKind !== undefined) return INTERRUPTED.includes(entry.toolDenialKind);
  const { content } = block;
  return (
    block.is_error === true &&
    typeof content === "string" &&
    INTERRUPTED_TEXTS.some((text) => content.startsWith(text))
  );
}

/** Whether a result is the tool's own answer: only such ones grow stale or too long. */
export function isAnswer(entry: TranscriptEntry, block: ResultBlock): boolean {
  return entry.toolDenialKind === undefined && !isInterrupted(entry, block);
}
