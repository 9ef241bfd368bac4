// How soon the command answers: `--version` and `--help` against a bare `node -e 0`, started in turns so that a busy
// machine is busy for all of them, and what they load. `node bench/start.bench.mjs [dist]` after a build.

import { spawnSync } from "node:child_process";
import { join, resolve } from "node:path";

const ROUNDS = 25;
const dist = resolve(process.argv[2] ?? "dist");
const main = join(dist, "cli", "main.js");
const env = { PATH: process.env.PATH, HOME: "/nonexistent" };

/** Times of `node -e 0` that each may take. */
const LIMITS = { "--version": 1.6, "--help": 3 };

const commands = [["-e", "0"], ...Object.keys(LIMITS).map((flag) => [main, flag])];
const times = commands.map(() => []);

for (let round = 0; round < ROUNDS; round += 1) {
  for (const [i, args] of commands.entries()) {
    const started = performance.now();
    const { status } = spawnSync(process.execPath, args, { env, stdio: "ignore" });
    times[i].push(performance.now() - started);
    if (status !== 0) throw new Error(`${args.join(" ")} ended with ${status}`);
  }
}

// The best of many is what the work itself takes: everything above it is the machine's.
const best = times.map((list) => Math.min(...list));
const median = times.map((list) => list.toSorted((a, b) => a - b)[Math.floor(list.length / 2)]);
console.log(`node -e 0: ${best[0].toFixed(0)} ms (best of ${ROUNDS}; median ${median[0].toFixed(0)})`);
for (const [i, [flag, limit]] of Object.entries(LIMITS).entries()) {
  const ratio = best[i + 1] / best[0];
  const loaded = modulesOf(flag);
  const verdict = ratio <= limit ? "ok" : "TOO SLOW";
  console.log(
    `flower ${flag}: ${best[i + 1].toFixed(0)} ms (median ${median[i + 1].toFixed(0)}) = ${ratio.toFixed(2)}x, at most ${limit}x: ${verdict}; ` +
      `${loaded.length} modules`,
  );
  const harness = loaded.filter((path) => path.includes("@anthropic-ai"));
  if (harness.length > 0) console.log(`  loads the harness's SDK: ${harness.join(", ")}`);
  if (ratio > limit || harness.length > 0) process.exitCode = 1;
}

/** Files of JavaScript that an invocation loads. */
function modulesOf(flag) {
  const hooks = `
    import { writeSync } from "node:fs";
    export async function load(url, context, next) {
      if (url.startsWith("file:")) writeSync(2, url + "\\n");
      return next(url, context);
    }`;
  const asUrl = (code) => `data:text/javascript,${encodeURIComponent(code)}`;
  const loader = asUrl(`import { register } from "node:module"; register(${JSON.stringify(asUrl(hooks))});`);
  const { stderr } = spawnSync(process.execPath, ["--import", loader, main, flag], { env, encoding: "utf8" });
  return stderr.split("\n").filter((line) => line.startsWith("file:"));
}
