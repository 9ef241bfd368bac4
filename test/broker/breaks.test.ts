import { once } from "node:events";
import type { IncomingMessage, Server } from "node:http";
import { type AddressInfo, Server as NetServer } from "node:net";
import { afterEach, describe, expect, it, vi } from "vitest";
import { createScrub, toFault } from "../../src/broker/fault.ts";
import { ask, brokerFor, closed, REAL_KEY, raw, serve, serveTcp, start, text, until } from "./loopback.ts";

/** Reads an answer that is expected to break; gives what came before. */
async function broken(
  answer: IncomingMessage,
): Promise<{ read: string; complete: boolean; code: string | undefined }> {
  let read = "";
  let code: string | undefined;
  answer.on("data", (part) => {
    read += String(part);
  });
  answer.on("error", (error: NodeJS.ErrnoException) => {
    code = error.code;
  });
  await closed(answer);
  return { read, complete: answer.complete, code };
}

/** Sends a request that is expected to get no answer; gives the client's error. */
async function failing(request: ReturnType<typeof start>): Promise<string | undefined> {
  const [error] = (await once(request, "error")) as [NodeJS.ErrnoException];
  return error.code;
}

const HEAD = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n";

describe("an upstream that dies", () => {
  it.each([
    ["in the middle of a stream", `${HEAD}Transfer-Encoding: chunked\r\n\r\n9\r\ndata: 1\n\n\r\n`, "destroy"],
    [
      "by closing in the middle of a stream",
      `${HEAD}Transfer-Encoding: chunked\r\n\r\n9\r\ndata: 1\n\n\r\n`,
      "end",
    ],
    ["before the promised length", `${HEAD}Content-Length: 99\r\n\r\ndata: 1\n\n`, "end"],
    ["by a reset", `${HEAD}Content-Length: 99\r\n\r\ndata: 1\n\n`, "resetAndDestroy"],
  ] as const)("%s breaks the client's connection after what had come", async (_, bytes, how) => {
    let die = () => {};
    const upstream = await serveTcp((socket) => {
      die = () => void socket[how]();
      socket.once("data", () => socket.write(bytes));
    });
    const broker = await brokerFor({ upstream: upstream.url });
    const answer = await ask(broker);
    answer.once("data", () => die());
    expect(await broken(answer)).toEqual({ read: "data: 1\n\n", complete: false, code: "ECONNRESET" });
    const { fault, status, responseBytes } = await broker.next();
    expect([status, responseBytes]).toEqual([200, 9]);
    expect(fault?.code).toMatch(/^(UND_ERR_|ECONNRESET|HTTPParserError)/);
    expect(broker.lastUpstreamFault()).toEqual(fault);
  });

  it("is not mistaken for an end by a client whose answers end with their connection", async () => {
    const upstream = await serveTcp((socket) => {
      socket.once("data", () => {
        socket.write(`${HEAD}Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n`, () => socket.end());
      });
    });
    const broker = await brokerFor({ upstream: upstream.url });
    const port = new URL(broker.url).port;
    const got = await raw(port, `GET / HTTP/1.0\r\nx-api-key: ${broker.token}\r\n\r\n`);
    expect(got.failed).toBe("ECONNRESET");
  });

  it("without an answer gives the client a broken connection and no byte", async () => {
    const upstream = await serveTcp((socket) => socket.once("data", () => socket.destroy()));
    const broker = await brokerFor({ upstream: upstream.url });
    const port = new URL(broker.url).port;
    const got = await raw(port, `GET / HTTP/1.1\r\nHost: x\r\nx-api-key: ${broker.token}\r\n\r\n`);
    expect(got.text).toBe("");
    expect(await broker.next()).toMatchObject({ status: undefined, fault: { code: "UND_ERR_SOCKET" } });
  });

  it("or cannot be reached leaves its cause behind, without an answer to the client", async () => {
    const free = await new Promise<number>((resolve) => {
      const server = new NetServer().listen(0, "127.0.0.1", () => {
        const { port } = server.address() as AddressInfo;
        server.close(() => resolve(port));
      });
    });
    const broker = await brokerFor({ upstream: `http://127.0.0.1:${free}` });
    expect(broker.lastUpstreamFault()).toBeUndefined();
    const request = start(broker);
    request.end(Buffer.alloc(1024 * 1024));
    expect(await failing(request)).toMatch(/ECONNRESET|EPIPE/);
    expect(broker.lastUpstreamFault()).toMatchObject({
      code: "ECONNREFUSED",
      text: `connect ECONNREFUSED 127.0.0.1:${free}`,
      at: expect.any(Number),
    });
  });

  it("or speaks no HTTP is a broken connection too", async () => {
    const upstream = await serveTcp((socket) => socket.once("data", () => socket.end("SSH-2.0-x\r\n")));
    const broker = await brokerFor({ upstream: upstream.url });
    const request = start(broker);
    request.end();
    expect(await failing(request)).toBe("ECONNRESET");
    expect(broker.lastUpstreamFault()?.code).toBe("HTTPParserError");
  });
});

