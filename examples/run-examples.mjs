// Runs every example on a scripted model: the real harness, no key, no network. Usage: npm run examples [name…]
import { spawn } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { ScriptedApi, scriptedEnv } from "flower-agent/testing";
import { EXAMPLES } from "./scripts.mjs";

const root = join(import.meta.dirname, "..");
const jiti = join(root, "node_modules", "jiti", "lib", "jiti-cli.mjs");
const flower = join(root, "dist", "cli", "main.js");
const LIMIT_MS = 180_000;

function commandOf({ name, runBy }) {
  const path = join(import.meta.dirname, name);
  return runBy === undefined ? [jiti, path] : [flower, ...runBy(path)];
}

/** Runs it once. `meets` of a run says who does what as soon as the output matches: a browser, a signal. */
function start(example, { meets }, { cwd, home, apiUrl }) {
  const env = scriptedEnv({ home, apiUrl, path: process.env.PATH ?? "", extra: { JITI_FS_CACHE: "false" } });
  const child = spawn(process.execPath, commandOf(example), { cwd, env, stdio: ["ignore", "pipe", "pipe"] });
  let output = "";
  let meeting;
  /** It may be waiting for what now never comes. */
  const giveUp = (error) => {
    child.kill("SIGKILL");
    return String(error);
  };
  const meet = () => {
    const found = meeting === undefined ? meets?.sees.exec(output) : null;
    if (found) meeting = Promise.resolve(meets.does({ found, child })).then(() => undefined, giveUp);
  };
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (chunk) => {
      output += chunk;
      meet();
    });
  }
  const timer = setTimeout(() => child.kill("SIGKILL"), LIMIT_MS);
  return new Promise((resolve) => {
    child.on("error", (error) => resolve({ code: -1, output: String(error) }));
    child.on("close", async (code) => {
      clearTimeout(timer);
      resolve({ code, output, fault: await meeting });
    });
  });
}

/** What is wrong with one start of it; empty when nothing is. */
function faultsOf({ prints, exits = 0, leaves = [] }, { code, output, fault }, cwd) {
  const faults = code === exits ? [] : [`exit ${code}`];
  for (const pattern of prints) if (!pattern.test(output)) faults.push(`did not print ${pattern}`);
  for (const path of leaves) if (!existsSync(join(cwd, path))) faults.push(`did not leave ${path}`);
  return fault === undefined ? faults : [...faults, fault];
}

function faultsOfScript(api) {
  try {
    api.verify();
    return [];
  } catch (error) {
    return [error.message];
  }
}

async function runExample(example) {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "flower-example-")));
  const [cwd, home] = [join(folder, "project"), join(folder, "home")];
  mkdirSync(cwd);
  mkdirSync(home);
  for (const [name, content] of Object.entries(example.files ?? {})) {
    mkdirSync(dirname(join(cwd, name)), { recursive: true });
    writeFileSync(join(cwd, name), content);
  }
  const api = await ScriptedApi.start({ script: example.script?.(cwd) ?? {} });
  try {
    const [faults, outputs] = [[], []];
    // One that is started several times in the same folder says in `runs` what must come of each; the others are one run.
    for (const run of example.runs ?? [example]) {
      const done = await start(example, run, { cwd, home, apiUrl: api.url });
      outputs.push(done.output);
      faults.push(...faultsOf(run, done, cwd));
    }
    return { faults: [...faults, ...faultsOfScript(api)], output: outputs.join("--- started again ---\n") };
  } finally {
    await api.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

const wanted = process.argv.slice(2);
let failed = 0;
for (const example of EXAMPLES) {
  if (wanted.length > 0 && !wanted.includes(example.name)) continue;
  const startedAt = Date.now();
  const { faults, output } = await runExample(example);
  const seconds = ((Date.now() - startedAt) / 1000).toFixed(1);
  console.log(`${faults.length === 0 ? "ok    " : "FAILED"} examples/${example.name} (${seconds} s)`);
  if (faults.length === 0) continue;
  failed += 1;
  console.log(`${faults.join("\n")}\n--- its output ---\n${output}`);
}
process.exitCode = failed === 0 ? 0 : 1;
