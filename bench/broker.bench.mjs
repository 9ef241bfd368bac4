// What the broker costs: wall time of streamed requests through it against direct ones, and its memory over a 50 MB
// stream. `node bench/broker.bench.mjs [dist]` after a build; upstream and client run in a process of their own, so
// that the memory shown is the broker's.

import { fork } from "node:child_process";
import { once } from "node:events";
import { Agent, createServer, request } from "node:http";
import { fileURLToPath, pathToFileURL } from "node:url";

const SEQUENTIAL = 20;
const PARALLEL = 8;
const EVENTS = 30;
const EVENT_MS = 10;
const BIG_BYTES = 50 * 1024 * 1024;
const REQUEST_BYTES = 30 * 1024;

const event = `event: content_block_delta\ndata: {"type":"content_block_delta","delta":{"text":"${"x".repeat(120)}"}}\n\n`;
const usage = `data: {"type":"message_delta","usage":{"output_tokens":7}}\n\n`;

function small(response) {
  let left = EVENTS;
  const timer = setInterval(() => {
    response.write(event);
    left -= 1;
    if (left > 0) return;
    clearInterval(timer);
    response.end(usage);
  }, EVENT_MS);
}

async function big(response) {
  const block = event.repeat(100);
  for (let sent = 0; sent < BIG_BYTES; sent += block.length) {
    if (!response.write(block)) await once(response, "drain");
  }
  response.end(usage);
}

function upstream() {
  const server = createServer((incoming, response) => {
    incoming.resume().on("end", () => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      if (incoming.url === "/big") big(response);
      else small(response);
    });
  });
  return new Promise((resolve) => server.listen(0, "127.0.0.1", () => resolve(server)));
}

const agent = new Agent({ keepAlive: true });

function send(base, path, token) {
  return new Promise((resolve, reject) => {
    const started = performance.now();
    const outgoing = request(
      base + path,
      { method: "POST", agent, headers: { "x-api-key": token } },
      (answer) => {
        let bytes = 0;
        const firstMs = performance.now() - started;
        answer.on("data", (part) => {
          bytes += part.length;
        });
        answer.on("end", () => resolve({ ms: performance.now() - started, firstMs, bytes }));
        answer.on("error", reject);
      },
    );
    outgoing.on("error", reject);
    outgoing.end(Buffer.alloc(REQUEST_BYTES, 0x61));
  });
}

const median = (numbers) => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)];

/** Direct and brokered requests take turns, so that whatever else the machine does hits both. */
async function measureTurns(direct, broker, token) {
  const times = { direct: [], broker: [] };
  await send(direct, "/warm", token);
  await send(broker, "/warm", token);
  for (let i = 0; i < SEQUENTIAL; i += 1) {
    times.direct.push((await send(direct, "/small", token)).ms);
    times.broker.push((await send(broker, "/small", token)).ms);
  }
  return { direct: median(times.direct), broker: median(times.broker) };
}

async function measureParallel(base, token) {
  const started = performance.now();
  await Promise.all(Array.from({ length: PARALLEL }, () => send(base, "/small", token)));
  return performance.now() - started;
}

async function client() {
  const server = await upstream();
  const direct = `http://127.0.0.1:${server.address().port}`;
  process.send({ direct });
  const [{ broker, token }] = await once(process, "message");
  const turns = await measureTurns(direct, broker, token);
  const parallel = { direct: [], broker: [] };
  for (let i = 0; i < 5; i += 1) {
    parallel.direct.push(await measureParallel(direct, token));
    parallel.broker.push(await measureParallel(broker, token));
  }
  process.send({ phase: "big" });
  await once(process, "message");
  const through = await send(broker, "/big", token);
  process.send({ phase: "done", through });
  await once(process, "message");
  const straight = await send(direct, "/big", token);
  process.send({
    turns,
    parallel: { direct: median(parallel.direct), broker: median(parallel.broker) },
    through,
    straight,
  });
  process.disconnect();
  server.closeAllConnections();
  server.close();
  agent.destroy();
}

function row(label, { direct, broker }) {
  const ratio = (broker / direct).toFixed(3);
  console.log(
    `${label.padEnd(34)} direct ${direct.toFixed(1)} ms  broker ${broker.toFixed(1)} ms  ratio ${ratio}`,
  );
}

const mb = (bytes) => `${(bytes / 1048576).toFixed(1)} MB`;

/** Memory while the big stream passes. */
async function watchBig(child) {
  const before = process.memoryUsage().rss;
  let peak = before;
  const timer = setInterval(() => {
    peak = Math.max(peak, process.memoryUsage().rss);
  }, 5);
  child.send("go");
  await once(child, "message");
  clearInterval(timer);
  child.send("on");
  return { before, peak };
}

async function main(dist) {
  const { startBroker } = await import(new URL("broker/start-broker.js", dist));
  const child = fork(fileURLToPath(import.meta.url), ["--client"], { execArgv: [] });
  const [{ direct }] = await once(child, "message");
  const exchanges = [];
  const broker = await startBroker({
    upstream: direct,
    credential: { kind: "api_key", value: "sk-bench" },
    onExchange: (exchange) => exchanges.push(exchange),
  });
  child.send({ broker: broker.url, token: broker.token });
  await once(child, "message");
  const memory = await watchBig(child);
  const [result] = await once(child, "message");
  row(`${SEQUENTIAL} in turn, ${EVENTS} events each, median`, result.turns);
  row(`${PARALLEL} at once, median of 5`, result.parallel);
  row(`${mb(BIG_BYTES)} stream, as fast as it goes`, {
    direct: result.straight.ms,
    broker: result.through.ms,
  });
  const grown = memory.peak - memory.before;
  console.log(`broker's RSS ${mb(memory.before)} before it, peak ${mb(memory.peak)} (+${mb(grown)})`);
  const metered = exchanges.filter((exchange) => exchange.usage?.output === 7).length;
  console.log(
    `${exchanges.length} exchanges, ${metered} with usage, ${exchanges.filter((e) => e.fault).length} faults`,
  );
  await broker.close();
}

if (process.argv[2] === "--client") await client();
else await main(pathToFileURL(`${process.argv[2] ?? fileURLToPath(new URL("../dist", import.meta.url))}/`));
