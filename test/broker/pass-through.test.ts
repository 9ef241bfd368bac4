import { once } from "node:events";
import type { IncomingMessage } from "node:http";
import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { startBroker } from "../../src/broker/start-broker.ts";
import { ask, brokerFor, onCleanup, REAL_KEY, raw, serve, serveTcp, sse, start, text } from "./loopback.ts";

/** An upstream that answers 200 and remembers what it was asked. */
async function recorder() {
  const asked: { method: string; url: string; rawHeaders: string[]; body: string }[] = [];
  const place = await serve(async (request, response) => {
    asked.push({
      method: request.method ?? "",
      url: request.url ?? "",
      rawHeaders: request.rawHeaders,
      body: await text(request),
    });
    response.end("ok");
  });
  return { ...place, asked };
}

describe("a request on its way up", () => {
  it("arrives as it was sent, with the real credential in the token's place and the upstream's host", async () => {
    const upstream = await recorder();
    const broker = await brokerFor({ upstream: upstream.url });
    const headers = [
      "Host",
      "127.0.0.1",
      "X-Api-Key",
      broker.token,
      "Accept-Encoding",
      "gzip, br",
      "X-Twice",
      "1",
      "x-twice",
      "2",
      "anthropic-beta",
      "a,b",
      "X-Latin",
      "caf\xe9",
      "Content-Length",
      "4",
      "Connection",
      "x-hop",
      "X-Hop",
      "1",
    ];
    await text(await ask(broker, { path: "/v1/messages?beta=true", headers, body: Buffer.from("body") }));
    expect(upstream.asked).toEqual([
      {
        method: "POST",
        url: "/v1/messages?beta=true",
        body: "body",
        rawHeaders: [
          "host",
          `127.0.0.1:${upstream.port}`,
          "connection",
          "keep-alive",
          "X-Api-Key",
          REAL_KEY,
          "Accept-Encoding",
          "gzip, br",
          "X-Twice",
          "1",
          "x-twice",
          "2",
          "anthropic-beta",
          "a,b",
          "X-Latin",
          "caf\xe9",
          "content-length",
          "4",
        ],
      },
    ]);
  });

  it.each([
    ["auth_token", "ANTHROPIC_AUTH_TOKEN"],
    ["oauth_token", "CLAUDE_CODE_OAUTH_TOKEN"],
  ] as const)("carries a %s as bearer, given to the child as %s", async (kind, variable) => {
    const upstream = await recorder();
    const broker = await brokerFor({ upstream: upstream.url, credential: { kind, value: "real-bearer" } });
    expect(broker.childVariables()).toEqual({ ANTHROPIC_BASE_URL: broker.url, [variable]: broker.token });
    const headers = ["Host", "x", "Authorization", `Bearer ${broker.token}`, "x-api-key", "stray"];
    await text(await ask(broker, { headers }));
    const sent = upstream.asked[0]?.rawHeaders.join(" ");
    expect(sent).toContain("Authorization Bearer real-bearer");
    expect(sent).not.toContain("stray");
    expect(sent).not.toContain(broker.token);
  });

  it("is joined to the upstream's prefix, with or without a slash", async () => {
    const upstream = await recorder();
    for (const prefix of ["/anthropic", "/anthropic/"]) {
      const broker = await brokerFor({ upstream: `${upstream.url}${prefix}` });
      await text(await ask(broker));
    }
    expect(upstream.asked.map(({ url }) => url)).toEqual(Array(2).fill("/anthropic/v1/messages?beta=true"));
  });

  it("keeps every method, and a body only where there was one", async () => {
    const upstream = await recorder();
    const broker = await brokerFor({ upstream: upstream.url });
    await text(await ask(broker, { method: "GET" }));
    await text(await ask(broker, { method: "DELETE" }));
    await text(await ask(broker, { method: "PUT", headers: { "content-length": "0" } }));
    await text(
      await ask(broker, { method: "PATCH", headers: { "transfer-encoding": "chunked" }, body: "chunks" }),
    );
    expect(upstream.asked.map(({ method, body }) => [method, body])).toEqual([
      ["GET", ""],
      ["DELETE", ""],
      ["PUT", ""],
      ["PATCH", "chunks"],
    ]);
    const framing = upstream.asked.map(
      ({ rawHeaders }) => rawHeaders.join(" ").match(/content-length \d+|chunked/i)?.[0],
    );
    expect(framing).toEqual([undefined, undefined, "content-length 0", expect.any(String)]);
  });

  it("streams 20 MB, each byte in its place", async () => {
    const size = 20 * 1024 * 1024;
    let seen = 0;
    let wrong = 0;
    const upstream = await serve((request, response) => {
      request.on("data", (part: Buffer) => {
        for (let i = 0; i < part.length; i += 1021) if (part[i] !== (seen + i) % 251) wrong += 1;
        seen += part.length;
      });
      request.on("end", () => response.end(String(seen)));
    });
    const broker = await brokerFor({ upstream: upstream.url });
    const body = Buffer.alloc(size);
    for (let i = 0; i < size; i += 1) body[i] = i % 251;
    expect(await text(await ask(broker, { body }))).toBe(String(size));
    expect(wrong).toBe(0);
    expect(await broker.next()).toMatchObject({ requestBytes: size, status: 200 });
  });

  it("reaches the upstream before the client has finished it", async () => {
    const upstream = await serve((request, response) => {
      request.once("data", (part) => response.write(`got ${part}`));
      request.on("end", () => response.end());
    });
    const broker = await brokerFor({ upstream: upstream.url });
    const request = start(broker, { headers: { "transfer-encoding": "chunked" } });
    request.write("first");
    const [answer] = (await once(request, "response")) as [IncomingMessage];
    expect(String((await once(answer, "data"))[0])).toBe("got first");
    request.end();
    await text(answer);
  });

  it("whose upstream answers without reading it still brings the answer, and the connection lives on", async () => {
    const upstream = await serve((request, response) => {
      response.writeHead(413, { "content-length": 3 });
      response.end("big");
      request.resume();
    });
    const broker = await brokerFor({ upstream: upstream.url });
    const size = 8 * 1024 * 1024;
    const head = `POST /x HTTP/1.1\r\nHost: x\r\nx-api-key: ${broker.token}\r\nContent-Length: `;
    const bytes = [`${head}${size}\r\n\r\n`, "b".repeat(size), `${head}0\r\nConnection: close\r\n\r\n`];
    const got = await raw(new URL(broker.url).port, bytes.join(""));
    expect(got.text.match(/HTTP\/1\.1 413 [\s\S]*?big/g)).toHaveLength(2);
    expect(got.text.toLowerCase()).not.toContain("keep-alive: timeout");
  });
});

