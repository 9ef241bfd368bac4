import { existsSync, readFileSync, statSync } from "node:fs";
import { relative } from "node:path";
import { foldSessionSummary } from "@anthropic-ai/claude-agent-sdk";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { SessionKey, SessionStoreEntry } from "../../src/sessions/session-store.ts";
import { SqliteSessionStore } from "../../src/sessions/sqlite-session-store.ts";
import { StoreFolder } from "./store-folder.ts";

const folder = new StoreFolder();
const MAIN: SessionKey = { projectKey: "-w", sessionId: "s" };
const WORKER: SessionKey = { ...MAIN, subpath: "subagents/agent-1" };

interface Case {
  readonly id: string;
  readonly input: unknown;
  readonly expected: Record<string, unknown>;
}
const cases: readonly Case[] = JSON.parse(
  readFileSync(new URL("../fixtures/session-store-cases.json", import.meta.url), "utf8"),
);
function fixture(id: string): Case {
  const found = cases.find((each) => each.id === id);
  if (found === undefined) throw new Error(`no case ${id}`);
  return found;
}

function user(uuid: string, text = uuid): SessionStoreEntry {
  return { type: "user", uuid, cwd: "/w", message: { role: "user", content: text } };
}

describe("appending", () => {
  it("keeps entries once and in the order of the calls through slow and concurrent retries (D-store-07)", async () => {
    const { input, expected } = fixture("D-store-07");
    const store = folder.open();
    const { calls } = input as { calls: string[][] };
    await store.append(
      MAIN,
      (calls[0] ?? []).map((uuid) => user(uuid)),
    );
    await store.append(
      MAIN,
      (calls[1] ?? []).map((uuid) => user(uuid)),
    );
    await Promise.all(
      calls.slice(2).map((call) =>
        store.append(
          MAIN,
          call.map((uuid) => user(uuid)),
        ),
      ),
    );
    expect((await store.load(MAIN))?.map((entry) => entry.uuid)).toEqual(expected.stored);
  });

  it("is done when the call returns, so that a process that goes away next loses nothing", () => {
    const store = folder.open();
    void store.append(MAIN, [user("1")]);
    expect(store.hasSession("-w", "s")).toBe(true);
  });

  it("stores what was handed over, not what the caller makes of it later", async () => {
    const store = folder.open();
    const entry = user("1", "before");
    const appended = store.append(MAIN, [entry]);
    entry.message = "after";
    await appended;
    expect((await store.load(MAIN))?.[0]?.message).toEqual({ role: "user", content: "before" });
  });

  it("takes ids that are names of object properties (D-store-08)", async () => {
    const store = folder.open();
    for (const name of fixture("D-store-08").input as string[]) {
      const key = { projectKey: "-w", sessionId: name, subpath: name };
      await store.append({ projectKey: "-w", sessionId: name }, [user(name)]);
      await store.append(key, [{ type: "x", ...JSON.parse(`{"${name}": {"polluted": true}}`) }]);
      expect(store.hasSession("-w", name)).toBe(true);
      expect(JSON.stringify(await store.load(key))).toBe(`[{"type":"x","${name}":{"polluted":true}}]`);
    }
    expect((await store.listSessions("-w")).map((session) => session.sessionId).sort()).toEqual(
      [...(fixture("D-store-08").input as string[])].sort(),
    );
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
  });

  it("gives back any JSON under any key it accepts", async () => {
    const store = folder.open();
    const part = fc.string({ unit: "binary", minLength: 1, maxLength: 12 });
    let run = 0;
    await fc.assert(
      fc.asyncProperty(part, part, fc.array(fc.jsonValue()), async (project, session, values) => {
        run += 1;
        const key = { projectKey: `${run}${project}`, sessionId: session };
        const entries = values.map((value) => ({ type: "any", value }));
        const isBad = /[\0/]/.test(project + session);
        if (isBad) {
          await expect(store.append(key, entries)).rejects.toMatchObject({ code: "bad_session_key" });
          return;
        }
        await store.append(key, entries);
        expect(await store.load(key)).toEqual(
          values.length === 0 ? null : JSON.parse(JSON.stringify(entries)),
        );
        expect(await store.listSessions(key.projectKey)).toHaveLength(values.length === 0 ? 0 : 1);
      }),
      { numRuns: 60 },
    );
  });

  it.each([
    { projectKey: "a/b", sessionId: "s" },
    { projectKey: "-w", sessionId: "s/subagents/agent-1" },
    { projectKey: "", sessionId: "s" },
    { projectKey: "-w", sessionId: "" },
    { projectKey: "-w", sessionId: "\ud800" },
    { projectKey: "-w", sessionId: "s", subpath: "a\0b" },
    { projectKey: true, sessionId: "s" } as unknown as SessionKey,
  ])("refuses %j, which would be read back as another key", async (key) => {
    const store = folder.open();
    await store.append(WORKER, [user("1")]);
    await expect(store.append(key, [user("2")])).rejects.toMatchObject({ code: "bad_session_key" });
    expect(await store.load(key)).toBeNull();
    expect(store.hasSession(key.projectKey, key.sessionId)).toBe(false);
    await store.delete(key);
    expect(await store.load(WORKER)).toHaveLength(1);
  });

  it("takes an empty subpath for the session itself", async () => {
    const store = folder.open({ fold: foldSessionSummary });
    await store.append({ ...MAIN, subpath: "" }, [user("1")]);
    expect(await store.load(MAIN)).toHaveLength(1);
    expect(await store.listSessionSummaries("-w")).toHaveLength(1);
  });

  it("refuses what is not an entry before anything of the batch is stored", async () => {
    const store = folder.open();
    const entries = [user("1"), undefined] as SessionStoreEntry[];
    await expect(store.append(MAIN, entries)).rejects.toThrow();
    expect(await store.load(MAIN)).toBeNull();
  });
});

