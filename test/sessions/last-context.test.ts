import { describe, expect, it } from "vitest";
import type { SessionStoreEntry } from "../../src/sessions/session-store.ts";
import { StoreFolder } from "./store-folder.ts";

const folder = new StoreFolder();

function turn(usage: unknown, extra: Record<string, unknown> = {}): SessionStoreEntry {
  return { type: "assistant", isSidechain: false, message: { model: "claude-x", usage }, ...extra };
}

const usage = {
  input_tokens: 10,
  cache_read_input_tokens: 2_000,
  cache_creation_input_tokens: 300,
  output_tokens: 9,
};
const noise: SessionStoreEntry = { type: "queue-operation" };

async function contextOf(entries: SessionStoreEntry[], scan?: number): Promise<number> {
  const store = folder.open();
  await store.append({ projectKey: "-w", sessionId: "s" }, entries);
  return store.lastContext("-w", "s", scan === undefined ? {} : { scan });
}

describe("the last context of a session", () => {
  it.each<[string, SessionStoreEntry[], number]>([
    ["counts cached tokens, they are in the context too", [turn(usage)], 2_310],
    ["is that of the last turn", [turn({ input_tokens: 1 }), turn(usage), noise], 2_310],
    [
      "passes over errors the harness made up",
      [turn(usage), turn({ input_tokens: 5 }, { isApiErrorMessage: true })],
      2_310,
    ],
    [
      "passes over synthetic messages",
      [turn(usage), { type: "assistant", message: { model: "<synthetic>", usage: { input_tokens: 7 } } }],
      2_310,
    ],
    ["passes over a worker's turn", [turn(usage), turn({ input_tokens: 7 }, { isSidechain: true })], 2_310],
    [
      "passes over a turn that tells nothing",
      [turn(usage), turn({ input_tokens: 0 }), turn(undefined)],
      2_310,
    ],
    ["counts no nonsense", [turn({ input_tokens: "9", cache_read_input_tokens: -1 })], 0],
    ["is 0 when nothing tells", [noise, { type: "user", message: { usage } }, turn(null)], 0],
  ])("%s", async (_name, entries, expected) => {
    expect(await contextOf(entries)).toBe(expected);
  });

  it("looks at the last 60 entries unless told otherwise", async () => {
    const late = [turn(usage), ...Array.from({ length: 59 }, () => noise)];
    expect(await contextOf(late)).toBe(2_310);
    expect(await contextOf([...late, noise])).toBe(0);
    expect(await contextOf([...late, noise], 61)).toBe(2_310);
    expect(await contextOf(late, 59)).toBe(0);
  });

  it("is 0 for a session that is not there, and options nobody reads are refused", () => {
    const store = folder.open();
    expect(store.lastContext("-w", "never")).toBe(0);
    expect(store.lastContext("a/b", "s")).toBe(0);
    expect(() => store.lastContext("-w", "s", { scan: 0 })).toThrow(
      expect.objectContaining({ code: "bad_option" }),
    );
    expect(() => store.lastContext("-w", "s", { scna: 1 } as object)).toThrow(
      expect.objectContaining({ code: "unknown_option" }),
    );
  });
});