describe("an answer on its way down", () => {
  it("keeps status, reason, headers with order, case and repeats, and gains none", async () => {
    const lines = [
      "HTTP/1.1 529 Too Busy",
      "X-One: 1",
      "Set-Cookie: a",
      "set-cookie: b",
      "Content-Length: 2",
      "request-id: req_1",
      "Connection: x-hop",
      "X-Hop: 1",
      "Keep-Alive: timeout=9",
      "Location: http://else.example/",
    ];
    const upstream = await serveTcp((socket) => {
      socket.once("data", () => socket.end(`${lines.join("\r\n")}\r\n\r\nno`));
    });
    const broker = await brokerFor({ upstream: upstream.url });
    const answer = await ask(broker);
    expect([answer.statusCode, answer.statusMessage, await text(answer)]).toEqual([529, "Too Busy", "no"]);
    expect(answer.rawHeaders.slice(0, 12)).toEqual([
      "X-One",
      "1",
      "Set-Cookie",
      "a",
      "set-cookie",
      "b",
      "Content-Length",
      "2",
      "request-id",
      "req_1",
      "Location",
      "http://else.example/",
    ]);
    expect(answer.rawHeaders.slice(12).map((part) => part.toLowerCase())).toEqual([
      "connection",
      expect.any(String),
    ]);
  });

  it("is not followed when it redirects", async () => {
    const elsewhere = await recorder();
    const upstream = await serve((_, response) => {
      response.writeHead(307, { location: `${elsewhere.url}/steal` });
      response.end();
    });
    const answer = await ask(await brokerFor({ upstream: upstream.url }));
    expect([answer.statusCode, answer.headers.location]).toEqual([307, `${elsewhere.url}/steal`]);
    expect(elsewhere.asked).toEqual([]);
  });

  it("stays compressed", async () => {
    const zipped = gzipSync('{"usage":{"input_tokens":1}}');
    const upstream = await serve((_, response) => {
      response.writeHead(200, { "content-type": "application/json", "content-encoding": "gzip" });
      response.end(zipped);
    });
    const broker = await brokerFor({ upstream: upstream.url });
    const answer = await ask(broker);
    expect(answer.headers["content-encoding"]).toBe("gzip");
    expect(Buffer.from(await text(answer), "latin1").equals(zipped)).toBe(true);
    const exchange = await broker.next();
    expect(exchange.usage).toBeUndefined();
    expect(exchange.responseBytes).toBe(zipped.length);
  });

  it.each([
    ["HEAD", 200, { "content-length": "99" }],
    ["GET", 204, {}],
    ["GET", 304, { etag: "x" }],
  ] as const)("to %s with status %i has no body", async (method, status, headers) => {
    const upstream = await serve((_, response) => {
      response.writeHead(status, headers);
      response.end();
    });
    const broker = await brokerFor({ upstream: upstream.url });
    const answer = await ask(broker, { method });
    expect([answer.statusCode, await text(answer)]).toEqual([status, ""]);
    expect(answer.headers).toMatchObject(headers);
    expect(answer.headers["transfer-encoding"]).toBeUndefined();
  });

  it("brings interim answers and trailers along", async () => {
    const upstream = await serve((_, response) => {
      response.writeProcessing();
      response.writeEarlyHints({ link: "</a>; rel=preload", "x-hint": "1" });
      response.writeHead(200, { trailer: "x-sum" });
      response.write("body");
      response.addTrailers({ "X-Sum": "7" });
      response.end();
    });
    const broker = await brokerFor({ upstream: upstream.url });
    const request = start(broker);
    const interim: unknown[] = [];
    request.on("information", ({ statusCode, headers }) => interim.push([statusCode, headers["x-hint"]]));
    request.end();
    const [answer] = (await once(request, "response")) as [IncomingMessage];
    expect(await text(answer)).toBe("body");
    expect(answer.rawTrailers).toEqual(["X-Sum", "7"]);
    expect(interim).toEqual([
      [102, undefined],
      [103, "1"],
    ]);
  });

  it("comes event by event, headers first, before the upstream has ended", async () => {
    const steps: (() => void)[] = [];
    const upstream = await serve((_, response) => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.flushHeaders();
      steps.push(
        () => response.write("data: 1\n\n"),
        () => response.write("data: 2\n\n"),
        () => response.end(),
      );
    });
    const broker = await brokerFor({ upstream: upstream.url });
    const answer = await ask(broker);
    for (const expected of ["data: 1\n\n", "data: 2\n\n"]) {
      const data = once(answer, "data");
      steps.shift()?.();
      expect(String((await data)[0])).toBe(expected);
    }
    steps.shift()?.();
    await once(answer, "end");
  });

  it("without a length, ended by its connection, is whole", async () => {
    const upstream = await serveTcp((socket) => {
      socket.once("data", () => socket.end("HTTP/1.0 200 OK\r\n\r\nall of it"));
    });
    expect(await text(await ask(await brokerFor({ upstream: upstream.url })))).toBe("all of it");
  });

  it("may have headers larger than node's own limit, both ways", async () => {
    const big = "x".repeat(60_000);
    const upstream = await serve((request, response) => {
      response.writeHead(200, { "x-big": String(request.headers["x-big"]) });
      response.end();
    });
    const broker = await brokerFor({ upstream: upstream.url });
    const got = await raw(
      new URL(broker.url).port,
      `GET / HTTP/1.0\r\nx-api-key: ${broker.token}\r\nx-big: ${big}\r\n\r\n`,
    );
    expect(got.text).toContain(`x-big: ${big}\r\n`);
  });
});

