import { describe, expect, it } from "vitest";
import { chooseRoute, isExempt, isLoopback, loopbackExemption } from "../../src/broker/proxy-route.ts";

const P = "http://proxy.example:3128";

describe("the way to the upstream", () => {
  it.each([
    ["https://gw.example", {}, "direct"],
    ["https://gw.example", { HTTPS_PROXY: P }, "tunnel"],
    ["https://gw.example", { https_proxy: P }, "tunnel"],
    ["https://gw.example", { HTTP_PROXY: P }, "tunnel"],
    ["https://gw.example", { HTTPS_PROXY: "" }, "direct"],
    ["https://gw.example", { HTTPS_PROXY: P, NO_PROXY: "gw.example" }, "direct"],
    ["https://gw.example", { HTTPS_PROXY: P, no_proxy: "*" }, "direct"],
    ["http://gw.example", { HTTP_PROXY: P }, "forward"],
    ["http://gw.example", { HTTPS_PROXY: P }, "direct"],
    ["http://127.0.0.1:8080", { HTTP_PROXY: P }, "direct"],
    ["http://localhost:8080", { http_proxy: P }, "direct"],
    ["https://[::1]:8443", { HTTPS_PROXY: P }, "direct"],
    ["https://127.8.9.1", { HTTPS_PROXY: P }, "direct"],
    ["https://gw.localhost", { HTTPS_PROXY: P }, "direct"],
    ["https://127.evil.example", { HTTPS_PROXY: P }, "tunnel"],
  ])("%s with %o is %s", (origin, env, kind) => {
    expect(chooseRoute(origin, env).kind).toBe(kind);
  });

  it("prefers lower case, but an empty value claims nothing", () => {
    const route = chooseRoute("https://gw.example", { https_proxy: "", HTTPS_PROXY: P });
    expect(route).toMatchObject({ kind: "tunnel", proxy: { url: new URL(P) } });
    const lower = chooseRoute("https://gw.example", { https_proxy: "http://lower:1", HTTPS_PROXY: P });
    expect(lower).toMatchObject({ proxy: { url: new URL("http://lower:1") } });
  });

  it("takes a proxy without scheme, and its user as Basic proof, not in its URL", () => {
    expect(chooseRoute("https://gw.example", { HTTPS_PROXY: "proxy:3128" })).toMatchObject({
      proxy: { url: new URL("http://proxy:3128"), authorization: undefined },
    });
    const route = chooseRoute("https://gw.example", { HTTPS_PROXY: "http://me:p%40ss@proxy:3128/" });
    const authorization = `Basic ${Buffer.from("me:p@ss").toString("base64")}`;
    expect(route).toMatchObject({ proxy: { url: new URL("http://proxy:3128"), authorization } });
  });

  it.each(["socks5://me:hunter22@proxy:1080", "http://me:hunter22%@proxy", "http://hunter22:99999"])(
    "refuses %s without repeating it",
    (HTTPS_PROXY) => {
      const attempt = () => chooseRoute("https://gw.example", { HTTPS_PROXY });
      expect(attempt).toThrow(expect.objectContaining({ code: "bad_proxy" }));
      expect(attempt).not.toThrow(/hunter22/);
    },
  );

  it("does not mind a bad proxy that it will not use", () => {
    const env = { HTTPS_PROXY: "socks5://x", NO_PROXY: "gw.example" };
    expect(chooseRoute("https://gw.example", env).kind).toBe("direct");
  });
});

describe("NO_PROXY", () => {
  it.each([
    ["https://gw.example", "gw.example", true],
    ["https://GW.example", "gw.EXAMPLE", true],
    ["https://api.gw.example", "gw.example", true],
    ["https://api.gw.example", ".gw.example", true],
    ["https://gw.example", "*.gw.example", true],
    ["https://evilgw.example", "gw.example", false],
    ["https://gw.example", "other, gw.example", true],
    ["https://gw.example", "other\tgw.example", true],
    ["https://gw.example", "gw.example:443", true],
    ["https://gw.example:8443", "gw.example:443", false],
    ["http://gw.example", "gw.example:80", true],
    ["https://10.1.2.3", "10.0.0.0/8", true],
    ["https://11.1.2.3", "10.0.0.0/8", false],
    ["https://10.1.2.3", "10.0.0.0/99", false],
    ["https://gw.example", "10.0.0.0/8", false],
    ["https://[fd00::1]", "fd00::/8", true],
    ["https://[fd00::1]:444", "[fd00::1]:444", true],
    ["https://[fd00::1]", "fd00::1", true],
    ["https://gw.example", "", false],
    ["https://gw.example", ".", false],
    ["https://gw.example", "nonsense/zz", false],
    ["https://gw.example", "*", true],
  ])("%s against %j: %s", (url, list, exempt) => {
    expect(isExempt(new URL(url), list)).toBe(exempt);
  });

  it("is widened for the child, so that its requests to the broker stay off the proxy", () => {
    expect(loopbackExemption({})).toEqual({});
    expect(loopbackExemption({ NO_PROXY: "a" })).toEqual({});
    const both = (value: string) => ({ NO_PROXY: value, no_proxy: value });
    expect(loopbackExemption({ HTTP_PROXY: P })).toEqual(both("127.0.0.1"));
    expect(loopbackExemption({ https_proxy: P, NO_PROXY: "a,b" })).toEqual(both("a,b,127.0.0.1"));
    expect(loopbackExemption({ https_proxy: P, NO_PROXY: "127.0.0.0/8" })).toEqual(
      both("127.0.0.0/8,127.0.0.1"),
    );
    expect(loopbackExemption({ https_proxy: P, no_proxy: "*" })).toEqual(both("*"));
  });
});

it("knows the machine itself", () => {
  for (const host of ["localhost", "LOCALHOST", "a.localhost", "127.0.0.1", "127.1.1.1", "[::1]"]) {
    expect(isLoopback(host)).toBe(true);
  }
  for (const host of ["localhost.example", "128.0.0.1", "[::2]", "127.x", "gw"])
    expect(isLoopback(host)).toBe(false);
});
