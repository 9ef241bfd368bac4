import { readFileSync } from "node:fs";
import Database from "libsql";
import { describe, expect, it } from "vitest";
import { StoreFolder } from "./store-folder.ts";

const folder = new StoreFolder();
const cases: ReadonlyArray<{
  id: string;
  input: { processes: number; appends: number };
  expected: { rows: number };
}> = JSON.parse(readFileSync(new URL("../fixtures/session-store-cases.json", import.meta.url), "utf8"));

interface Appended {
  readonly batch: number;
  readonly mtime: number;
}

describe("several processes on one file", () => {
  it.each([
    ["the same session", ["s", "s"]],
    ["a session each", ["s0", "s1"]],
  ])(
    "append at once to %s without losing or doubling a row (D-store-03)",
    async (_name, sessions) => {
      const { input, expected } = cases.find((each) => each.id === "D-store-03") ?? {
        input: { appends: 0 },
        expected: { rows: -1 },
      };
      const path = folder.file();
      const writers = sessions.map((session, i) =>
        folder.child("append", [path, session, `p${i}`, `${input.appends}`, "1"]),
      );
      await Promise.all(writers.map((writer) => writer.said(1)));
      for (const writer of writers) writer.release();
      await Promise.all(writers.map((writer) => writer.ended));
      for (const writer of writers) expect(writer.lines).toHaveLength(1 + input.appends);

      const db = new Database(path);
      const rows = db
        .prepare(
          "SELECT store_key, count(*) n, max(seq) last, count(DISTINCT uid) uids FROM entries GROUP BY 1",
        )
        .all() as Array<{ n: number; last: number; uids: number }>;
      expect(rows.reduce((sum, row) => sum + row.n, 0)).toBe(expected.rows);
      for (const row of rows) expect(row).toMatchObject({ uids: row.n, last: row.n - 1 });
      expect(db.prepare("PRAGMA integrity_check").get()).toMatchObject({ integrity_check: "ok" });
      db.close();
      if (sessions[0] === sessions[1]) return;
      // Each process saw its own session's time; no two appends of either ever had the same one.
      const times = writers.flatMap((writer) =>
        writer.lines.slice(1).map((line) => (JSON.parse(line) as Appended).mtime),
      );
      expect(new Set(times).size).toBe(expected.rows);
    },
    60_000,
  );

  it("open a new file at once", async () => {
    const path = folder.file();
    const openers = Array.from({ length: 4 }, (_, i) =>
      folder.child("append", [path, `s${i}`, "o", "1", "1"]),
    );
    for (const opener of openers) opener.release();
    await Promise.all(openers.map((opener) => opener.ended));
    for (const opener of openers) expect(opener.lines).toHaveLength(2);
    expect(await folder.open({ path }).listSessions("-w")).toHaveLength(4);
  }, 60_000);
});

describe("a process killed while it appends", () => {
  it("leaves whole batches only, each one it reported among them, in a file that opens", async () => {
    const path = folder.file();
    let reported = 0;
    for (let round = 0; round < 3; round += 1) {
      const writer = folder.child("append", [path, "s", `r${round}`, "100000", "7"]);
      writer.release();
      await writer.said(10 + round * 7);
      writer.kill();
      await writer.ended;
      reported += writer.lines.length - 1;

      const store = folder.open({ path });
      const entries = (await store.load({ projectKey: "-w", sessionId: "s" })) ?? [];
      const sizes = new Map<unknown, number>();
      for (const entry of entries) sizes.set(entry.batch, (sizes.get(entry.batch) ?? 0) + 1);
      expect([...sizes.values()].every((size) => size === 7)).toBe(true);
      expect(sizes.size).toBeGreaterThanOrEqual(reported);
      expect(sizes.size).toBeLessThanOrEqual(reported + 1 + round);
      store.close();
    }
  }, 60_000);
});
