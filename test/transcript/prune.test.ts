import { describe, expect, it } from "vitest";
import { messageOf, type TranscriptEntry } from "../../src/transcript/entry.ts";
import { prune } from "../../src/transcript/prune.ts";
import { PrunePolicy } from "../../src/transcript/prune-policy.ts";
import { DAMAGES } from "./damages.ts";
import { assistant, call, id, result, text, user } from "./entries.ts";
import { ancestors, callIds, deepFreeze, expectPaired, expectRooted } from "./red-lines.ts";

function pruned(entries: readonly TranscriptEntry[], options = {}) {
  return prune(deepFreeze(entries), new PrunePolicy(options));
}

function contents(entries: readonly TranscriptEntry[]): string {
  return JSON.stringify(entries.map((entry) => messageOf(entry)?.content));
}

function denied(n: number, callId: string, more = {}): TranscriptEntry {
  return user(n, [result(callId, "no: a hook said so")], {
    more: { toolDenialKind: "permission-rule", ...more },
  });
}

describe("mending", () => {
  for (const [name, { entries, kept, gone = [] }] of Object.entries(DAMAGES)) {
    it(`repairs ${name}, and says that it did`, () => {
      const { entries: after, repair } = pruned(entries);
      expectPaired(after);
      expectRooted(after);
      const all = contents(after);
      expect(kept.filter((words) => !all.includes(words))).toEqual([]);
      expect(gone.filter((words) => JSON.stringify(after).includes(words))).toHaveLength(0);
      expect(Object.values(repair).some((count) => count > 0)).toBe(true);
      expect(pruned(after)).toMatchObject({ entries: after, pruned: 0 });
    });

    it(`leaves ${name} when told to heal nothing`, () => {
      const { entries: after, repair } = pruned(entries, { healOrphans: false });
      expect(after).toEqual(entries);
      expect(repair).toEqual({ orphanCalls: 0, orphanResults: 0, parents: 0, blocks: 0 });
    });
  }

  it("puts a made-up result behind the whole message, in the thread, with the same id at every load", () => {
    const { entries } = DAMAGES["two of three calls side by side without results"]!;
    const { entries: after } = pruned(entries, { orphanText: "nobody knows" });
    const made = after.filter((entry) => contents([entry]).includes("nobody knows"));
    expect(after.indexOf(made[0]!)).toBe(4);
    expect(made.map((entry) => entry.parentUuid)).toEqual([id(2), id(4)]);
    expect(made[0]!.uuid).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(pruned(entries, { orphanText: "nobody knows" }).entries).toEqual(after);
    expect(ancestors(after, id(7))).toContain(id(5));
  });

  it("keeps the dialogue opened by the user when its first words are a stray result", () => {
    const { entries } = DAMAGES["nothing before a result whose call is gone"]!;
    const { entries: after } = pruned(entries);
    expect(messageOf(after[0]!)).toMatchObject({ role: "user" });
    expect(after[0]?.uuid).toBe(id(1));
  });
});

describe("denials", () => {
  const story = [
    user(1, "build it"),
    assistant(2, [call("t1", "make a")]),
    denied(3, "t1"),
    assistant(4, [{ type: "thinking", thinking: "again?", signature: "s" }], { messageId: "m" }),
    assistant(5, [call("t2", "make b")], { messageId: "m" }),
    denied(6, "t2"),
    assistant(7, [text("no luck")]),
  ];

  it("leave all but the newest, each call with its result", () => {
    const { entries, denialsDropped } = pruned(story);
    expect(callIds(entries)).toEqual(["t2"]);
    expect(denialsDropped).toBe(1);
    expect(entries.map((entry) => entry.uuid)).toEqual([1, 4, 5, 6, 7].map(id));
    expect(entries[1]?.parentUuid).toBe(id(1));
  });

  it("take the thought that led to them along", () => {
    const { entries, denialsDropped, pruned: gone } = pruned(story, { keepDenials: 0 });
    expect(entries.map((entry) => entry.uuid)).toEqual([1, 7].map(id));
    expect([denialsDropped, gone]).toEqual([2, 5]);
    expect(entries[1]?.parentUuid).toBe(id(1));
  });

  it("are known by their mark: a result that only speaks of a refusal stays", () => {
    const spoken = [
      user(1, "x"),
      assistant(2, [call("t1")]),
      user(3, [result("t1", "PreToolUse:Bash hook error")]),
    ];
    expect(pruned(spoken, { keepDenials: 0 }).entries).toEqual(spoken);
  });

  it("spare results in the same entry that are no errors", () => {
    const both = [
      user(1, "x"),
      assistant(2, [call("t1"), call("t2")]),
      denied(3, "t1", {
        message: { role: "user", content: [result("t1", "no"), { ...result("t2", "ran"), is_error: false }] },
      }),
    ];
    const { entries } = pruned(both, { keepDenials: 0 });
    expect(callIds(entries)).toEqual(["t2"]);
    expect(contents(entries)).toContain("ran");
    expectPaired(entries);
  });
});

describe("what the harness made up", () => {
  const error = [
    user(1, "x"),
    assistant(2, [text("API Error: 529")], { more: { isApiErrorMessage: true } }),
    assistant(3, [text("No response requested.")], { model: "<synthetic>" }),
    { ...user(4, "go on"), type: "attachment" },
    user(5, "go on"),
  ];

  it("goes from the history, and bookkeeping that hung on it is linked on", () => {
    const { entries, pruned: gone } = pruned(error);
    expect(entries.map((entry) => entry.uuid)).toEqual([1, 4, 5].map(id));
    expect(entries[1]).toEqual({ ...error[3], parentUuid: id(1) });
    expect(gone).toBe(2);
  });

  it("stays when told so", () => {
    expect(pruned(error, { dropApiErrors: false }).entries).toEqual(error);
  });
});

describe("interruptions", () => {
  const rejected = "The user doesn't want to proceed with this tool use. STOP what you are doing";
  const stop = (more: object, body: object = {}) => [
    user(1, "x"),
    assistant(2, [call("t1")]),
    user(3, [{ ...result("t1", rejected), is_error: true, ...body }], {
      more: { toolUseResult: "User rejected", ...more },
    }),
  ];

  for (const [name, entries] of Object.entries({
    "marked as rejected": stop({ toolDenialKind: "user-rejected" }),
    "marked as interrupted": stop({ toolDenialKind: "interrupted" }),
    "known by their text alone": stop({}),
  })) {
    it(`${name} say only that the outcome is not known, in the copy too`, () => {
      const { entries: after } = pruned(entries, { interruptText: "stopped from outside" });
      expect(contents(after)).toContain("stopped from outside");
      expect(JSON.stringify(after)).not.toContain("User rejected");
      expect(JSON.stringify(after)).not.toContain("STOP");
      expect(after.slice(0, 2)).toEqual(entries.slice(0, 2));
    });
  }

  it("are not seen in an answer that only quotes such words", () => {
    const quoted = stop({}, { is_error: false });
    expect(pruned(quoted).entries).toEqual(quoted);
    const kept = stop({ toolDenialKind: "user-rejected" });
    expect(pruned(kept, { neutralizeInterrupts: false }).entries).toEqual(kept);
  });
});
