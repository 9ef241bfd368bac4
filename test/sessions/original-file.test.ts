// Files of the original, written in Python: the same four tables objects, no others, user_version 0, rollback journal.

import { foldSessionSummary } from "@anthropic-ai/claude-agent-sdk";
import Database from "libsql";
import { describe, expect, it } from "vitest";
import { StoreFolder } from "./store-folder.ts";

const folder = new StoreFolder();

const ORIGINAL_SCHEMA = `
  CREATE TABLE IF NOT EXISTS entries (store_key TEXT NOT NULL, seq INTEGER NOT NULL, uid TEXT, payload TEXT NOT NULL,
    PRIMARY KEY (store_key, seq));
  CREATE UNIQUE INDEX IF NOT EXISTS entries_uid ON entries(store_key, uid) WHERE uid IS NOT NULL;
  CREATE TABLE IF NOT EXISTS meta (store_key TEXT PRIMARY KEY, mtime INTEGER NOT NULL, next_seq INTEGER NOT NULL);
  CREATE TABLE IF NOT EXISTS summaries (project_key TEXT NOT NULL, session_id TEXT NOT NULL, mtime INTEGER NOT NULL,
    data TEXT NOT NULL, PRIMARY KEY (project_key, session_id));`;

/** Python's `json.dumps`: a space after separators, everything beyond ASCII escaped. */
const LINES = [
  '{"type": "user", "uuid": "1", "cwd": "/w", "message": {"role": "user", "content": "\\u4f60\\u597d"}}',
  '{"type": "summary", "summary": "old"}',
];

function originalFile(): string {
  const path = folder.file();
  const db = new Database(path);
  db.exec(ORIGINAL_SCHEMA);
  const insert = db.prepare("INSERT INTO entries VALUES (?, ?, ?, ?)");
  insert.run(["-w/s", 0, "1", LINES[0]]);
  insert.run(["-w/s", 1, null, LINES[1]]);
  insert.run(["-w/s/subagents/agent-1", 0, "2", '{"type": "user", "uuid": "2"}']);
  db.exec("INSERT INTO meta VALUES ('-w/s', 4000000000000, 2), ('-w/s/subagents/agent-1', 3999999999999, 1)");
  const data =
    '{"session_id": "s", "mtime": 4000000000000, "data": {"first_prompt": "\\u4f60\\u597d", "cwd": "/w"}}';
  db.prepare("INSERT INTO summaries VALUES ('-w', 's', 4000000000000, ?)").run([data]);
  db.close();
  return path;
}

/** Read a file as the original would: by plain SQL on its own tables. */
function rowsOf(path: string, sql: string): Array<Record<string, unknown>> {
  const db = new Database(path);
  const rows = db.prepare(sql).all() as Array<Record<string, unknown>>;
  db.close();
  return rows;
}

describe("a file of the original", () => {
  it("opens with everything in it, and its entries stay as they are", async () => {
    const path = originalFile();
    const store = folder.open({ path, fold: foldSessionSummary });
    expect(await store.load({ projectKey: "-w", sessionId: "s" })).toEqual(
      LINES.map((line) => JSON.parse(line)),
    );
    expect(await store.listSubkeys({ projectKey: "-w", sessionId: "s" })).toEqual(["subagents/agent-1"]);
    expect(await store.listSessions("-w")).toEqual([{ sessionId: "s", mtime: 4_000_000_000_000 }]);
    expect(store.hasSession("-w", "s")).toBe(true);
    expect(
      rowsOf(path, "SELECT payload FROM entries WHERE store_key = '-w/s' ORDER BY seq").map(
        (row) => row.payload,
      ),
    ).toEqual(LINES);
  });

  it("is appended to behind its last entry and its last time, without duplicates", async () => {
    const path = originalFile();
    const store = folder.open({ path });
    await store.append({ projectKey: "-w", sessionId: "s" }, [
      { type: "user", uuid: "1" },
      { type: "user", uuid: "3" },
    ]);
    expect(rowsOf(path, "SELECT seq, uid FROM entries WHERE store_key = '-w/s' ORDER BY seq")).toEqual([
      { seq: 0, uid: "1" },
      { seq: 1, uid: null },
      { seq: 2, uid: "3" },
    ]);
    expect(
      rowsOf(path, "SELECT mtime, next_seq, typeof(mtime) t FROM meta WHERE store_key = '-w/s'"),
    ).toEqual([{ mtime: 4_000_000_000_001, next_seq: 3, t: "integer" }]);
  });

  it("has summaries in another dialect: not listed, and folded afresh with the next append", async () => {
    const store = folder.open({ path: originalFile(), fold: foldSessionSummary });
    expect(await store.listSessionSummaries("-w")).toEqual([]);
    await store.append({ projectKey: "-w", sessionId: "s" }, [{ type: "custom-title", customTitle: "t" }]);
    const [summary] = await store.listSessionSummaries("-w");
    expect(summary?.data).toMatchObject({ firstPrompt: "你好", customTitle: "t" });
  });
});

describe("a file of this store", () => {
  it("is one the original can open: its tables as it makes them, schema version 0, whole summaries", async () => {
    const path = folder.file();
    const store = folder.open({ path, fold: foldSessionSummary });
    await store.append({ projectKey: "-w", sessionId: "s" }, [{ type: "user", uuid: "1", cwd: "/w" }]);
    store.close();
    expect(rowsOf(path, "PRAGMA user_version")).toEqual([{ user_version: 0 }]);
    const shape =
      'SELECT m.name AS name, c.name AS col, c.type, c."notnull", c.pk FROM sqlite_master m ' +
      "JOIN pragma_table_info(m.name) c WHERE m.name IN ('entries', 'meta', 'summaries') ORDER BY m.name, c.cid";
    expect(rowsOf(path, shape)).toEqual(rowsOf(originalFile(), shape));
    const index = "SELECT name, tbl_name FROM sqlite_master WHERE name = 'entries_uid'";
    expect(rowsOf(path, index)).toEqual(rowsOf(originalFile(), index));
    const [row] = rowsOf(path, "SELECT mtime, data FROM summaries");
    expect(JSON.parse(String(row?.data))).toMatchObject({
      session_id: "s",
      mtime: row?.mtime,
      data: { cwd: "/w" },
    });
  });
});
