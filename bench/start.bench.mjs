// What it costs to be asked for the version and for help, against a bare node: each the fastest of many starts, since the
// noise of a machine only adds. `node bench/start.bench.mjs [dist]` after a build.

import { spawnSync } from "node:child_process";
import { resolve } from "node:path";

const ROUNDS = 25;
const main = resolve(process.argv[2] ?? "dist", "cli/main.js");

function fastest(args) {
  let best = Number.POSITIVE_INFINITY;
  for (let round = 0; round < ROUNDS; round += 1) {
    const started = performance.now();
    const done = spawnSync(process.execPath, args, { stdio: "ignore" });
    if (done.status !== 0) throw new Error(`${args.join(" ")} ended with ${done.status}`);
    best = Math.min(best, performance.now() - started);
  }
  return best;
}

const bare = fastest(["-e", "0"]);
for (const [what, most] of [
  ["--version", 1.6],
  ["--help", 3],
]) {
  const ratio = fastest([main, what]) / bare;
  console.log(`flower ${what} / node -e 0 = ${ratio.toFixed(2)} (fastest of ${ROUNDS}; ${most} at most)`);
  if (ratio > most) process.exitCode = 1;
}
