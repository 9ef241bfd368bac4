import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { foldSessionSummary } from "@anthropic-ai/claude-agent-sdk";
import { afterAll, describe, expect, it } from "vitest";
import type { SessionKey, SessionStore, SessionStoreEntry } from "../../src/sessions/session-store.ts";
import { SqliteSessionStore } from "../../src/sessions/sqlite-session-store.ts";
import { storeContract } from "../../src/testing/store-contract.ts";
import { LogOnlyStore, MemorySessionStore } from "./memory-session-store.ts";

const folder = mkdtempSync(join(tmpdir(), "flower-contract-"));
const opened: SqliteSessionStore[] = [];

afterAll(() => {
  for (const store of opened) store.close();
  rmSync(folder, { recursive: true, force: true });
});

function sqlite(withFold: boolean): SqliteSessionStore {
  const path = join(folder, `${opened.length}.db`);
  const store = new SqliteSessionStore(withFold ? { path, fold: foldSessionSummary } : { path });
  opened.push(store);
  return store;
}

const STORES: ReadonlyArray<readonly [string, () => SessionStore]> = [
  ["the sqlite store", () => sqlite(true)],
  ["the sqlite store without summaries", () => sqlite(false)],
  ["a store in memory", () => new MemorySessionStore()],
  ["a store with nothing optional", () => new LogOnlyStore()],
];

for (const [name, make] of STORES) {
  describe(`${name} keeps the contract`, () => {
    const probe = make();
    for (const promise of storeContract(make)) {
      const isMet = promise.requires.every((method) => typeof probe[method] === "function");
      it.skipIf(!isMet)(promise.name, () => promise.run());
    }
  });
}

/** Ways to break a store, each with a promise that must then fail. */
const BROKEN: ReadonlyArray<readonly [string, string, () => SessionStore]> = [
  [
    "forgets uuids",
    "a batch appended again is stored once",
    () => {
      const store = new MemorySessionStore();
      let n = 0;
      const append = store.append.bind(store);
      store.append = (key: SessionKey, entries: SessionStoreEntry[]) =>
        append(
          key,
          entries.map((entry) => ({ ...entry, uuid: `${entry.uuid}#${n++}` })),
        );
      return store;
    },
  ],
  [
    "lists workers",
    "workers are not listed as sessions",
    () => {
      const store = new MemorySessionStore();
      store.listSessions = async () => ["s1", "s9"].map((sessionId) => ({ sessionId, mtime: 1 }));
      return store;
    },
  ],
  [
    "keeps workers of a deleted session",
    "deleting a session takes its workers along, and nobody else's",
    () => {
      const store = new MemorySessionStore();
      const listSubkeys = store.listSubkeys.bind(store);
      const remove = store.delete.bind(store);
      store.delete = async (key: SessionKey) => {
        store.listSubkeys = async () => [];
        await remove(key);
        store.listSubkeys = listSubkeys;
      };
      return store;
    },
  ],
  [
    "answers an unknown key with an empty list",
    "an unknown key loads as null",
    () => {
      const store = new MemorySessionStore();
      const load = store.load.bind(store);
      store.load = async (key: SessionKey) => (await load(key)) ?? [];
      return store;
    },
  ],
];

describe("the contract tells", () => {
  it.each(BROKEN)("a store that %s", async (_fault, name, make) => {
    const promise = storeContract(make).find((each) => each.name === name);
    await expect(promise?.run()).rejects.toThrow();
  });

  it("which optional methods a case needs, and refuses to run without them", async () => {
    const promise = storeContract(() => new LogOnlyStore()).find((each) => each.requires.includes("delete"));
    await expect(promise?.run()).rejects.toThrow(/delete/);
  });
});
