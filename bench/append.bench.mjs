// What the session store costs on append: batches as the harness sends them, against bare transactions that write the
// same rows to the same tables with the same pragmas. `node bench/append.bench.mjs [dist]` after a build.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import Database from "libsql";

const BATCHES = 300;
const ENTRIES = 3;
const ROUNDS = 5;

const dist = resolve(process.argv[2] ?? "dist");
const { SqliteSessionStore } = await import(pathToFileURL(join(dist, "sessions/sqlite-session-store.js")));
const folder = mkdtempSync(join(tmpdir(), "flower-bench-"));

function batches(session) {
  return Array.from({ length: BATCHES }, (_, b) =>
    Array.from({ length: ENTRIES }, (_, e) => ({
      type: e === 0 ? "assistant" : "attachment",
      uuid: `${session}-${b}-${e}`,
      timestamp: new Date(0).toISOString(),
      message: { role: "assistant", content: [{ type: "text", text: "x".repeat(800) }] },
    })),
  );
}

function openBare(path) {
  const db = new Database(path);
  db.exec("PRAGMA busy_timeout = 10000");
  db.exec("PRAGMA synchronous = FULL");
  db.prepare("PRAGMA journal_mode = WAL").get();
  db.exec(`CREATE TABLE entries (store_key TEXT NOT NULL, seq INTEGER NOT NULL, uid TEXT, payload TEXT NOT NULL,
    PRIMARY KEY (store_key, seq));
    CREATE UNIQUE INDEX entries_uid ON entries (store_key, uid) WHERE uid IS NOT NULL;
    CREATE TABLE meta (store_key TEXT PRIMARY KEY, mtime INTEGER NOT NULL, next_seq INTEGER NOT NULL);`);
  return db;
}

function bare(path, all) {
  const db = openBare(path);
  const insert = db.prepare("INSERT INTO entries VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING");
  const touch = db.prepare(
    "INSERT INTO meta VALUES (?, ?, ?) ON CONFLICT (store_key) DO UPDATE SET mtime = excluded.mtime, next_seq = excluded.next_seq",
  );
  const started = performance.now();
  let seq = 0;
  for (const entries of all) {
    db.exec("BEGIN IMMEDIATE");
    for (const entry of entries) {
      insert.run("p/s", seq, entry.uuid, JSON.stringify(entry));
      seq += 1;
    }
    touch.run("p/s", Date.now(), seq);
    db.exec("COMMIT");
  }
  const took = performance.now() - started;
  db.close();
  return took;
}

async function store(path, all) {
  const sessions = new SqliteSessionStore({ path });
  const started = performance.now();
  for (const entries of all) await sessions.append({ projectKey: "p", sessionId: "s" }, entries);
  const took = performance.now() - started;
  sessions.close();
  return took;
}

const median = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];
const ratios = [];
for (let round = 0; round < ROUNDS; round += 1) {
  const all = batches(`r${round}`);
  const plain = bare(join(folder, `bare-${round}.db`), all);
  const ours = await store(join(folder, `store-${round}.db`), all);
  ratios.push(ours / plain);
  console.log(`round ${round + 1}: bare ${plain.toFixed(0)} ms, store ${ours.toFixed(0)} ms`);
}
rmSync(folder, { recursive: true, force: true });
console.log(
  `append, ${BATCHES} batches of ${ENTRIES}: store / bare transactions = ${median(ratios).toFixed(2)} (median)`,
);
