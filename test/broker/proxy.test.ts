import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { request as httpRequest, type IncomingMessage } from "node:http";
import { createServer as createTlsServer } from "node:https";
import { type AddressInfo, connect, type Socket } from "node:net";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { ask, brokerFor, onCleanup, serve, serveTcp, start, text, until } from "./loopback.ts";

const FIXTURES = join(import.meta.dirname, "fixtures");

/** A forward and CONNECT proxy that leads every name to `port`. */
async function proxyTo(port: number) {
  const asked: { line: string; headers: IncomingMessage["headers"] }[] = [];
  const place = await serve((request, response) => {
    asked.push({ line: `${request.method} ${request.url}`, headers: request.headers });
    const { pathname, search } = new URL(request.url ?? "");
    const up = httpRequest(
      { port, host: "127.0.0.1", method: request.method, path: pathname + search },
      (answer) => {
        response.writeHead(answer.statusCode ?? 0, answer.headers);
        answer.pipe(response);
      },
    );
    request.pipe(up);
  });
  place.server.on("connect", (request: IncomingMessage, socket: Socket) => {
    asked.push({ line: `CONNECT ${request.url}`, headers: request.headers });
    const up = connect(port, "127.0.0.1", () => {
      socket.write("HTTP/1.1 200 Connection established\r\n\r\n");
      socket.pipe(up).pipe(socket);
    });
    up.on("error", () => socket.destroy());
    socket.on("error", () => up.destroy()).on("close", () => up.destroy());
  });
  return { ...place, asked };
}

