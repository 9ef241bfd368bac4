import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { admit } from "../../src/broker/admission.ts";
import { type BrokerCredential, requireUsable } from "../../src/broker/credential.ts";
import { parseUpstream } from "../../src/broker/target.ts";

const TOKEN = "f".repeat(64);
const KEY = { kind: "api_key", value: "sk-real" } as const;
const BEARER = { kind: "auth_token", value: "real-bearer" } as const;

function decide(
  rawHeaders: readonly string[],
  {
    credential = KEY as BrokerCredential,
    url = "/v1/messages",
    method = "POST",
    upstream = "https://gw.example",
  } = {},
) {
  const pairs: [string, string][] = [];
  for (let i = 0; i < rawHeaders.length; i += 2)
    pairs.push([rawHeaders[i]!.toLowerCase(), rawHeaders[i + 1]!]);
  const rules = { base: parseUpstream(upstream), credential, token: TOKEN };
  return admit(rules, { method, url, rawHeaders: [...rawHeaders], headers: Object.fromEntries(pairs) });
}

describe("the token", () => {
  it.each([
    ["nothing", KEY, []],
    ["a wrong key", KEY, ["x-api-key", "e".repeat(64)]],
    ["a part of the token", KEY, ["x-api-key", TOKEN.slice(1)]],
    ["an empty key", KEY, ["x-api-key", ""]],
    ["the real credential itself", KEY, ["x-api-key", "sk-real"]],
    ["the token in the header of the other kind", KEY, ["authorization", `Bearer ${TOKEN}`]],
    ["the token twice", KEY, ["x-api-key", TOKEN, "X-Api-Key", TOKEN]],
    ["the token beside a wrong one", KEY, ["x-api-key", TOKEN, "x-api-key", "e"]],
    ["a bearer broker asked with a key", BEARER, ["x-api-key", TOKEN]],
    ["a bearer without its scheme", BEARER, ["authorization", TOKEN]],
    ["another scheme", BEARER, ["authorization", `Basic ${TOKEN}`]],
    ["more after the token", BEARER, ["authorization", `Bearer ${TOKEN} x`]],
  ] as const)("is missing: %s", (_, credential, headers) => {
    expect(decide(headers, { credential })).toMatchObject({ kind: "refused", refusal: { kind: "token" } });
  });

  it("is asked for before the target is looked at", () => {
    expect(decide([], { url: "/../x" })).toMatchObject({ refusal: { kind: "token" } });
  });

  it.each([
    [KEY, ["X-API-Key", TOKEN], ["X-API-Key", "sk-real"]],
    [BEARER, ["Authorization", `Bearer ${TOKEN}`], ["Authorization", "Bearer real-bearer"]],
    [
      { kind: "oauth_token", value: "oat" } as const,
      ["authorization", `bearer ${TOKEN}`],
      ["authorization", "Bearer oat"],
    ],
  ] as const)("gives way to the real credential, in its place and case: %o", (credential, sent, expected) => {
    const admission = decide(["a", "1", ...sent, "b", "2"], { credential });
    expect(admission).toEqual({
      kind: "admitted",
      path: "/v1/messages",
      headers: [["Host", "gw.example"], ["a", "1"], expected, ["b", "2"]],
    });
  });

  it.each([
    [KEY, ["authorization", "Bearer stray"]],
    [BEARER, ["x-api-key", "stray"]],
    [BEARER, ["X-Api-Key", TOKEN]],
  ] as const)("leaves no room for a credential of the other kind: %o %o", (credential, stray) => {
    const own = credential.kind === "api_key" ? ["x-api-key", TOKEN] : ["authorization", `Bearer ${TOKEN}`];
    const admission = decide([...own, ...stray], { credential });
    expect(admission.kind).toBe("admitted");
    expect(JSON.stringify(admission)).not.toContain("stray");
    expect(JSON.stringify(admission)).not.toContain(TOKEN);
  });

  it("never lets itself through, whatever other headers hold", () => {
    const name = fc.stringMatching(/^[A-Za-z][A-Za-z-]{0,11}$/);
    const other = fc.tuple(name, fc.stringMatching(/^[ -~]{0,20}$/));
    fc.assert(
      fc.property(fc.array(other), (others) => {
        const admission = decide(["x-api-key", TOKEN, ...others.flat()]);
        const mine = others.some(([n]) => n.toLowerCase() === "x-api-key");
        expect(admission.kind).toBe(mine ? "refused" : "admitted");
        expect(JSON.stringify(admission)).not.toContain(TOKEN);
      }),
    );
  });
});