describe("summaries", () => {
  it("are folded by the harness's own function, in step with the list of sessions", async () => {
    const store = folder.open({ fold: foldSessionSummary });
    await store.append(MAIN, [user("1", "first words")]);
    await store.append(MAIN, [{ type: "custom-title", customTitle: "named" }]);
    await store.append(WORKER, [user("2", "a worker's words")]);
    const [session] = await store.listSessions("-w");
    const [summary, ...others] = await store.listSessionSummaries("-w");
    expect(others).toEqual([]);
    expect(summary).toMatchObject({ sessionId: "s", mtime: session?.mtime });
    expect(summary?.data).toMatchObject({ firstPrompt: "first words", customTitle: "named", cwd: "/w" });
  });

  it("are not kept without a fold, and one left behind by another opener is not passed off as current", async () => {
    const path = folder.file();
    const folding = folder.open({ path, fold: foldSessionSummary });
    const plain = folder.open({ path });
    await folding.append(MAIN, [user("1", "one")]);
    expect(await plain.listSessionSummaries("-w")).toHaveLength(1);
    await plain.append(MAIN, [{ type: "custom-title", customTitle: "unseen" }]);
    expect(await plain.listSessionSummaries("-w")).toEqual([]);
    expect(await folding.listSessionSummaries("-w")).toEqual([]);
    await folding.append(MAIN, [user("2", "two")]);
    const [summary] = await folding.listSessionSummaries("-w");
    expect(summary?.data).toMatchObject({ firstPrompt: "one", customTitle: "unseen" });
  });

  it("never cost the transcript: a fold that throws leaves the entries stored", async () => {
    let calls = 0;
    const store = folder.open({
      fold() {
        calls += 1;
        throw new TypeError("cannot fold");
      },
    });
    await store.append(MAIN, [user("1")]);
    await store.append(MAIN, [user("2")]);
    expect(await store.load(MAIN)).toHaveLength(2);
    expect(await store.listSessionSummaries("-w")).toEqual([]);
    expect(calls).toBe(1);
  });
});