describe("a client that goes away", () => {
  it("before the answer, aborts the request up", async () => {
    const upstream = await serve(() => undefined);
    const broker = await brokerFor({ upstream: upstream.url });
    const asked = once(upstream.server, "request");
    const request = start(broker);
    request.on("error", () => undefined).end();
    const [up] = (await asked) as [IncomingMessage];
    request.destroy();
    await closed(up.socket);
    expect(await broker.next()).toMatchObject({ status: undefined, fault: { code: "CLIENT_GONE" } });
    expect(broker.lastUpstreamFault()).toBeUndefined();
  });

  it("in the middle of the answer, aborts it up there", async () => {
    const upstream = await serve((_, response) => response.writeHead(200).write("some"));
    const broker = await brokerFor({ upstream: upstream.url });
    const asked = once(upstream.server, "request");
    const answer = await ask(broker);
    await once(answer, "data");
    answer.destroy();
    await closed(((await asked) as [IncomingMessage])[0].socket);
    expect(await broker.next()).toMatchObject({
      status: 200,
      responseBytes: 4,
      fault: { code: "CLIENT_GONE" },
    });
  });

  it("in the middle of its own body, is no whole request to the upstream", async () => {
    let complete: boolean | undefined;
    const upstream = await serve((request) => {
      request.on("error", () => undefined);
      request.resume().once("close", () => {
        complete = request.complete;
      });
    });
    const broker = await brokerFor({ upstream: upstream.url });
    const asked = once(upstream.server, "request");
    const request = start(broker, { headers: { "transfer-encoding": "chunked" } });
    request.on("error", () => undefined).write("half");
    const [up] = (await asked) as [IncomingMessage];
    request.destroy();
    await closed(up);
    expect(complete).toBe(false);
  });

  it("many at once leave no connection behind", async () => {
    const upstream = await serve((request, response) => {
      request.on("error", () => undefined).resume();
      if (Number(request.headers["x-n"]) % 2 === 0) response.writeHead(200).write("x".repeat(100_000));
    });
    const broker = await brokerFor({ upstream: upstream.url });
    let asked = 0;
    upstream.server.on("request", () => {
      asked += 1;
    });
    const requests = Array.from({ length: 30 }, (_, n) => {
      const request = start(broker, { headers: { "x-n": String(n), "transfer-encoding": "chunked" } });
      request.on("error", () => undefined).write("body");
      return request;
    });
    await until(() => asked === 30);
    for (const request of requests) request.destroy();
    const codes = (await Promise.all(requests.map(() => broker.next()))).map(({ fault }) => fault?.code);
    expect(new Set(codes)).toEqual(new Set(["CLIENT_GONE"]));
    await until(() => upstream.sockets.size === 0);
    expect(await connections(broker.url)).toBe(0);
  });
});

function serverOf(url: string): Server {
  const handles = (process as unknown as { _getActiveHandles(): unknown[] })._getActiveHandles();
  const port = Number(new URL(url).port);
  const found = handles.find(
    (h) => h instanceof NetServer && (h.address() as AddressInfo | null)?.port === port,
  );
  return found as Server;
}

async function connections(url: string): Promise<number> {
  await until(() => true);
  return new Promise((resolve) => serverOf(url).getConnections((_, count) => resolve(count)));
}

