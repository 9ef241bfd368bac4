// What no rewrite may ever break, as checks on a transcript before and after.

import { expect } from "vitest";
import {
  isCall,
  isResult,
  messageOf,
  openBlocks,
  parentOf,
  type TranscriptEntry,
} from "../../src/transcript/entry.ts";

function blocksOf(entry: TranscriptEntry): readonly unknown[] {
  const content = messageOf(entry)?.content;
  return Array.isArray(content) ? content : [];
}

/** What is wrong with how calls and results are paired; empty when every call has exactly one later result. */
function pairingFaults(entries: readonly TranscriptEntry[]): readonly string[] {
  const faults: string[] = [];
  const results = new Map<string, number>();
  for (const block of entries.flatMap(blocksOf)) {
    if (isCall(block)) {
      if (results.has(block.id)) faults.push(`call ${block.id} stands twice`);
      results.set(block.id, 0);
    } else if (isResult(block)) {
      const before = results.get(block.tool_use_id);
      if (before === undefined) faults.push(`result ${block.tool_use_id} has no earlier call`);
      results.set(block.tool_use_id, (before ?? 0) + 1);
    }
  }
  for (const [id, count] of results) if (count !== 1) faults.push(`call ${id} has ${count} results`);
  return faults;
}

/** Every call has exactly one later result, every result one earlier call. */
export function expectPaired(entries: readonly TranscriptEntry[]): void {
  expect(pairingFaults(entries)).toEqual([]);
}

/** Ids of entries whose parents lead nowhere or in a circle. */
function lostEntries(entries: readonly TranscriptEntry[]): readonly unknown[] {
  const parents = new Map(entries.map((entry) => [entry.uuid, parentOf(entry)]));
  const isLost = (entry: TranscriptEntry): boolean => {
    const seen = new Set<string>();
    let at = parentOf(entry);
    while (at !== undefined) {
      if (!parents.has(at) || seen.has(at)) return true;
      seen.add(at);
      at = parents.get(at);
    }
    return false;
  };
  return entries.filter(isLost).map((entry) => entry.uuid);
}

/** From every entry the parents lead to one that has none. */
export function expectRooted(entries: readonly TranscriptEntry[]): void {
  expect(lostEntries(entries)).toEqual([]);
}

/** The chain from an entry, itself included, as ids. */
export function ancestors(entries: readonly TranscriptEntry[], uuid: string | undefined): readonly string[] {
  const parents = new Map(entries.map((entry) => [entry.uuid, parentOf(entry)]));
  const chain: string[] = [];
  let at = uuid;
  while (at !== undefined && !chain.includes(at)) {
    chain.push(at);
    at = parents.get(at);
  }
  return chain;
}

function withoutParent(entry: TranscriptEntry): unknown {
  return { ...entry, parentUuid: undefined };
}

function isMessage(entry: TranscriptEntry): boolean {
  return entry.type === "user" || entry.type === "assistant";
}

/** Summaries, the harness's own words and everything that is no message pass verbatim and in order. */
export function expectUntouched(before: readonly TranscriptEntry[], after: readonly TranscriptEntry[]): void {
  const fixed = (entries: readonly TranscriptEntry[]) =>
    entries
      .filter((entry) => !isMessage(entry) || entry.isMeta === true || entry.isCompactSummary === true)
      .map(withoutParent);
  expect(fixed(after)).toEqual(fixed(before));
}

function mediaOf(block: unknown): readonly unknown[] {
  if (typeof block !== "object" || block === null) return [];
  if ("type" in block && (block.type === "image" || block.type === "document")) return [block];
  return "content" in block && Array.isArray(block.content) ? block.content.flatMap(mediaOf) : [];
}

/** Pictures and documents, in order; those of entries that are gone are gone with them. */
export function expectSameMedia(before: readonly TranscriptEntry[], after: readonly TranscriptEntry[]): void {
  const kept = new Set(after.map((entry) => entry.uuid));
  const media = (entries: readonly TranscriptEntry[]) =>
    entries.flatMap((entry) => blocksOf(entry).flatMap(mediaOf));
  expect(media(after)).toEqual(media(before.filter((entry) => kept.has(entry.uuid))));
}

/** Nothing of it can be changed any more, at any depth. */
export function deepFreeze<T>(value: T): T {
  if (typeof value === "object" && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const item of Object.values(value)) deepFreeze(item);
  }
  return value;
}

/** Ids of calls in a transcript. */
export function callIds(entries: readonly TranscriptEntry[]): readonly string[] {
  return entries.flatMap((entry) =>
    openBlocks(entry)
      .filter(isCall)
      .map((block) => block.id),
  );
}

/** Ids of the calls that results in a transcript belong to. */
export function resultIds(entries: readonly TranscriptEntry[]): readonly string[] {
  return entries.flatMap((entry) =>
    openBlocks(entry)
      .filter(isResult)
      .map((block) => block.tool_use_id),
  );
}
