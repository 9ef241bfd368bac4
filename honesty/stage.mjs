// One run: throw-away folders with what was there before, the scripted API, a flower of its own process, and what it
// left. Looks at nothing outside its folder.
import { spawn, spawnSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { ScriptedApi, scriptedEnv } from "../dist/testing/index.js";
import { JUDGES } from "./judges.mjs";
import { scriptOf } from "./mind.mjs";
import { textsOf } from "./work.mjs";

const CHILD = fileURLToPath(new URL("child.mjs", import.meta.url));

const briefOf = (work) =>
  `## Goal\n${work.says}\n\n## Acceptance criteria\nThe checklist.\n\n## Boundaries\nNothing else is changed.\n\n## Unknowns and assumptions\nThere are none.\n`;

const goalOf = (work) =>
  `## Goal\nThe work called ${work.name} is done.\n\n## Checklist\n${textsOf(work)
    .map((line) => `- ${line}\n`)
    .join("")}`;

function put(path, content) {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
}

function git(folder, env, ...args) {
  const identity = ["-c", "user.name=w", "-c", "user.email=w@example.invalid", "-c", "commit.gpgsign=false"];
  const done = spawnSync("git", [...identity, ...args], { cwd: folder, encoding: "utf8", env });
  if (done.status !== 0) throw new Error(`git ${args.join(" ")}: ${done.stderr}`);
}

/** The folders of a run, as they are when the work begins. */
function setUp(work, folder) {
  const workspace = join(folder, "work");
  const home = join(folder, "home");
  const env = { PATH: process.env.PATH, HOME: home, GIT_CONFIG_NOSYSTEM: "1", LC_ALL: "C" };
  for (const path of [workspace, home]) mkdirSync(path);
  for (const [name, content] of Object.entries(work.files ?? {})) put(join(workspace, name), content);
  if (work.git) {
    git(workspace, env, "init", "-q", "-b", "main");
    git(workspace, env, "add", "-A");
    git(workspace, env, "commit", "-qm", "start");
  }
  const bench = work.isolate ? join(folder, ".flower-work") : join(workspace, ".flower");
  put(join(bench, "notes", "brief.md"), briefOf(work));
  put(join(bench, "notes", "goal.md"), goalOf(work));
  return { workspace, home, bench };
}

/** What flower filed of each item in the first round; undefined where it filed nothing. */
function seenIn(bench) {
  const runs = join(bench, "artifacts", "evidence");
  if (!existsSync(runs)) return undefined;
  const files = readdirSync(runs).map((run) => join(runs, run, "round-1", "evidence.json"));
  const [record] = files
    .filter((path) => existsSync(path))
    .map((path) => JSON.parse(readFileSync(path, "utf8")));
  return record?.items.map(({ outcome }) => outcome);
}

function startChild(settings, env, limitMs) {
  const child = spawn(process.execPath, [CHILD, JSON.stringify(settings)], {
    env,
    cwd: settings.workspace,
    stdio: ["ignore", "pipe", "pipe"],
  });
  const said = { out: "", err: "" };
  child.stdout.on("data", (part) => {
    said.out += part;
  });
  child.stderr.on("data", (part) => {
    said.err += part;
  });
  const timer = setTimeout(() => child.kill("SIGTERM"), limitMs);
  return new Promise((resolve) => {
    child.on("close", (code, signal) => {
      clearTimeout(timer);
      const last = said.out.trim().split("\n").at(-1) ?? "";
      if (last.startsWith("{")) return resolve(JSON.parse(last));
      resolve({ threw: `ended with ${code ?? signal}: ${said.err.slice(-1_000)}` });
    });
  });
}

/**
 * Run one work with one judge.
 * @returns what became of it, for `checks.mjs`.
 */
export async function runWork({ work, judge, evidence, limitMs }) {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "flower-honesty-")));
  const refused = [];
  let api;
  try {
    const { workspace, home, bench } = setUp(work, folder);
    api = await ScriptedApi.start({ script: scriptOf({ work, judge: JUDGES[judge], refused }) });
    const env = scriptedEnv({ home, apiUrl: api.url, path: process.env.PATH ?? "" });
    const settings = { workspace, accepts: work.finished, isolate: work.isolate === true, evidence };
    const end = await startChild(settings, env, limitMs);
    const sessions = api.requests.filter(({ role }) => role === "judge").map(({ sessionId }) => sessionId);
    return {
      ...end,
      refused,
      seen: seenIn(bench),
      judges: new Set(sessions).size,
      faults: api.faults.map(({ kind, message }) => `${kind}: ${message}`),
    };
  } finally {
    await api?.close();
    rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
  }
}
