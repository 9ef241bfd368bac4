// What flower relies on in a SessionStore, as cases any test runner can run. Stores of one's own are held to it too.

import assert from "node:assert/strict";
import type { SessionKey, SessionStore, SessionStoreEntry } from "../sessions/session-store.ts";

/** Methods a store may leave out. */
export type OptionalStoreMethod = "listSessions" | "listSessionSummaries" | "delete" | "listSubkeys";

/** One promise of the contract. */
export interface StoreContractCase {
  /** The promise, as a sentence. */
  readonly name: string;
  /** Optional methods the case calls: skip it for a store without them. */
  readonly requires: readonly OptionalStoreMethod[];
  /** Holds a new store to the promise; rejects with an AssertionError when it is broken. */
  run(): Promise<void>;
}

/** A store that has everything a case requires. */
type FullStore = Required<SessionStore>;

interface Promised {
  readonly name: string;
  readonly requires?: readonly OptionalStoreMethod[];
  readonly holds: (store: FullStore) => Promise<void>;
}

const MAIN: SessionKey = { projectKey: "-w", sessionId: "s1" };
const WORKER: SessionKey = { ...MAIN, subpath: "subagents/agent-a" };
const OTHER_WORKER: SessionKey = { ...MAIN, subpath: "subagents/agent-b" };
const OTHER_PROJECT: SessionKey = { projectKey: "-w2", sessionId: "s1" };
const UNKNOWN: SessionKey = { projectKey: "-w", sessionId: "never" };

function entry(uuid: string): SessionStoreEntry {
  return {
    type: "user",
    uuid,
    timestamp: "2026-01-01T00:00:00.000Z",
    message: { role: "user", content: uuid },
  };
}

function batch(...uuids: readonly string[]): SessionStoreEntry[] {
  return uuids.map(entry);
}

async function uuids(store: SessionStore, key: SessionKey): Promise<unknown[] | null> {
  return (await store.load(key))?.map((stored) => stored.uuid) ?? null;
}

async function sessions(store: FullStore, projectKey: string): Promise<string[]> {
  return (await store.listSessions(projectKey)).map((session) => session.sessionId).sort();
}

async function mtime(store: FullStore, key: SessionKey): Promise<number> {
  const listed = (await store.listSessions(key.projectKey)).find((each) => each.sessionId === key.sessionId);
  assert.ok(listed, `${key.sessionId} is not listed`);
  return listed.mtime;
}

const READING_AND_WRITING: readonly Promised[] = [
  {
    name: "entries come back in the order of append, deep-equal to what was given",
    async holds(store) {
      const given = [
        entry("b"),
        { type: "last-prompt", lastPrompt: "é\u0000\ud83d\ude00", n: [1, null, { x: 0.5 }] },
      ];
      await store.append(MAIN, given);
      await store.append(MAIN, batch("a"));
      assert.deepEqual(await store.load(MAIN), [...given, entry("a")]);
    },
  },
  {
    name: "an unknown key loads as null",
    async holds(store) {
      await store.append(MAIN, batch("a"));
      assert.equal(await store.load(UNKNOWN), null);
      assert.equal(await store.load(WORKER), null);
    },
  },
  {
    name: "appends that are not awaited are stored in the order of the calls",
    async holds(store) {
      const names = Array.from({ length: 40 }, (_, i) => `e${i}`);
      await Promise.all(names.map((name) => store.append(MAIN, batch(name))));
      assert.deepEqual(await uuids(store, MAIN), names);
    },
  },
  {
    name: "an empty append stores nothing and moves nothing",
    async holds(store) {
      await store.append(UNKNOWN, []);
      assert.equal((await store.load(UNKNOWN)) ?? null, null);
    },
  },
  {
    name: "a worker's transcript is apart from its session's",
    async holds(store) {
      await store.append(MAIN, batch("main"));
      await store.append(WORKER, batch("worker"));
      assert.deepEqual(await uuids(store, MAIN), ["main"]);
      assert.deepEqual(await uuids(store, WORKER), ["worker"]);
    },
  },
  {
    name: "projects are apart even where session ids are the same",
    async holds(store) {
      await store.append(MAIN, batch("here"));
      await store.append(OTHER_PROJECT, batch("there"));
      assert.deepEqual(await uuids(store, MAIN), ["here"]);
      assert.deepEqual(await uuids(store, OTHER_PROJECT), ["there"]);
    },
  },
  {
    name: "ids that are names of object properties are ids like any other",
    async holds(store) {
      for (const sessionId of ["constructor", "__proto__", "toString"]) {
        assert.equal(await store.load({ projectKey: "__proto__", sessionId }), null);
        await store.append({ projectKey: "__proto__", sessionId }, batch(sessionId));
        assert.deepEqual(await uuids(store, { projectKey: "__proto__", sessionId }), [sessionId]);
      }
    },
  },
  {
    name: "characters that are patterns in a query language are just characters",
    async holds(store) {
      await store.append({ projectKey: "a_c", sessionId: "s%" }, batch("1"));
      assert.equal(await store.load({ projectKey: "abc", sessionId: "s%" }), null);
      assert.equal(await store.load({ projectKey: "a_c", sessionId: "sx" }), null);
    },
  },
];

