// Pruning: errors, refusals and damage leave the loaded history. Each step has a file of its own; their order is here.

import { dropDenials } from "./denials.ts";
import { Draft } from "./draft.ts";
import {
  isCall,
  isProtected,
  messageOf,
  openBlocks,
  SYNTHETIC_MODEL,
  type TranscriptEntry,
} from "./entry.ts";
import { mendBlocks } from "./mend-blocks.ts";
import { isInterrupted } from "./outcome-mark.ts";
import { pairCalls } from "./pair-calls.ts";
import type { PrunePolicy } from "./prune-policy.ts";
import { replaceResults } from "./result-text.ts";

/** What was mended in a transcript. */
export interface Repair {
  /** Calls that were given a result. */
  readonly orphanCalls: number;
  /** Results without a call, and repeated calls, that went. */
  readonly orphanResults: number;
  /** Entries that hung on nothing, or in a circle. */
  readonly parents: number;
  /** Thoughts, texts and pictures the API would have refused. */
  readonly blocks: number;
}

/** What pruning made of a transcript. */
export interface Pruning {
  readonly entries: readonly TranscriptEntry[];
  /** Entries that are no longer there. */
  readonly pruned: number;
  /** Denied calls that are no longer there. */
  readonly denialsDropped: number;
  readonly repair: Repair;
}

/** Nothing was mended. */
export const NO_REPAIR: Repair = { orphanCalls: 0, orphanResults: 0, parents: 0, blocks: 0 };

function isApiError(entry: TranscriptEntry): boolean {
  if (entry.type !== "assistant" || isProtected(entry) || openBlocks(entry).some(isCall)) return false;
  return entry.isApiErrorMessage === true || messageOf(entry)?.model === SYNTHETIC_MODEL;
}

function dropApiErrors(draft: Draft): void {
  draft.visit((entry, at) => {
    if (isApiError(entry)) draft.drop(at);
  });
}

/** A synthesized result says already that nothing is known. */
function neutralizeInterrupts(draft: Draft, { interruptText, orphanText }: PrunePolicy): void {
  draft.visit((entry, at) => {
    if (entry.type !== "user") return;
    const changed = replaceResults(entry, (block) => {
      const isPlain = block.content === interruptText || block.content === orphanText;
      return isInterrupted(entry, block) && !isPlain ? interruptText : undefined;
    });
    if (changed !== entry) draft.replace(at, changed);
  });
}

/** Apply the policy. Changes nothing it is given; what it does not change it hands on as it is. */
export function prune(entries: readonly TranscriptEntry[], policy: PrunePolicy): Pruning {
  const draft = new Draft(entries);
  const denialsDropped = dropDenials(draft, policy.keepDenials);
  if (policy.dropApiErrors) dropApiErrors(draft);
  if (policy.neutralizeInterrupts) neutralizeInterrupts(draft, policy);
  const blocks = policy.healOrphans ? mendBlocks(draft) : 0;
  const { calls, strays } = policy.healOrphans
    ? pairCalls(draft, policy.orphanText)
    : { calls: 0, strays: 0 };
  draft.dropBareThoughts();
  const { mendedParents, ...result } = draft.finish(policy.healOrphans);
  const repair = { orphanCalls: calls, orphanResults: strays, parents: mendedParents, blocks };
  return { ...result, denialsDropped, repair };
}
