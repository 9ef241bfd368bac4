// What deciding costs: isEphemeral against a bare parse of the same lines, and the guards of a coordinator's session
// against an empty hook, in one process. `node bench/guards.bench.mjs [dist]` after a build.

import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { parse } from "unbash";

const ROUNDS = 7;
const dist = resolve(process.argv[2] ?? "dist");
const load = (path) => import(pathToFileURL(join(dist, path)));
const { isEphemeral } = await load("shell/is-ephemeral.js");
const { compileHooks } = await load("harness/hook-plan.js");
const { rosterPreGuard } = await load("guards/roster-guard.js");
const { grantPreGuard } = await load("guards/grant-guard.js");
const { delegatePreGuard } = await load("guards/delegate-guard.js");
const { questionPreGuard } = await load("guards/question-guard.js");

const cases = JSON.parse(readFileSync("test/fixtures/shell/commands.json", "utf8"));
const lines = cases
  .map((one) => one.command)
  .filter((line) => typeof line === "string" && line.length < 2_000);

const median = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];

function timed(work) {
  const started = performance.now();
  work();
  return performance.now() - started;
}

function bareParse(line) {
  try {
    parse(line);
  } catch {
    // What cannot be parsed costs what it costs.
  }
}

const shell = [];
for (let round = 0; round < ROUNDS; round += 1) {
  const plain = timed(() => {
    for (let i = 0; i < 20; i += 1) for (const line of lines) bareParse(line);
  });
  const ours = timed(() => {
    for (let i = 0; i < 20; i += 1) for (const line of lines) isEphemeral(line);
  });
  shell.push(ours / plain);
}
console.log(
  `isEphemeral / bare parse of ${lines.length} lines = ${median(shell).toFixed(2)} (median of ${ROUNDS})`,
);

const agents = {
  coder: {
    description: "codes",
    prompt: "You code.",
    tools: ["Read", "Write", "Bash"],
    model: "inherit",
    isolate: false,
  },
};
const roots = [process.cwd()];
const plan = {
  userHooks: undefined,
  pre: [
    questionPreGuard({}),
    rosterPreGuard(agents),
    grantPreGuard(agents, { roots }),
    delegatePreGuard({ allowGlance: true }),
  ],
  post: [],
  watch: undefined,
  onFault: () => {},
};
const ours = compileHooks(plan).PreToolUse[0].hooks[0];
const empty = async () => ({});
// The fields the harness really sends with a worker's call.
const input = {
  session_id: "59be7f38-7ad2-4624-8942-090c73b9a2a2",
  transcript_path:
    "/home/user/project/runs/harness/projects/-home-user-project/59be7f38-7ad2-4624-8942-090c73b9a2a2.jsonl",
  prompt_id: "8fbc47df-620a-403a-8a12-aa9f95b786ce",
  permission_mode: "acceptEdits",
  effort: { level: "medium" },
  hook_event_name: "PreToolUse",
  tool_name: "Bash",
  tool_input: { command: "npm test -- --reporter=dot 2>&1 | tail -40", description: "Run the tests" },
  tool_use_id: "toolu_1",
  cwd: process.cwd(),
  agent_id: "a1",
  agent_type: "coder",
};
// A hook is called across a pipe: the harness writes JSON, flower reads it, answers, and the answer is written back.
async function call(hook) {
  const received = JSON.parse(JSON.stringify(input));
  JSON.stringify(await hook(received, "toolu_1", { signal: new AbortController().signal }));
}

async function calls(hook) {
  const started = performance.now();
  for (let i = 0; i < 20_000; i += 1) await call(hook);
  return performance.now() - started;
}

const hooks = [];
const added = [];
for (let round = 0; round < ROUNDS; round += 1) {
  const plain = await calls(empty);
  const guarded = await calls(ours);
  hooks.push(guarded / plain);
  added.push((guarded - plain) / 20_000);
}
console.log(
  `guards / empty hook, in process = ${median(hooks).toFixed(2)}; added per call ${(median(added) * 1000).toFixed(1)} µs`,
);