describe("times", () => {
  it("rise strictly over two openers of one file, whatever their clocks", async () => {
    const path = folder.file();
    const stores = [folder.open({ path }), folder.open({ path })];
    const seen: number[] = [];
    for (let i = 0; i < 12; i += 1) {
      const store = stores[i % 2];
      const sessionId = `s${i % 4}`;
      await store?.append({ projectKey: `-w${i % 3}`, sessionId }, [user(`${i}`)]);
      const sessions = await store?.listSessions(`-w${i % 3}`);
      seen.push(sessions?.find((session) => session.sessionId === sessionId)?.mtime ?? 0);
    }
    expect(seen.every((at, i) => i === 0 || at > (seen[i - 1] ?? at))).toBe(true);
    expect(seen.every(Number.isInteger)).toBe(true);
  });
});

describe("flower's own questions", () => {
  it("are answered without awaiting: projects, sessions", async () => {
    const store = folder.open();
    expect(store.projects()).toEqual([]);
    await store.append({ projectKey: "-b", sessionId: "s" }, [user("1")]);
    await store.append({ projectKey: "-a", sessionId: "t", subpath: "x" }, [user("2")]);
    expect(store.projects()).toEqual(["-a", "-b"]);
    expect(store.hasSession("-b", "s")).toBe(true);
    expect(store.hasSession("-a", "s")).toBe(false);
    expect(store.hasSession("-a", "t")).toBe(false);
  });

  it("remember which sessions have a hole, for other openers too, until the session is deleted", async () => {
    const path = folder.file();
    const store = folder.open({ path });
    await store.append(MAIN, [user("1")]);
    expect(store.isIncomplete("-w", "s")).toBe(false);
    store.markIncomplete("-w", "s", "append\0 failed");
    store.markIncomplete("-w", "s", "again");
    const other = folder.open({ path });
    expect(other.isIncomplete("-w", "s")).toBe(true);
    expect(other.incompleteReason("-w", "s")).toBe("append failed");
    expect(other.isIncomplete("-w", "t")).toBe(false);
    expect(await other.load(MAIN)).toHaveLength(1);
    await other.delete(MAIN);
    expect(store.isIncomplete("-w", "s")).toBe(false);
  });
});

describe("closing", () => {
  it("leaves the file whole without its log, refuses what comes after, and may be done twice", async () => {
    const store = folder.open();
    await store.append(MAIN, [user("1")]);
    store.close();
    store.close();
    expect(existsSync(`${store.path}-wal`) ? statSync(`${store.path}-wal`).size : 0).toBe(0);
    expect(readFileSync(store.path).includes('"uuid":"1"')).toBe(true);
    await expect(store.load(MAIN)).rejects.toMatchObject({ name: "StoreError", code: "store_closed" });
    expect(() => store.projects()).toThrow(expect.objectContaining({ code: "store_closed" }));
  });
});

describe("options", () => {
  it.each([
    [{ path: "" }, "bad_option"],
    [{ path: ":memory:" }, "bad_option"],
    [{ path: 5 }, "bad_option"],
    [{}, "bad_option"],
    [{ path: "x.db", lockWaitS: 0 }, "bad_option"],
    [{ path: "x.db", lockWaitS: Number.NaN }, "bad_option"],
    [{ path: "x.db", fold: "yes" }, "bad_option"],
    [{ path: "x.db", paht: "y" }, "unknown_option"],
    ["x.db", "bad_options"],
  ])("refuse %j", (options, code) => {
    expect(() => new SqliteSessionStore(options as never)).toThrow(expect.objectContaining({ code }));
  });

  it("take a path relative to the working folder, and keep it absolute", () => {
    const path = folder.file();
    expect(folder.open({ path: relative(process.cwd(), path) }).path).toBe(path);
  });

  it("take a path that looks like an address for a path", () => {
    const store = folder.open({ path: `${folder.path}/libsql:/x?mode=memory#y.db` });
    expect(store.path).toBe(`${folder.path}/libsql:/x?mode=memory#y.db`);
    expect(existsSync(store.path)).toBe(true);
  });
});