const REPLAYS: readonly Promised[] = [
  {
    name: "a batch appended again is stored once",
    async holds(store) {
      await store.append(MAIN, batch("e1", "e2"));
      await store.append(MAIN, batch("e1", "e2"));
      await Promise.all([store.append(MAIN, batch("e3")), store.append(MAIN, batch("e4"))]);
      assert.deepEqual(await uuids(store, MAIN), ["e1", "e2", "e3", "e4"]);
    },
  },
  {
    name: "the new entries of a half-known batch are stored, in order",
    async holds(store) {
      await store.append(MAIN, batch("e1", "e2"));
      await store.append(MAIN, batch("e2", "e3", "e1", "e4"));
      assert.deepEqual(await uuids(store, MAIN), ["e1", "e2", "e3", "e4"]);
    },
  },
  {
    name: "an entry twice in one batch is stored once",
    async holds(store) {
      await store.append(MAIN, batch("e1", "e1", "e2", "e1"));
      assert.deepEqual(await uuids(store, MAIN), ["e1", "e2"]);
    },
  },
  {
    name: "entries without a uuid are never taken for replays",
    async holds(store) {
      const title: SessionStoreEntry = { type: "custom-title", customTitle: "t" };
      await store.append(MAIN, [title, title]);
      await store.append(MAIN, [title]);
      assert.equal((await store.load(MAIN))?.length, 3);
    },
  },
  {
    name: "the same uuid in two transcripts is two entries",
    async holds(store) {
      await store.append(MAIN, batch("e1"));
      await store.append(WORKER, batch("e1"));
      await store.append(OTHER_PROJECT, batch("e1"));
      for (const key of [MAIN, WORKER, OTHER_PROJECT]) assert.deepEqual(await uuids(store, key), ["e1"]);
    },
  },
  {
    name: "a batch that is all replay does not move the session's time",
    requires: ["listSessions"],
    async holds(store) {
      await store.append(MAIN, batch("e1", "e2"));
      const before = await mtime(store, MAIN);
      await store.append(MAIN, batch("e2", "e1"));
      await store.append(MAIN, []);
      assert.equal(await mtime(store, MAIN), before);
    },
  },
];

const LISTS: readonly Promised[] = [
  {
    name: "sessions are listed by project",
    requires: ["listSessions"],
    async holds(store) {
      await store.append(MAIN, batch("1"));
      await store.append({ ...MAIN, sessionId: "s2" }, batch("2"));
      await store.append(OTHER_PROJECT, batch("3"));
      assert.deepEqual(await sessions(store, "-w"), ["s1", "s2"]);
      assert.deepEqual(await sessions(store, "-w2"), ["s1"]);
      assert.deepEqual(await sessions(store, "-"), []);
    },
  },
  {
    name: "workers are not listed as sessions",
    requires: ["listSessions"],
    async holds(store) {
      await store.append(MAIN, batch("1"));
      await store.append(WORKER, batch("2"));
      await store.append({ projectKey: "-w", sessionId: "s9", subpath: "flat" }, batch("3"));
      assert.deepEqual(await sessions(store, "-w"), ["s1"]);
    },
  },
  {
    name: "times are whole milliseconds and rise strictly with every append",
    requires: ["listSessions"],
    async holds(store) {
      const seen: number[] = [];
      for (let i = 0; i < 20; i += 1) {
        const key = { ...MAIN, sessionId: `s${i % 3}` };
        await store.append(key, batch(`e${i}`));
        seen.push(await mtime(store, key));
      }
      assert.ok(seen.every(Number.isInteger), `not whole: ${seen}`);
      assert.ok(
        seen.every((at, i) => i === 0 || at > (seen[i - 1] ?? at)),
        `not rising: ${seen}`,
      );
      assert.ok(Math.abs((seen[0] ?? 0) - Date.now()) < 60_000, "not epoch milliseconds");
    },
  },
  {
    name: "subkeys are those of the session's workers, without the session itself",
    requires: ["listSubkeys"],
    async holds(store) {
      await store.append(MAIN, batch("1"));
      await store.append(WORKER, batch("2"));
      await store.append(OTHER_WORKER, batch("3"));
      await store.append({ ...MAIN, sessionId: "s10", subpath: "subagents/agent-x" }, batch("4"));
      const subkeys = await store.listSubkeys({ projectKey: "-w", sessionId: "s1" });
      assert.deepEqual([...subkeys].sort(), ["subagents/agent-a", "subagents/agent-b"]);
      assert.deepEqual(await store.listSubkeys({ projectKey: "-w", sessionId: "never" }), []);
    },
  },
  {
    name: "summaries that are listed belong to listed sessions and share their clock",
    requires: ["listSessions", "listSessionSummaries"],
    async holds(store) {
      await store.append(MAIN, batch("1"));
      await store.append({ ...MAIN, sessionId: "s2" }, batch("2"));
      await store.append({ ...MAIN, sessionId: "s3", subpath: "subagents/agent-a" }, batch("3"));
      await store.append(MAIN, batch("4"));
      for (const summary of await store.listSessionSummaries("-w")) {
        assert.equal(summary.mtime, await mtime(store, { projectKey: "-w", sessionId: summary.sessionId }));
      }
      assert.deepEqual(await store.listSessionSummaries("-none"), []);
    },
  },
  {
    name: "neither a replay nor a worker's entry changes a session's summary",
    requires: ["listSessionSummaries"],
    async holds(store) {
      await store.append(MAIN, batch("1", "2"));
      const before = await store.listSessionSummaries("-w");
      await store.append(MAIN, batch("2"));
      await store.append(WORKER, batch("3"));
      assert.deepEqual(await store.listSessionSummaries("-w"), before);
    },
  },
];