describe("headers", () => {
  it("of one hop stay behind, those named in Connection too, framing and credential never", () => {
    const admission = decide([
      "Connection",
      "keep-alive, X-Hop , content-length, x-api-key, host",
      "Keep-Alive",
      "timeout=5",
      "X-Hop",
      "1",
      "TE",
      "trailers",
      "Trailer",
      "x",
      "Transfer-Encoding",
      "chunked",
      "Upgrade",
      "h2c",
      "Proxy-Authorization",
      "Basic eDp5",
      "Proxy-Connection",
      "keep-alive",
      "Expect",
      "100-continue",
      "Content-Length",
      "3",
      "x-api-key",
      TOKEN,
      "Accept-Encoding",
      "gzip, br",
      "X-Twice",
      "1",
      "x-twice",
      "2",
    ]);
    expect(admission).toMatchObject({
      headers: [
        ["Host", "gw.example"],
        ["Content-Length", "3"],
        ["x-api-key", "sk-real"],
        ["Accept-Encoding", "gzip, br"],
        ["X-Twice", "1"],
        ["x-twice", "2"],
      ],
    });
  });
});

describe("the target", () => {
  it.each([
    ["https://gw.example", "/v1/messages?beta=true", "/v1/messages?beta=true"],
    ["https://gw.example/", "/v1/messages?beta=true", "/v1/messages?beta=true"],
    ["https://gw.example/anthropic", "/v1/messages", "/anthropic/v1/messages"],
    ["https://gw.example/anthropic/", "/v1/messages", "/anthropic/v1/messages"],
    ["https://gw.example/a/b//", "/v1/x", "/a/b/v1/x"],
    ["https://gw.example/v1", "/v1/messages", "/v1/messages"],
    ["https://gw.example/x/v1/", "/v1/messages", "/x/v1/messages"],
    ["https://gw.example/v1", "/api/hello", "/v1/api/hello"],
    ["https://gw.example", "/v1/files/a%20b?q=../x&u=http://evil/", "/v1/files/a%20b?q=../x&u=http://evil/"],
    ["https://gw.example", "/a//b/...", "/a//b/..."],
    ["https://gw.example", "/", "/"],
  ])("%s + %s", (upstream, url, path) => {
    expect(decide(["x-api-key", TOKEN], { upstream, url })).toMatchObject({ kind: "admitted", path });
  });

  it.each([
    "http://evil/v1/messages",
    "https://gw.example/v1/messages",
    "//evil/v1",
    "/\\evil",
    "/a\\..\\b",
    "\\\\evil",
    "/../admin",
    "/v1/../../admin",
    "/v1/..",
    "/./v1",
    "/v1/%2e%2e/admin",
    "/v1/%2E./admin",
    "/v1/..%2fadmin",
    "/v1/%252e%252e/x",
    "/%2fevil",
    "/v1/%5c..%5cx",
    "/v1/..;/admin",
    "/v1/.;x/y",
    "*",
    "",
    "v1/messages",
    "/v1#frag",
    "/v1/a b",
    "/v1/\u0000",
  ])("%j is refused", (url) => {
    expect(decide(["x-api-key", TOKEN], { url, upstream: "https://gw.example/base" })).toMatchObject({
      kind: "refused",
      refusal: { kind: "target" },
    });
  });

  it("stays under the base, whatever is asked for", () => {
    const piece = fc.constantFrom(
      "/",
      "..",
      ".",
      "%2e",
      "%2F",
      "%5C",
      "\\",
      ";",
      "?",
      "v1",
      "@",
      ":",
      "evil",
      "%25",
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 8 }), (pieces) => {
        const admission = decide(["x-api-key", TOKEN], {
          url: `/${pieces.join("")}`,
          upstream: "https://gw.example/p",
        });
        if (admission.kind === "refused") return;
        const url = new URL(`https://gw.example${admission.path}`);
        expect(url.host).toBe("gw.example");
        expect(decodeURIComponent(decodeURIComponent(url.pathname.replace(/%25(?!2|5)/g, "")))).toMatch(
          /^\/p\//,
        );
      }),
    );
  });

  it.each(["TRACE", "CONNECT"])("is not asked with %s, which could hand the credential back", (method) => {
    expect(decide(["x-api-key", TOKEN], { method })).toMatchObject({ refusal: { kind: "target" } });
  });

  it("is not asked to become a WebSocket", () => {
    const headers = ["x-api-key", TOKEN, "Connection", "Upgrade", "Upgrade", "WebSocket"];
    expect(decide(headers, { method: "GET" })).toMatchObject({ refusal: { kind: "target" } });
  });
});

describe("what a broker cannot be started with", () => {
  it.each([
    "not a url",
    "ftp://gw.example",
    "https://user:hunter22@gw.example",
    "https://gw.example/?key=hunter22",
    "https://gw.example/#x",
    "hunter22://",
    "",
  ])("upstream %j, and the message does not repeat it", (upstream) => {
    const attempt = () => parseUpstream(upstream);
    expect(attempt).toThrow(expect.objectContaining({ code: "bad_upstream" }));
    expect(attempt).not.toThrow(/hunter22/);
  });

  it.each(["", " ", "sk real", "sk-real\n", "sk\u0000", "schlüssel"])("credential %j", (value) => {
    const attempt = () => requireUsable({ kind: "api_key", value });
    expect(attempt).toThrow(expect.objectContaining({ code: "bad_credential" }));
    if (value.trim() !== "") expect(attempt).not.toThrow(value.trim());
  });
});
