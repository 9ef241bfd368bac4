// Runs `true` and says what came of it and which timers are left: `run-command.mjs <folder> [starved]`. Starved, there is
// one file descriptor left, which the command's own file takes.
import { closeSync, openSync } from "node:fs";
import { join } from "node:path";
import { runCommand } from "../../../dist/evidence/run-command.js";

const [folder, starved] = process.argv.slice(2);
const taken = [];
for (;;) {
  if (starved === undefined) break;
  try {
    taken.push(openSync("/dev/null", "r"));
  } catch {
    closeSync(taken.pop());
    break;
  }
}
const run = await runCommand({
  ...{ command: "true", folder, env: { PATH: process.env.PATH }, path: join(folder, "out.txt") },
  ...{ launcher: { program: "/bin/sh", args: ["-c"] }, timeoutS: 60, graceS: 2 },
  bounds: { fileBytes: 1000, compareBytes: 1000 },
});
for (const file of taken) closeSync(file);
const timers = process.getActiveResourcesInfo().filter((name) => name === "Timeout").length;
process.stdout.write(JSON.stringify({ exitCode: run.exitCode, startError: run.startError, timers }));