const DELETION: readonly Promised[] = [
  {
    name: "a deleted session loads as null and is listed no more",
    requires: ["delete", "listSessions"],
    async holds(store) {
      await store.append(MAIN, batch("1"));
      await store.append({ ...MAIN, sessionId: "s10" }, batch("2"));
      await store.delete(MAIN);
      assert.equal(await store.load(MAIN), null);
      assert.deepEqual(await sessions(store, "-w"), ["s10"]);
    },
  },
  {
    name: "deleting a session takes its workers along, and nobody else's",
    requires: ["delete", "listSubkeys"],
    async holds(store) {
      const neighbours: readonly SessionKey[] = [
        { projectKey: "-w", sessionId: "s1x", subpath: "subagents/agent-a" },
        { projectKey: "-w2", sessionId: "s1", subpath: "subagents/agent-a" },
      ];
      for (const key of [MAIN, WORKER, OTHER_WORKER, ...neighbours]) await store.append(key, batch("1"));
      await store.delete(MAIN);
      for (const key of [MAIN, WORKER, OTHER_WORKER]) assert.equal(await store.load(key), null);
      for (const key of neighbours) assert.deepEqual(await uuids(store, key), ["1"]);
      assert.deepEqual(await store.listSubkeys(MAIN), []);
    },
  },
  {
    name: "deleting one worker's transcript leaves its session and the other workers",
    requires: ["delete", "listSubkeys"],
    async holds(store) {
      for (const key of [MAIN, WORKER, OTHER_WORKER]) await store.append(key, batch("1"));
      await store.delete(WORKER);
      assert.equal(await store.load(WORKER), null);
      assert.deepEqual(await uuids(store, MAIN), ["1"]);
      assert.deepEqual(await store.listSubkeys(MAIN), ["subagents/agent-b"]);
    },
  },
  {
    name: "a deleted session's summary goes with it",
    requires: ["delete", "listSessionSummaries"],
    async holds(store) {
      await store.append(MAIN, batch("1"));
      await store.delete(MAIN);
      assert.deepEqual(await store.listSessionSummaries("-w"), []);
    },
  },
  {
    name: "deleting what is not there is nothing, and a deleted key can be written again",
    requires: ["delete"],
    async holds(store) {
      await store.delete(UNKNOWN);
      await store.append(MAIN, batch("1", "2"));
      await store.delete(MAIN);
      await store.append(MAIN, batch("2"));
      assert.deepEqual(await uuids(store, MAIN), ["2"]);
    },
  },
];

function hasAll(store: SessionStore, methods: readonly OptionalStoreMethod[]): store is FullStore {
  return methods.every((method) => typeof store[method] === "function");
}

/**
 * The cases, each on a store of its own from `makeStore`, which must give an empty one every time.
 * `run` of a case whose `requires` the store does not meet rejects: skip those.
 * @param makeStore - opens an empty store; called once a case
 * @example
 * ```ts
 * import { mkdtempSync } from "node:fs";
 * import { test } from "node:test";
 * import { SqliteSessionStore } from "flower-agent";
 * import { storeContract } from "flower-agent/testing";
 *
 * const openStore = () => new SqliteSessionStore({ path: `${mkdtempSync("/tmp/store-")}/sessions.db` });
 * for (const promise of storeContract(openStore)) test(promise.name, () => promise.run());
 * ```
 */
export function storeContract(makeStore: () => SessionStore | Promise<SessionStore>): StoreContractCase[] {
  return [...READING_AND_WRITING, ...REPLAYS, ...LISTS, ...DELETION].map(
    ({ name, requires = [], holds }) => ({
      name,
      requires,
      async run() {
        const store = await makeStore();
        assert.ok(hasAll(store, requires), `the store lacks one of: ${requires.join(", ")}`);
        await holds(store);
      },
    }),
  );
}
