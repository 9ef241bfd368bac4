import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { messageOf, openBlocks, type TranscriptEntry } from "../../src/transcript/entry.ts";
import { EphemeralPolicy } from "../../src/transcript/ephemeral-policy.ts";
import { expire } from "../../src/transcript/expire.ts";
import { prune } from "../../src/transcript/prune.ts";
import { PrunePolicy } from "../../src/transcript/prune-policy.ts";
import { relink } from "../../src/transcript/relink.ts";
import { rewrite } from "../../src/transcript/rewrite.ts";
import { trim } from "../../src/transcript/trim.ts";
import { TrimPolicy } from "../../src/transcript/trim-policy.ts";
import { ancestors, callIds, deepFreeze, expectPaired, expectRooted, resultIds } from "./red-lines.ts";

interface Case {
  readonly id: string;
  readonly input: unknown;
  readonly expected: Readonly<Record<string, unknown>>;
}

const CASES: readonly Case[] = JSON.parse(readFileSync("test/fixtures/transcript/repair.json", "utf8"));
const POLICY = new PrunePolicy();

function known(id: string): { readonly entries: TranscriptEntry[]; readonly expected: Case["expected"] } {
  const found = CASES.find((each) => each.id === id)!;
  return { entries: deepFreeze(structuredClone(found.input) as TranscriptEntry[]), expected: found.expected };
}

function loaded(entries: readonly TranscriptEntry[]) {
  return rewrite(entries, { trim: new TrimPolicy(), ephemeral: new EphemeralPolicy(), prune: POLICY });
}

function ids(entries: readonly TranscriptEntry[]): unknown[] {
  return entries.map((entry) => entry.uuid);
}

function parents(entries: readonly TranscriptEntry[], wanted: unknown): Record<string, unknown> {
  const named = Object.keys(wanted as object);
  return Object.fromEntries(
    entries
      .filter((entry) => named.includes(entry.uuid ?? ""))
      .map((entry) => [entry.uuid, entry.parentUuid]),
  );
}

function texts(entries: readonly TranscriptEntry[]): string {
  return JSON.stringify(entries.map((entry) => messageOf(entry)?.content));
}