describe("what is not forwarded", () => {
  it("is answered in the shape of the API's own errors, and no connection is made for it", async () => {
    const upstream = await recorder();
    const broker = await brokerFor({ upstream: upstream.url });
    const wrong = await ask(broker, { headers: { "x-api-key": "wrong" }, body: Buffer.alloc(1024 * 1024) });
    expect(wrong.statusCode).toBe(401);
    expect(JSON.parse(await text(wrong))).toEqual({
      type: "error",
      error: { type: "authentication_error", message: expect.stringMatching(/^invalid x-api-key/) },
    });
    const port = new URL(broker.url).port;
    const head = `Host: x\r\nConnection: close\r\nx-api-key: ${broker.token}\r\n`;
    for (const line of [
      "GET http://evil.example/",
      "GET //evil.example/",
      "GET /a/../b",
      "GET /\\evil",
      "TRACE /",
    ]) {
      const { text: got } = await raw(port, `${line} HTTP/1.1\r\n${head}\r\n`);
      expect(got).toMatch(/^HTTP\/1.1 400 .*"type":"invalid_request_error"/s);
    }
    const upgrade = "Upgrade: websocket\r\nConnection: close, upgrade\r\n";
    const socket = await raw(
      port,
      `GET / HTTP/1.1\r\nHost: x\r\nx-api-key: ${broker.token}\r\n${upgrade}\r\n`,
    );
    expect(socket.text).toMatch(/^HTTP\/1.1 400 /);
    const tunnel = await raw(port, `CONNECT evil.example:443 HTTP/1.1\r\n${head}\r\n`);
    expect(tunnel.text).not.toMatch(/ 200 /);
    expect([upstream.asked, upstream.sockets.size, broker.exchanges]).toEqual([[], 0, []]);
  });

  it("cannot be smuggled behind another request", async () => {
    const upstream = await recorder();
    const broker = await brokerFor({ upstream: upstream.url });
    const inner = "GET /inner HTTP/1.1\r\nHost: x\r\n\r\n";
    const two = `Content-Length: ${inner.length}\r\nTransfer-Encoding: chunked\r\n`;
    const head = `POST /outer HTTP/1.1\r\nHost: x\r\nx-api-key: ${broker.token}\r\nConnection: close\r\n`;
    await raw(new URL(broker.url).port, `${head}${two}\r\n0\r\n\r\n${inner}`);
    await raw(new URL(broker.url).port, `${head}Content-Length: 2\r\nContent-Length: 3\r\n\r\nabc`);
    expect(upstream.asked.filter(({ url }) => url !== "/outer")).toEqual([]);
  });
});