async function tlsUpstream(): Promise<{ port: number; sockets: Set<Socket> }> {
  const cert = readFileSync(join(FIXTURES, "gw.example.crt"));
  const key = readFileSync(join(FIXTURES, "gw.example.key"));
  const server = createTlsServer({ cert, key }, async (request, response) => {
    const body = await text(request);
    const twice = request.rawHeaders.filter((_, i) => /^x-twice$/i.test(request.rawHeaders[i - 1] ?? ""));
    response.end(
      JSON.stringify({
        host: request.headers.host,
        url: request.url,
        body,
        twice,
        key: request.headers["x-api-key"],
      }),
    );
  });
  const sockets = new Set<Socket>();
  server.on("connection", (socket: Socket) => {
    sockets.add(socket);
    socket.on("error", () => undefined).on("close", () => sockets.delete(socket));
  });
  server.on("tlsClientError", () => undefined);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onCleanup(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return { port: (server.address() as AddressInfo).port, sockets };
}

async function failure(broker: Awaited<ReturnType<typeof brokerFor>>) {
  const request = start(broker);
  request.on("error", () => undefined).end();
  return (await broker.next()).fault;
}

describe("an http upstream behind HTTP_PROXY", () => {
  it("is asked for by its whole URL, with the proxy's own proof", async () => {
    const upstream = await serve(async (request, response) =>
      response.end(`${request.url} ${await text(request)}`),
    );
    const proxy = await proxyTo(upstream.port);
    const HTTP_PROXY = proxy.url.replace("//", "//me:pass@");
    const broker = await brokerFor({ upstream: "http://gw.example/base/", proxyEnv: { HTTP_PROXY } });
    const answer = await ask(broker, { body: "hi", headers: { "proxy-authorization": "Basic c3RyYXk=" } });
    expect(await text(answer)).toBe("/base/v1/messages?beta=true hi");
    expect(proxy.asked).toEqual([
      {
        line: "POST http://gw.example/base/v1/messages?beta=true",
        headers: expect.objectContaining({
          host: "gw.example",
          "x-api-key": expect.stringMatching(/^sk-real/),
          "proxy-authorization": `Basic ${Buffer.from("me:pass").toString("base64")}`,
        }),
      },
    ]);
  });

  it("is a broken connection when the proxy asks for a password", async () => {
    const proxy = await serve((_, response) => response.writeHead(407).end());
    const broker = await brokerFor({ upstream: "http://gw.example", proxyEnv: { http_proxy: proxy.url } });
    expect(await failure(broker)).toMatchObject({ code: "PROXY_REFUSED", text: "the proxy answered 407" });
  });

  it("is reached straight when NO_PROXY names it or it is this machine", async () => {
    const upstream = await serve((_, response) => response.end("straight"));
    const proxy = await serve((_, response) => response.end("proxied"));
    const proxyEnv = { HTTP_PROXY: proxy.url };
    const elsewhere = `http://0.0.0.0:${upstream.port}`;
    const reached = async (options: Parameters<typeof brokerFor>[0]) =>
      text(await ask(await brokerFor(options)));
    expect(await reached({ upstream: upstream.url, proxyEnv })).toBe("straight");
    expect(await reached({ upstream: elsewhere, proxyEnv })).toBe("proxied");
    expect(await reached({ upstream: elsewhere, proxyEnv: { ...proxyEnv, NO_PROXY: "x,0.0.0.0" } })).toBe(
      "straight",
    );
  });
});

/** A program of its own, as node reads extra certificates only when it starts. */
const PROGRAM = `
const { createJiti } = await import("jiti");
const { startBroker } = await createJiti(process.cwd() + "/x.ts").import("./src/broker/start-broker.ts");
const broker = await startBroker({
  upstream: "https://gw.example/base", credential: { kind: "api_key", value: "sk-real" },
  proxyEnv: { HTTPS_PROXY: process.argv[1] },
});
const headers = [["x-api-key", broker.token]];
for (let i = 0; i < 2; i += 1) {
  const answer = await new Promise((done, fail) => {
    const request = require("node:http").request(broker.url + "/v1/messages", {
      method: "POST", agent: false, headers: { "x-api-key": broker.token, "X-Twice": ["1", "2"] },
    }, (response) => { let t = ""; response.on("data", (d) => (t += d)).on("end", () => done(t)); });
    request.on("error", (e) => fail(new Error(e.message + JSON.stringify(broker.lastUpstreamFault()))));
    request.end("hi");
  });
  console.log(answer);
}
await broker.close();
`;

describe("an https upstream behind HTTPS_PROXY", () => {
  it("is tunnelled to, the tunnel kept, and TLS checked with the certificates node was given", async () => {
    const upstream = await tlsUpstream();
    const proxy = await proxyTo(upstream.port);
    const code = PROGRAM.replace(
      "const { createJiti }",
      'const require = (await import("node:module")).createRequire(process.cwd() + "/x.js"); const { createJiti }',
    );
    const child = spawn(process.execPath, ["--input-type=module", "-e", code, proxy.url], {
      cwd: join(import.meta.dirname, "../.."),
      env: {
        PATH: process.env.PATH ?? "",
        HOME: process.env.HOME ?? "",
        NODE_EXTRA_CA_CERTS: join(FIXTURES, "gw.example.crt"),
      },
    });
    let out = "";
    child.stdout.on("data", (part) => {
      out += String(part);
    });
    child.stderr.on("data", (part) => {
      out += String(part);
    });
    expect([await once(child, "exit"), out]).toMatchObject([[0, null], expect.any(String)]);
    const one = {
      host: "gw.example",
      url: "/base/v1/messages",
      body: "hi",
      twice: ["1", "2"],
      key: "sk-real",
    };
    expect(
      out
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line)),
    ).toEqual([one, one]);
    expect(proxy.asked.map(({ line }) => line)).toEqual(["CONNECT gw.example:443"]);
  });

  it("whose certificate nobody vouches for is never sent the credential", async () => {
    const upstream = await tlsUpstream();
    const proxy = await proxyTo(upstream.port);
    const broker = await brokerFor({ upstream: "https://gw.example", proxyEnv: { HTTPS_PROXY: proxy.url } });
    expect((await failure(broker))?.code).toBe("DEPTH_ZERO_SELF_SIGNED_CERT");
    expect(proxy.asked.map(({ headers }) => JSON.stringify(headers)).join()).not.toContain("sk-real");
  });

  it.each([407, 502])("is a broken connection when the proxy answers %i", async (status) => {
    const proxy = await serveTcp((socket) => {
      socket.once("data", () => socket.end(`HTTP/1.1 ${status} No\r\nContent-Length: 0\r\n\r\n`));
    });
    const broker = await brokerFor({ upstream: "https://gw.example", proxyEnv: { HTTPS_PROXY: proxy.url } });
    expect(await failure(broker)).toMatchObject({
      code: "PROXY_REFUSED",
      text: expect.stringContaining(`the proxy answered ${status}`),
    });
  });

  it("is asked for once, not for ever, when the proxy hangs up", async () => {
    let connections = 0;
    const proxy = await serveTcp((socket) => {
      connections += 1;
      socket.once("data", () => socket.destroy());
    });
    const broker = await brokerFor({ upstream: "https://gw.example", proxyEnv: { HTTPS_PROXY: proxy.url } });
    expect(await failure(broker)).toMatchObject({
      code: "ECONNRESET",
      text: expect.stringContaining("proxy"),
    });
    expect(connections).toBe(1);
  });

  it("is given up with its proxy connection when the broker closes while the proxy is silent", async () => {
    const proxy = await serveTcp((socket) => socket.resume());
    const broker = await brokerFor({ upstream: "https://gw.example", proxyEnv: { HTTPS_PROXY: proxy.url } });
    const request = start(broker);
    request.on("error", () => undefined).end();
    await until(() => proxy.sockets.size === 1);
    await broker.close();
    await until(() => proxy.sockets.size === 0);
    expect(broker.exchanges.map(({ fault }) => fault?.code)).toEqual(["BROKER_CLOSED"]);
  });
});
