import { statSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { SqliteSessionStore } from "../../src/sessions/sqlite-session-store.ts";
import { StoreFolder } from "./store-folder.ts";

const folder = new StoreFolder();

const entry = (i: number, text: string) => ({ type: "user", uuid: `u${i}`, text });

async function fill(store: SqliteSessionStore, sessionId: string, mb: number): Promise<void> {
  for (let i = 0; i < mb; i += 1) {
    const entries = Array.from({ length: 10 }, (_, n) => entry(i * 10 + n, "x".repeat(100_000)));
    await store.append({ projectKey: "-w", sessionId }, entries);
  }
}

describe("the size of a session", () => {
  it("is that of its entries and its workers', in bytes", async () => {
    const store = folder.open();
    const key = { projectKey: "-w", sessionId: "s" };
    await store.append(key, [entry(1, "é")]);
    await store.append({ ...key, subpath: "subagents/a" }, [entry(2, "x")]);
    await store.append({ ...key, sessionId: "s0" }, [entry(3, "other")]);
    const bytes = (value: object) => Buffer.byteLength(JSON.stringify(value));
    expect(store.sizeOf("-w", "s")).toBe(bytes(entry(1, "é")) + bytes(entry(2, "x")));
    expect(store.sizeOf("-w", "gone")).toBe(0);
    expect(store.sizeOf("", "")).toBe(0);
  });
});

describe("the entries with certain words", () => {
  it("are found in a session and its workers' transcripts, all of them, and nowhere else", async () => {
    const store = folder.open();
    const key = { projectKey: "-w", sessionId: "s" };
    const many = Array.from({ length: 250 }, (_, i) => entry(i, i % 2 === 0 ? `see ${i}.txt` : "nothing"));
    await store.append(key, many);
    await store.append({ ...key, subpath: "subagents/a" }, [entry(1, "worker.txt")]);
    await store.append({ ...key, sessionId: "t" }, [entry(1, "other.txt")]);
    const found = [...store.entriesWith("-w", "s", ".txt")].map((text) => JSON.parse(text).text);
    expect(found).toHaveLength(126);
    expect(new Set(found).size).toBe(126);
    expect(found).toContain("worker.txt");
    expect([...store.entriesWith("-w", "s", "%")]).toEqual([]);
  });
});

describe("giving room back", () => {
  it("makes the file smaller by what was deleted, and keeps every byte of the rest", async () => {
    const store = folder.open();
    await fill(store, "kept", 1);
    await fill(store, "gone", 5);
    const before = await store.load({ projectKey: "-w", sessionId: "kept" });
    expect(store.compact()).toBe("nothing_free");
    await store.delete({ projectKey: "-w", sessionId: "gone" });
    expect(store.compact()).toBe("done");
    expect(await store.load({ projectKey: "-w", sessionId: "kept" })).toEqual(before);
    store.close();
    expect(statSync(store.path).size).toBeLessThan(1_500_000);
  });

  it("changes nothing while another process writes, and can be done later", async () => {
    const store = folder.open();
    await fill(store, "kept", 1);
    await fill(store, "gone", 2);
    await store.delete({ projectKey: "-w", sessionId: "gone" });
    const holder = folder.child("hold-lock", [store.path]);
    await holder.said(1);
    expect(store.compact()).toBe("in_use");
    holder.release();
    await holder.ended;
    expect(await store.load({ projectKey: "-w", sessionId: "kept" })).toHaveLength(10);
    expect(store.compact()).toBe("done");
  });

  it("changes nothing where there is no room for a copy", async () => {
    const store = folder.open();
    await fill(store, "kept", 3);
    await fill(store, "gone", 1);
    store.close();
    const child = folder.child("compact", [store.path, "gone"], { shell: "ulimit -f 2000" });
    await child.ended;
    expect(child.lines.map((line) => JSON.parse(line))).toEqual([{ result: "no_room", kept: 30 }]);
    const again = folder.open({ path: store.path });
    expect(await again.load({ projectKey: "-w", sessionId: "kept" })).toHaveLength(30);
    expect(again.compact()).toBe("done");
  });
});