it("twenty requests at once each get their own answer", async () => {
  const upstream = await serve(async (request, response) => {
    const body = await text(request);
    response.writeHead(200, { "content-type": "text/event-stream" });
    for (let i = 0; i < 5; i += 1) {
      await new Promise((turn) => setImmediate(turn));
      response.write(`data: ${body}-${i}\n\n`);
    }
    response.end(sse({ type: "message_delta", usage: { output_tokens: Number(body) } }));
  });
  const broker = await brokerFor({ upstream: upstream.url });
  const numbers = Array.from({ length: 20 }, (_, i) => String(i));
  const answers = await Promise.all(numbers.map(async (body) => text(await ask(broker, { body }))));
  answers.forEach((answer, i) => {
    expect(answer).toContain(
      `data: ${i}-0\n\ndata: ${i}-1\n\ndata: ${i}-2\n\ndata: ${i}-3\n\ndata: ${i}-4\n\n`,
    );
  });
  const outputs = (await Promise.all(numbers.map(() => broker.next()))).map(({ usage }) => usage?.output);
  expect(outputs.sort((a, b) => Number(a) - Number(b))).toEqual(numbers.map(Number));
});

describe("starting", () => {
  it("listens on 127.0.0.1 only, each broker with its own port and token", async () => {
    const options = {
      upstream: "https://gw.example",
      credential: { kind: "api_key", value: REAL_KEY },
    } as const;
    const [a, b] = await Promise.all([startBroker(options), startBroker(options)]);
    onCleanup(() => Promise.all([a.close(), b.close()]));
    expect(a.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    expect(a.url).not.toBe(b.url);
    expect(a.token).not.toBe(b.token);
    expect(a.token).toMatch(/^[0-9a-f]{64}$/);
    expect(a.childVariables()).toEqual({ ANTHROPIC_BASE_URL: a.url, ANTHROPIC_API_KEY: a.token });
  });

  it("keeps the child's requests to it off a proxy that is set", async () => {
    const broker = await brokerFor({
      upstream: "https://gw.example",
      proxyEnv: { HTTPS_PROXY: "http://p:1", NO_PROXY: "corp" },
    });
    expect(broker.childVariables()).toMatchObject({ NO_PROXY: "corp,127.0.0.1", no_proxy: "corp,127.0.0.1" });
  });

  it("rejects unknown options and what it cannot use", async () => {
    const good = { upstream: "https://gw.example", credential: { kind: "api_key", value: "k" } } as const;
    await expect(startBroker({ ...good, upstrem: 1 } as never)).rejects.toMatchObject({
      code: "unknown_option",
    });
    await expect(startBroker(undefined as never)).rejects.toMatchObject({ code: "bad_options" });
    await expect(startBroker({ ...good, upstream: "x" })).rejects.toMatchObject({ code: "bad_upstream" });
    const credential = { kind: "api_key", value: "" } as const;
    await expect(startBroker({ ...good, credential })).rejects.toMatchObject({ code: "bad_credential" });
    await expect(startBroker({ ...good, signal: AbortSignal.abort() })).rejects.toThrow();
  });
});
