// Old refusals: a call that a hook or a rule denied goes together with its answer, so that neither stands alone. The
// newest ones stay as a reminder of the rule.

import type { Draft } from "./draft.ts";
import { isCall, isProtected, isResult, openBlocks, type TranscriptEntry } from "./entry.ts";
import { isDenial } from "./outcome-mark.ts";

/** Ids of the calls an entry refuses; in one that brings several answers, those that are no errors ran. */
function refusedIds(entry: TranscriptEntry): readonly string[] {
  const results = openBlocks(entry).filter(isResult);
  const refused = results.length === 1 ? results : results.filter((block) => block.is_error !== false);
  return refused.map((block) => block.tool_use_id);
}

/** Drop all but the last `keep` denied calls with their results; how many went. */
export function dropDenials(draft: Draft, keep: number): number {
  const denied = new Set<string>();
  const called = new Set<string>();
  // Most sessions have none, and then nothing else has to be looked at.
  let isDenied = false;
  draft.visit((entry) => {
    isDenied = isDenial(entry);
    return isDenied;
  });
  if (!isDenied) return 0;
  draft.visit((entry) => {
    if (entry.type === "assistant") {
      for (const block of openBlocks(entry)) if (isCall(block)) called.add(block.id);
    } else if (isDenial(entry) && !isProtected(entry)) {
      for (const id of refusedIds(entry)) if (called.has(id)) denied.add(id);
    }
  });
  const doomed = new Set([...denied].slice(0, Math.max(0, denied.size - keep)));
  if (doomed.size === 0) return 0;
  draft.visit((entry, at) => {
    const blocks = openBlocks(entry);
    const left = blocks.filter(
      (block) =>
        !(isCall(block) && doomed.has(block.id)) && !(isResult(block) && doomed.has(block.tool_use_id)),
    );
    if (left.length < blocks.length) draft.keepBlocks(at, left);
  });
  return doomed.size;
}
