// What rewriting costs when a long session is resumed: loading 20 MB through the pruning store against reading the same
// rows and parsing them, and the memory of both. `node bench/rewrite.bench.mjs [dist]` after a build; every
// measurement runs in a process of its own.

import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const PAYLOAD_BYTES = 20 * 1024 * 1024;
const ROUNDS = 7;
const KEY = { projectKey: "-home-person-ws", sessionId: "00000000-0000-4000-8000-000000000001" };

const [, , dist = "dist", mode, folder] = process.argv;
const from = (path) => import(pathToFileURL(resolve(dist, path)));

/** Results as long sessions have them: most short, a third of some thousand characters, a tenth long. */
function resultOf(i) {
  const length = i % 10 === 0 ? 20_000 : i % 10 < 4 ? 3_000 : 200;
  return `result ${i} ${"the quick brown fox\n".repeat(length / 20)}`;
}

function turnOf(i) {
  const common = {
    isSidechain: false,
    userType: "external",
    cwd: "/home/person/ws",
    sessionId: KEY.sessionId,
    version: "1",
  };
  const command = i % 3 === 0 ? "git status" : `npm test -- part-${i}`;
  const text = resultOf(i);
  const denial = i % 40 === 0 ? { toolDenialKind: "permission-rule" } : {};
  return [
    {
      ...common,
      type: "assistant",
      uuid: `a-${i}`,
      parentUuid: i === 0 ? null : `r-${i - 1}`,
      message: {
        id: `msg-${i}`,
        role: "assistant",
        model: "m",
        content: [{ type: "tool_use", id: `t-${i}`, name: "Bash", input: { command } }],
      },
    },
    {
      ...common,
      ...denial,
      type: "user",
      uuid: `r-${i}`,
      parentUuid: `a-${i}`,
      message: { role: "user", content: [{ type: "tool_result", tool_use_id: `t-${i}`, content: text }] },
      toolUseResult: { stdout: text, stderr: "", interrupted: false },
    },
  ];
}

async function fill() {
  const { SqliteSessionStore } = await from("sessions/sqlite-session-store.js");
  const store = new SqliteSessionStore({ path: join(folder, "sessions.db") });
  let bytes = 0;
  for (let i = 0; bytes < PAYLOAD_BYTES; i += 1) {
    const entries = turnOf(i);
    bytes += JSON.stringify(entries).length;
    await store.append(KEY, entries);
  }
  store.close();
  return { bytes };
}

/** Milliseconds this thread has had of a processor, where the system tells; a busy machine does not count then. */
function clock() {
  const path = `/proc/self/task/${process.pid}/schedstat`;
  return existsSync(path) ? Number(readFileSync(path, "utf8").split(" ")[0]) / 1e6 : performance.now();
}

function median(values) {
  return values.sort((a, b) => a - b)[Math.floor(values.length / 2)];
}

/** The median of several loads, and how much memory the first one took. */
async function measure() {
  const { SqliteSessionStore } = await from("sessions/sqlite-session-store.js");
  const { PruningSessionStore } = await from("sessions/pruning-session-store.js");
  const inner = new SqliteSessionStore({ path: join(folder, "sessions.db") });
  const workspace = join(folder, "ws");
  const store = mode === "plain" ? inner : new PruningSessionStore({ inner, workspace });
  const before = process.resourceUsage().maxRSS;
  const times = [];
  let peak = 0;
  for (let round = 0; round < ROUNDS; round += 1) {
    const started = clock();
    const entries = await store.load(KEY);
    times.push(clock() - started);
    if (round === 0) peak = process.resourceUsage().maxRSS - before;
    if (entries === null) process.exitCode = 1;
  }
  const [first] = times;
  inner.close();
  return { first, later: median(times.slice(1)), peakBytes: peak * 1024, report: store.lastReport };
}

function child(what, where) {
  const output = execFileSync(process.execPath, [fileURLToPath(import.meta.url), dist, what, where], {
    encoding: "utf8",
  });
  return JSON.parse(output);
}

function main() {
  const where = mkdtempSync(join(tmpdir(), "flower-bench-"));
  try {
    mkdirSync(join(where, "ws"));
    const { bytes } = child("fill", where);
    const plain = child("plain", where);
    const first = child("pruning", where);
    const again = child("pruning", where);
    const ratio = (a, b) => (a / b).toFixed(2);
    console.log(`payload: ${(bytes / 1e6).toFixed(1)} MB; ${JSON.stringify(again.report)}`);
    console.log(`read and parse: ${plain.later.toFixed(0)} ms (first ${plain.first.toFixed(0)} ms)`);
    console.log(
      `with all rewrites: ${again.later.toFixed(0)} ms, ratio ${ratio(again.later, plain.later)} (goal 2)`,
    );
    console.log(`first load of a process, files there: ratio ${ratio(again.first, plain.first)}`);
    console.log(`the very first load, which writes the files: ratio ${ratio(first.first, plain.first)}`);
    console.log(
      `peak memory over payload: ${ratio(again.peakBytes, bytes)} (goal 3), reading alone ${ratio(plain.peakBytes, bytes)}`,
    );
  } finally {
    rmSync(where, { recursive: true, force: true });
  }
}

if (mode === undefined) main();
else console.log(JSON.stringify(mode === "fill" ? await fill() : await measure()));
