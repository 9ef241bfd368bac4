import { createServer, type IncomingMessage, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { joinApiPath } from "../../src/config/base-url.ts";
import type { DirectCredentials } from "../../src/config/credentials.ts";
import { probe } from "../../src/config/probe.ts";
import { PROBE_MODEL, probeRequest, readProbeAnswer } from "../../src/config/probe-request.ts";

function credentials(more: Partial<DirectCredentials> = {}): DirectCredentials {
  return {
    kind: "api_key",
    value: "sk-ant-REALSECRETVALUE",
    source: "s",
    trust: 3,
    models: {},
    modelSources: {},
    ignored: [],
    baseUrl: "https://gw.example",
    baseUrlSource: "s",
    ...more,
  };
}

describe("probeRequest", () => {
  it.each([
    ["https://gw.example", "https://gw.example/v1/messages"],
    ["https://gw.example/", "https://gw.example/v1/messages"],
    ["https://gw.example/v1", "https://gw.example/v1/messages"],
    ["https://gw.example/v1/", "https://gw.example/v1/messages"],
    ["https://gw.example//v1//", "https://gw.example/v1/messages"],
    ["https://gw.example/anthropic", "https://gw.example/anthropic/v1/messages"],
    ["https://gw.example/apiv1", "https://gw.example/apiv1/v1/messages"],
    ["http://127.0.0.1:8080/a/v1", "http://127.0.0.1:8080/a/v1/messages"],
  ])("joins %s to %s", (baseUrl, url) => {
    expect(probeRequest(credentials({ baseUrl })).url).toBe(url);
    expect(joinApiPath(baseUrl, "/v1/messages")).toBe(url);
  });

  it.each([
    ["api_key", { "x-api-key": "v" }],
    ["auth_token", { authorization: "Bearer v" }],
    ["oauth_token", { authorization: "Bearer v", "anthropic-beta": "oauth-2025-04-20" }],
  ] as const)("sends a %s in its own header only", (kind, expected) => {
    expect(probeRequest(credentials({ kind, value: "v" })).headers).toEqual({
      "content-type": "application/json",
      "anthropic-version": "2023-06-01",
      ...expected,
    });
  });

  it.each([
    ["the run's own", "run-model", { ANTHROPIC_MODEL: "m" }, "run-model"],
    ["the configured one", undefined, { ANTHROPIC_MODEL: "m", ANTHROPIC_DEFAULT_OPUS_MODEL: "o" }, "m"],
    ["without the harness's mark", undefined, { ANTHROPIC_MODEL: "claude-x[1m]" }, "claude-x"],
    ["what an alias stands for", "opus", { ANTHROPIC_DEFAULT_OPUS_MODEL: "o" }, "o"],
    ["the constant where only an alias is known", undefined, { ANTHROPIC_MODEL: "Opus[1m]" }, PROBE_MODEL],
    ["never an effort level", undefined, { CLAUDE_CODE_EFFORT_LEVEL: "high" }, PROBE_MODEL],
    ["the constant", undefined, {}, PROBE_MODEL],
  ])("asks for %s", (_name, model, models, expected) => {
    const body = JSON.parse(probeRequest(credentials({ models }), model).body);
    expect(body).toMatchObject({ model: expected, max_tokens: 16 });
  });
});

const error = (type: string, message: string) => JSON.stringify({ type: "error", error: { type, message } });

describe("readProbeAnswer", () => {
  it.each([
    [200, '{"type":"message","content":[]}', "ok"],
    [200, "event: message_start\ndata: {}\n\n", "ok"],
    [200, "<html>Welcome</html>", "not_the_api"],
    [200, "", "unsure"],
    [200, '{"error":"quota"}', "unsure"],
    [401, error("authentication_error", "invalid x-api-key"), "credentials_rejected"],
    [403, "", "credentials_rejected"],
    [404, error("not_found_error", "model: x"), "model_unknown"],
    [404, "not found", "not_the_api"],
    [404, "<html>Our model homes</html>", "not_the_api"],
    [404, '{"error":{"message":"model \\"qwen3\\" not found"}}', "model_unknown"],
    [405, "", "not_the_api"],
    [302, "", "not_the_api"],
    [400, error("invalid_request_error", "model: unknown"), "model_unknown"],
    [400, error("invalid_request_error", "Your credit balance is too low"), "unsure"],
    [400, '{"error":"unknown Model x"}', "model_unknown"],
    [429, error("rate_limit_error", "slow down"), "unsure"],
    [500, "oops", "unsure"],
    [529, error("overloaded_error", "Overloaded"), "unsure"],
  ])("%i %s means %s", (status, body, kind) => {
    expect(readProbeAnswer({ kind: "answer", status, body }).kind).toBe(kind);
  });

  it("says in one clean line what the server said", () => {
    const body = error("e", `\u001b[2Jno\nway ${"x".repeat(500)}`);
    const { detail } = readProbeAnswer({ kind: "answer", status: 401, body });
    expect(detail).toMatch(/^HTTP 401: no way x+…$/);
    expect(detail.length).toBeLessThan(230);
  });
});

describe("probe", () => {
  const servers: Server[] = [];

  afterEach(async () => {
    for (const server of servers.splice(0)) {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    }
  });

  async function serve(listener: RequestListener): Promise<string> {
    const server = createServer(listener);
    servers.push(server);
    await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  it("sends the request and reads the answer", async () => {
    const seen: IncomingMessage[] = [];
    const baseUrl = await serve((request, response) => {
      seen.push(request);
      response.end('{"type":"message","content":[]}');
    });
    expect(await probe(credentials({ baseUrl }))).toEqual({ kind: "ok", detail: "HTTP 200" });
    expect(seen.map(({ method, url, headers }) => [method, url, headers["x-api-key"]])).toEqual([
      ["POST", "/v1/messages", "sk-ant-REALSECRETVALUE"],
    ]);
  });

  it("does not follow a redirect, so that the key goes nowhere else", async () => {
    let elsewhere = 0;
    const other = await serve((_request, response) => {
      elsewhere += 1;
      response.end('{"type":"message","content":[]}');
    });
    const baseUrl = await serve((_request, response) => {
      response.writeHead(307, { location: `${other}/v1/messages` }).end();
    });
    expect((await probe(credentials({ baseUrl }))).kind).toBe("not_the_api");
    expect(elsewhere).toBe(0);
  });

  it.each([
    ["plain", "sk-ant-REALSECRETVALUE"],
    ["with characters JSON escapes", 'sk-"REAL\\SECRET"VALUE'],
  ])("masks a secret that the server echoes, %s", async (_name, value) => {
    const baseUrl = await serve((request, response) => {
      response.writeHead(401).end(error("e", `${"y".repeat(190)} bad key ${request.headers["x-api-key"]}`));
    });
    const shortBase = await serve((request, response) => {
      response.writeHead(401).end(error("e", `bad key ${request.headers["x-api-key"]}`));
    });
    expect((await probe(credentials({ baseUrl, value }))).detail).not.toContain(value.slice(0, 8));
    expect((await probe(credentials({ baseUrl: shortBase, value }))).detail).toBe(
      `HTTP 401: bad key ${value.slice(0, 4)}…`,
    );
  });

  it("says when nothing listens, and names the fault", async () => {
    const baseUrl = await serve(() => {});
    const server = servers.splice(0)[0];
    await new Promise((done) => server?.close(done));
    expect(await probe(credentials({ baseUrl }))).toEqual({ kind: "unreachable", detail: "ECONNREFUSED" });
  });

  it("says when the server stays silent, at once or half-way through its answer", async () => {
    const silent = await serve(() => {});
    const halfway = await serve((_request, response) => void response.write("{"));
    for (const baseUrl of [silent, halfway]) {
      expect(await probe(credentials({ baseUrl }), { timeoutS: 0.2 })).toEqual({
        kind: "unreachable",
        detail: "no answer within 0.2 s",
      });
    }
  });

  it("does not read an endless answer to its end", async () => {
    const baseUrl = await serve((_request, response) => {
      const more = () => {
        if (!response.destroyed) response.write("x".repeat(65_536), () => setImmediate(more));
      };
      more();
    });
    expect((await probe(credentials({ baseUrl }), { timeoutS: 15 })).kind).toBe("unsure");
  });

  it("ends with the caller's reason when the caller aborts", async () => {
    const abort = new AbortController();
    const baseUrl = await serve(() => abort.abort(new Error("enough")));
    await expect(probe(credentials({ baseUrl }), { signal: abort.signal })).rejects.toThrow("enough");
    await expect(probe(credentials({ baseUrl }), { signal: abort.signal })).rejects.toThrow("enough");
  });

  it("sends through the fetch it is given", async () => {
    const urls: string[] = [];
    const fetch = async (url: unknown) => {
      urls.push(String(url));
      throw new TypeError(`cannot use sk-ant-REALSECRETVALUE`);
    };
    expect(await probe(credentials(), { fetch })).toEqual({
      kind: "unreachable",
      detail: "cannot use sk-a…",
    });
    expect(urls).toEqual(["https://gw.example/v1/messages"]);
  });

  it.each([0, -1, Number.NaN])("refuses a time-out of %d", async (timeoutS) => {
    await expect(probe(credentials(), { timeoutS })).rejects.toMatchObject({ code: "bad_option" });
  });

  it("refuses an option it does not know", async () => {
    await expect(probe(credentials(), { timeout: 5 } as object)).rejects.toMatchObject({
      code: "unknown_option",
    });
  });
});