describe("stored sessions that went wrong in the field", () => {
  it("D-tran-01: a call cut off by a kill gets a result, directly after it and in the thread", () => {
    const { entries, expected } = known("D-tran-01");
    const after = loaded(entries).entries;
    expectPaired(after);
    expect(ids(after).map((id, i) => (i === 2 ? "<result for t1>" : id))).toEqual(expected.order);
    expect(resultIds(after)).toEqual(["t1"]);
    for (const text of expected.textKept as string[]) expect(texts(after)).toContain(text);
    expect(ancestors(after, "4")).toEqual(["4", "3", after[2]!.uuid, "2", "1"]);
  });

  it("D-tran-02: a result whose call was compacted away goes, and its child hangs on the summary", () => {
    const { entries, expected } = known("D-tran-02");
    const after = loaded(entries).entries;
    expect(ids(after)).toEqual(expected.ids);
    expect(parents(after, expected.parents)).toEqual(expected.parents);
    expect(after[0]).toBe(entries[0]);
  });

  it("D-tran-03: two turns in a row that the harness made up from errors go", () => {
    const { entries, expected } = known("D-tran-03");
    const after = loaded(entries).entries;
    expect(ids(after)).toEqual(expected.ids);
    expect(parents(after, expected.parents)).toEqual(expected.parents);
  });

  it("D-tran-04: what hung on dropped entries hangs on the nearest that stays", () => {
    const { entries, expected } = known("D-tran-04");
    const after = relink(entries, new Set([entries[1]!, entries[2]!]));
    expect(ids(after)).toEqual(expected.ids);
    expect(parents(after, expected.parents)).toEqual(expected.parents);
  });

  it("D-tran-05: an entry that hangs on nothing hangs on the one before, and that is told", () => {
    const { entries, expected } = known("D-tran-05");
    const { entries: after, pruning } = loaded(entries);
    expect(ids(after)).toEqual(expected.ids);
    expect(parents(after, expected.parents)).toEqual(expected.parents);
    expect(pruning.repair.parents).toBe(1);
  });

  it("D-tran-06: circles end", () => {
    const { entries, expected } = known("D-tran-06");
    const started = performance.now();
    const after = loaded(entries).entries;
    expect(performance.now() - started).toBeLessThan(expected.terminatesMs as number);
    expectRooted(after);
    expect(ids(after)).toEqual(["1", "2", "3", "4", "5"]);
    expect(ancestors(after, "5")).toEqual(["5", "4", "3", "2", "1"]);
  });

  it("D-tran-07: an old denied call goes with its result, its sibling and the text stay", () => {
    const { entries, expected } = known("D-tran-07");
    const { entries: after, denialsDropped } = prune(entries, new PrunePolicy({ keepDenials: 1 }));
    expect(callIds(after)).toEqual(expected.toolUsesLeft);
    expect(resultIds(after)).toEqual(expected.toolResultsLeft);
    expect(texts(after)).toContain(expected.text);
    expect(parents(after, expected.parents)).toEqual(expected.parents);
    expect(denialsDropped).toBe(1);
  });

  it("D-tran-08: bookkeeping in the thread stays there", () => {
    const { entries, expected } = known("D-tran-08");
    const after = loaded(entries).entries;
    expect(ids(after.filter((entry) => messageOf(entry) !== undefined))).toEqual(expected.modelVisibleIds);
    expect(ancestors(after, "4").at(-1)).toBe(expected.chainFromLeafReaches);
    expect(after).toEqual(entries);
  });

  it("D-tran-09: a thought without a signature goes, and the entry that held only it", () => {
    const { entries, expected } = known("D-tran-09");
    const after = loaded(entries).entries;
    expect(ids(after)).toEqual(expected.ids);
    expect(parents(after, expected.parents)).toEqual(expected.parents);
  });

  it("D-tran-10: half a character becomes a whole one", () => {
    const { entries, expected } = known("D-tran-10");
    const [block] = openBlocks(loaded(entries).entries[2]!) as [{ content: string }];
    expect(block.content).toBe(expected.toolResultText);
    expect(block.content.isWellFormed()).toBe(expected.jsonValid);
  });

  it("D-tran-11: a command that is no text is nobody's look", () => {
    const { entries } = known("D-tran-11");
    expect(expire(entries, new EphemeralPolicy({ keepRecent: 0 })).entries).toEqual(entries);
    expect(loaded(entries).entries).toEqual(entries);
  });

  it("D-tran-12: only looks expire, the newest stay, and every block stays", () => {
    const { entries, expected } = known("D-tran-12");
    const after = expire(entries, new EphemeralPolicy({ keepRecent: 1 }));
    expect([...after.expiredIds]).toEqual(expected.expired);
    const changed = after.entries.filter((entry, i) => entry !== entries[i]);
    expect(resultIds(changed)).toEqual(expected.expired);
    expect(resultIds(after.entries)).toHaveLength(expected.blocksKept as number);
  });

  it("D-tran-13: results of calls side by side are found beside the thread", () => {
    const { entries } = known("D-tran-13");
    const { entries: after, pruning } = loaded(entries);
    expect(after).toEqual(entries);
    expect(pruning.repair).toEqual({ orphanCalls: 0, orphanResults: 0, parents: 0, blocks: 0 });
  });

  it("D-hook-06: a result that no hook could shorten is trimmed at the next load", () => {
    const { resultChars } = CASES.find(({ id }) => id === "D-hook-06")!.input as { resultChars: number };
    const { entries: stored } = known("D-tran-10");
    const long = stored.map((entry, i) => {
      const content = [{ type: "tool_result", tool_use_id: "t1", content: "x".repeat(resultChars) }];
      return i === 2 ? { ...entry, message: { role: "user", content } } : entry;
    });
    const { files, cleared, entries: after } = trim(long, new TrimPolicy({ keepRecent: 0 }));
    expect(cleared).toBe(1);
    expect(files.map(({ content }) => content.length)).toEqual([resultChars]);
    expect(texts(after).length).toBeLessThan(1000);
  });
});
