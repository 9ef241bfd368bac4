import { expect, it } from "vitest";
import { ask, brokerFor, REAL_KEY, serve, sse, text } from "./loopback.ts";

it("a streamed answer leaves its usage, sizes and times", async () => {
  const body = sse(
    { type: "message_start", message: { usage: { input_tokens: 3, cache_creation_input_tokens: 8 } } },
    { type: "message_delta", usage: { output_tokens: 11 } },
  );
  const upstream = await serve((_, response) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.end(body);
  });
  const broker = await brokerFor({ upstream: upstream.url });
  const before = Date.now() / 1000;
  await text(await ask(broker, { body: "four" }));
  const exchange = await broker.next();
  expect(exchange).toEqual({
    method: "POST",
    path: "/v1/messages",
    status: 200,
    startedAt: expect.any(Number),
    endedAt: expect.any(Number),
    requestBytes: 4,
    responseBytes: body.length,
    usage: { input: 3, output: 11, cacheRead: 0, cacheCreation: 8 },
  });
  expect(exchange.startedAt).toBeGreaterThanOrEqual(before);
  expect(exchange.endedAt).toBeGreaterThanOrEqual(exchange.startedAt);
});

it("a JSON answer leaves its usage", async () => {
  const upstream = await serve((_, response) => {
    response.writeHead(200, { "content-type": "application/json" });
    response.end('{"usage":{"input_tokens":3,"output_tokens":4,"cache_read_input_tokens":5}}');
  });
  const broker = await brokerFor({ upstream: upstream.url });
  await text(await ask(broker));
  expect((await broker.next()).usage).toEqual({ input: 3, output: 4, cacheRead: 5, cacheCreation: 0 });
});

it("a refused call leaves its status, how long to wait and the limits", async () => {
  const upstream = await serve((_, response) => {
    response.writeHead(429, { "retry-after": "17", "Anthropic-RateLimit-Requests-Remaining": "0" });
    response.end('{"type":"error"}');
  });
  const broker = await brokerFor({ upstream: upstream.url });
  await text(await ask(broker));
  expect(await broker.next()).toMatchObject({
    status: 429,
    retryAfterS: 17,
    rateLimit: { "anthropic-ratelimit-requests-remaining": "0" },
  });
});

it("a refused call leaves whose it was and whether asking again is no use", async () => {
  const upstream = await serve((request, response) => {
    response.writeHead(400, request.url === "/final" ? { "x-should-retry": "false" } : {});
    response.end('{"type":"error"}');
  });
  const broker = await brokerFor({ upstream: upstream.url });
  await text(await ask(broker, { path: "/final", headers: { "x-claude-code-session-id": "s1" } }));
  expect(await broker.next()).toMatchObject({ status: 400, sessionId: "s1", final: true });
  await text(await ask(broker));
  const other = await broker.next();
  expect([other.status, other.sessionId, other.final]).toEqual([400, undefined, undefined]);
});

it("an observer that throws changes nothing", async () => {
  const upstream = await serve((_, response) => response.end("ok"));
  const broker = await brokerFor({
    upstream: upstream.url,
    onExchange: () => {
      throw new Error("observer");
    },
  });
  for (let i = 0; i < 3; i += 1) expect(await text(await ask(broker))).toBe("ok");
  expect(broker.exchanges).toHaveLength(3);
});

it("nothing the broker tells of holds the credential or the token", async () => {
  const upstream = await serve((request, response) => {
    if (request.url === "/ok") response.end(String(request.headers["x-api-key"]));
    else request.socket.destroy();
  });
  const broker = await brokerFor({ upstream: upstream.url });
  await text(await ask(broker, { path: "/ok" }));
  await expect(ask(broker, { path: "/broken" })).rejects.toThrow();
  const { url, token: _, ...rest } = broker;
  const told = JSON.stringify([url, rest, broker.exchanges, broker.lastUpstreamFault()]);
  expect(broker.exchanges).toHaveLength(2);
  expect(told).not.toContain(REAL_KEY);
  expect(told).not.toContain(broker.token);
});
