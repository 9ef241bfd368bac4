// What the terminal costs: processor and bytes at 200 events a second, and what is left in memory after the events of ten
// hours. Everything a run prints goes through it; only the harness is missing. `node bench/terminal.bench.mjs [dist]`.

import { spawnSync } from "node:child_process";
import { join, resolve } from "node:path";
import { PassThrough, Writable } from "node:stream";
import { setTimeout as sleep, setImmediate as yieldOnce } from "node:timers/promises";
import { fileURLToPath, pathToFileURL } from "node:url";

const RATE = 200;
const SECONDS = 6;
/** Ten hours at ten events a second: far busier than a run is. */
const TEN_HOURS = 360_000;
const LIMITS = { bytesPerEvent: 120, framesPerSecond: 35, processor: 0.25, growthMb: 3 };

if (globalThis.gc === undefined) {
  const { status } = spawnSync(
    process.execPath,
    ["--expose-gc", fileURLToPath(import.meta.url), ...process.argv.slice(2)],
    {
      stdio: "inherit",
    },
  );
  process.exit(status ?? 1);
}

const dist = resolve(process.argv[2] ?? "dist");
const load = (path) => import(pathToFileURL(join(dist, path)));
const { LiveLines } = await load("cli/run/live-lines.js");
const { LiveDesk } = await load("cli/run/live-desk.js");
const { RunOutput } = await load("cli/run/run-output.js");
const { createPaint } = await load("cli/screen/paint.js");
const { createTranslator } = await load("config/locale/translator.js");
const { createEvent } = await load("events/event.js");
const { HumanChannel } = await load("people/human-channel.js");

const t = createTranslator("en");
const seen = { bytes: 0, writes: 0 };
const output = Object.assign(
  new Writable({
    write(chunk, _encoding, done) {
      seen.bytes += chunk.length;
      seen.writes += 1;
      done();
    },
  }),
  { columns: 110, rows: 40, isTTY: true },
);
const input = Object.assign(new PassThrough(), { setRawMode() {} });
const lines = new LiveLines({ input, output }, createPaint(true));
const channel = new HumanChannel();
const io = {
  out: (line) => lines.print(line),
  err: (line) => lines.print(line),
  outIsTty: true,
  env: {},
  columns: () => 110,
};
const listeners = new Set();
const runtime = {
  workspace: "/work/project",
  totalCost: () => 1.25,
  listen: (listener) => listeners.add(listener),
};
const run = new RunOutput({ io, t, command: { globals: { json: false, noColor: false, verbose: false } } });
run.follow(runtime);
const desk = new LiveDesk({
  lines,
  t,
  channel,
  interrupt() {},
  aside: undefined,
  status: (width) => run.statusRow(runtime, width),
});
desk.open();
run.showOn(desk);

let count = 0;
/** The next event of a run with two workers side by side; one result in a hundred is lost, as in a crash. */
function nextEvent() {
  const i = count++;
  const parent = `d${Math.floor(i / 200) * 2 + (i % 2)}`;
  const speaker = { subagent: true, parent_tool_use_id: parent, agent: "coder", step: "work" };
  if (i % 200 < 2) {
    const payload = {
      subagent: false,
      id: parent,
      input: { subagent_type: "coder", prompt: `Do part ${i} of the work.` },
    };
    return createEvent("tool_call", { tool: "Agent", payload });
  }
  if (i % 200 >= 198) {
    const payload = { subagent: false, tool_use_id: parent, is_error: false, context: 70_000 + i };
    return createEvent("tool_result", { text: `Conclusion: part ${i} is done.`, payload });
  }
  switch (i % 4) {
    case 0:
      return createEvent("tool_call", {
        tool: "Bash",
        text: `npm test -- --filter part-${i} && node /work/project/scripts/check.mjs --part ${i}`,
        payload: { ...speaker, id: `c${i}`, input: {} },
      });
    case 1:
      return i % 100 === 1
        ? createEvent("thinking", { text: "Now what?", payload: speaker })
        : createEvent("tool_result", {
            text: "ok",
            payload: { ...speaker, tool_use_id: `c${i - 1}`, is_error: false },
          });
    case 2:
      return createEvent("text", { text: `The part ${i} works; the rest follows.`, payload: speaker });
    default:
      return createEvent("system", { text: "command_lifecycle", payload: { subtype: "command_lifecycle" } });
  }
}
const tell = (event) => {
  for (const listener of listeners) listener(event);
};

function heapMb() {
  globalThis.gc();
  globalThis.gc();
  return process.memoryUsage().heapUsed / 1e6;
}

function report(name, value, limit, unit) {
  const isOver = value > limit;
  console.log(
    `${name}: ${value.toFixed(value < 10 ? 2 : 0)}${unit}, at most ${limit}${unit}: ${isOver ? "TOO MUCH" : "ok"}`,
  );
  if (isOver) process.exitCode = 1;
}

/** Events at the rate of a very busy run, on the real clock. */
async function atRate() {
  const before = { ...seen };
  const cpu = process.cpuUsage();
  const started = performance.now();
  let told = 0;
  while (performance.now() - started < SECONDS * 1000) {
    const due = Math.floor(((performance.now() - started) / 1000) * RATE);
    for (; told < due; told += 1) tell(nextEvent());
    await sleep(5);
  }
  const took = (performance.now() - started) / 1000;
  const { user, system } = process.cpuUsage(cpu);
  console.log(`${told} events in ${took.toFixed(1)} s`);
  report("  bytes an event", (seen.bytes - before.bytes) / told, LIMITS.bytesPerEvent, "");
  report("  writes a second", (seen.writes - before.writes) / took, LIMITS.framesPerSecond, "");
  report("  of one processor", (user + system) / 1e6 / took, LIMITS.processor, "");
}

/** As many events as ten busy hours have, as fast as they can be printed; a question now and then. */
async function tenHours() {
  const tellMany = async (events) => {
    for (let i = 0; i < events; i += 1) {
      tell(nextEvent());
      if (i % 5_000 === 0) {
        const ask = channel.ask(`Question ${i}?`, ["yes", "no"]);
        channel.answer(channel.pending()[0].id, "1");
        await ask;
      }
      if (i % 500 === 0) await yieldOnce();
    }
    await sleep(100);
  };
  await tellMany(TEN_HOURS / 10);
  const before = heapMb();
  const started = performance.now();
  await tellMany(TEN_HOURS);
  const rate = TEN_HOURS / ((performance.now() - started) / 1000);
  console.log(`${TEN_HOURS} events at ${rate.toFixed(0)} a second`);
  report("  growth of the heap", heapMb() - before, LIMITS.growthMb, " MB");
}

await atRate();
await tenHours();
desk.close();
lines.close();
