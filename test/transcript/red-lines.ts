// What no rewrite may ever break, as checks on a transcript before and after.

import { expect } from "vitest";
import { isCall, isResult, messageOf, openBlocks, parentOf, type TranscriptEntry } from "../../src/transcript/entry.ts";

function blocksOf(entry: TranscriptEntry): readonly unknown[] {
  const content = messageOf(entry)?.content;
  return Array.isArray(content) ? content : [];
}

/** Every call has exactly one later result, every result one earlier call. */
export function expectPaired(entries: readonly TranscriptEntry[]): void {
  const calls = new Map<string, number>();
  for (const block of entries.flatMap(blocksOf)) {
    if (isCall(block)) {
      expect(calls.has(block.id), `call ${block.id} stands twice`).toBe(false);
      calls.set(block.id, 0);
    } else if (isResult(block)) {
      expect(calls.has(block.tool_use_id), `result ${block.tool_use_id} has no earlier call`).toBe(true);
      calls.set(block.tool_use_id, (calls.get(block.tool_use_id) ?? 0) + 1);
    }
  }
  expect([...calls].filter(([, results]) => results !== 1)).toEqual([]);
}

/** From every entry the parents lead to one that has none. */
export function expectRooted(entries: readonly TranscriptEntry[]): void {
  const parents = new Map(entries.map((entry) => [entry.uuid, parentOf(entry)]));
  for (const entry of entries) {
    const seen = new Set<string>();
    let at = parentOf(entry);
    while (at !== undefined) {
      expect(parents.has(at), `${entry.uuid} leads to ${at}, which is not there`).toBe(true);
      expect(seen.has(at), `${entry.uuid} leads in a circle`).toBe(false);
      seen.add(at);
      at = parents.get(at);
    }
  }
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
  const media = (entries: readonly TranscriptEntry[]) => entries.flatMap((entry) => blocksOf(entry).flatMap(mediaOf));
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
  return entries.flatMap((entry) => openBlocks(entry).filter(isCall).map((block) => block.id));
}

/** Ids of the calls that results in a transcript belong to. */
export function resultIds(entries: readonly TranscriptEntry[]): readonly string[] {
  return entries.flatMap((entry) => openBlocks(entry).filter(isResult).map((block) => block.tool_use_id));
}