describe("a slow side", () => {
  it("that reads the answer slowly makes the upstream wait, and loses nothing", async () => {
    const chunk = Buffer.alloc(64 * 1024, 0x61);
    const total = 800;
    let written = 0;
    let stuck = () => {};
    const stalled = new Promise<void>((resolve) => {
      stuck = resolve;
    });
    const upstream = await serve(async (_, response) => {
      for (; written < total; written += 1) {
        if (response.write(chunk)) continue;
        const timer = setTimeout(stuck, 300);
        await once(response, "drain");
        clearTimeout(timer);
      }
      response.end();
    });
    const broker = await brokerFor({ upstream: upstream.url });
    const answer = await ask(broker);
    await stalled;
    expect(written).toBeLessThan(total / 2);
    let read = 0;
    for await (const part of answer) read += (part as Buffer).length;
    expect(read).toBe(total * chunk.length);
    expect(await broker.next()).toMatchObject({ responseBytes: read });
  });

  it("that takes the request slowly makes the client wait, and loses nothing", async () => {
    const chunk = Buffer.alloc(64 * 1024, 0x61);
    const total = 800;
    const upstream = await serve((request, response) => {
      request.pause();
      upstream.server.once("go", () => {
        let read = 0;
        request.on("data", (part: Buffer) => {
          read += part.length;
        });
        request.on("end", () => response.end(String(read))).resume();
      });
    });
    const broker = await brokerFor({ upstream: upstream.url });
    const request = start(broker, { headers: { "content-length": String(total * chunk.length) } });
    const response = once(request, "response");
    let went = false;
    for (let written = 0; written < total; written += 1) {
      if (request.write(chunk)) continue;
      const drained = once(request, "drain");
      const stuck = new Promise((resolve) => setTimeout(resolve, 300, "stuck"));
      if (went || (await Promise.race([drained, stuck])) !== "stuck") {
        await drained;
        continue;
      }
      expect(written).toBeLessThan(total / 2);
      went = upstream.server.emit("go");
      await drained;
    }
    expect(went).toBe(true);
    request.end();
    const [answer] = (await response) as [IncomingMessage];
    expect(await text(answer)).toBe(String(total * chunk.length));
  });
});

describe("time", () => {
  afterEach(() => {
    vi.useRealTimers();
  });

  it("ends nothing: hours of silence before the answer, inside it and between requests are waited out", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const hours = () => vi.advanceTimersByTimeAsync(2 * 3600 * 1000);
    const upstream = await serve(() => undefined);
    const broker = await brokerFor({ upstream: upstream.url });
    const asked = once(upstream.server, "request");
    const waiting = ask(broker);
    const [, response] = (await asked) as [IncomingMessage, import("node:http").ServerResponse];
    await hours();
    response.writeHead(200);
    response.flushHeaders();
    const answer = await waiting;
    await hours();
    response.end("patience");
    expect(await text(answer)).toBe("patience");
    const { requestTimeout, headersTimeout, keepAliveTimeout, timeout } = serverOf(broker.url);
    expect([requestTimeout, headersTimeout, keepAliveTimeout, timeout]).toEqual([0, 0, 0, 0]);
  });
});

describe("closing", () => {
  it("ends what is under way and what is idle, tells of it, and may be asked twice", async () => {
    const upstream = await serve((request, response) => {
      if (request.url === "/quick") response.end("ok");
      else response.writeHead(200).write("some");
    });
    const broker = await brokerFor({ upstream: upstream.url });
    await text(await ask(broker, { path: "/quick" }));
    const answer = await ask(broker, { path: "/slow" });
    await once(answer, "data");
    const end = broken(answer);
    await Promise.all([broker.close(), broker.close()]);
    expect(broker.exchanges.map(({ fault }) => fault?.code)).toEqual([undefined, "BROKER_CLOSED"]);
    expect(broker.lastUpstreamFault()).toBeUndefined();
    expect((await end).complete).toBe(false);
    const request = start(broker);
    request.end();
    expect(await failing(request)).toBe("ECONNREFUSED");
    await until(() => upstream.sockets.size === 0);
    await broker.close();
  });

  it("follows the signal", async () => {
    const upstream = await serve((_, response) => response.writeHead(200).write("some"));
    const stop = new AbortController();
    const broker = await brokerFor({ upstream: upstream.url, signal: stop.signal });
    const answer = await ask(broker);
    const end = broken(answer);
    stop.abort();
    expect((await end).complete).toBe(false);
    await broker.close();
    await until(() => upstream.sockets.size === 0);
  });
});

describe("what a failure says", () => {
  it("names every address tried and holds no secret", () => {
    const scrub = createScrub([REAL_KEY, "", "ab"]);
    const failures = [
      Object.assign(new Error("connect ETIMEDOUT 1.2.3.4"), { code: "ETIMEDOUT" }),
      Object.assign(new Error("connect ENETUNREACH ::5"), { code: "ENETUNREACH" }),
    ];
    expect(toFault(new AggregateError(failures), scrub)).toMatchObject({
      code: "ETIMEDOUT",
      text: "connect ETIMEDOUT 1.2.3.4; connect ENETUNREACH ::5",
    });
    expect(toFault(new Error(`bad header ${REAL_KEY} about`), scrub)).toMatchObject({
      code: "UNKNOWN",
      text: "bad header [removed] about",
    });
    expect(toFault("text", scrub)).toMatchObject({ code: "UNKNOWN", text: "text" });
  });
});
