// Which way leads to the upstream: straight, or through the proxy that HTTPS_PROXY, HTTP_PROXY and NO_PROXY name. Pure.

import { BlockList, isIP } from "node:net";
import { inEnglish, wordsOf } from "../config/locale/words.ts";
import { OptionError } from "../core/errors.ts";
import type { Words } from "../core/words.ts";

/** The variables that name a proxy; an environment fits. Lower case wins, an empty value counts as unset. */
export interface ProxyEnv {
  readonly HTTPS_PROXY?: string | undefined;
  readonly HTTP_PROXY?: string | undefined;
  readonly NO_PROXY?: string | undefined;
  readonly https_proxy?: string | undefined;
  readonly http_proxy?: string | undefined;
  readonly no_proxy?: string | undefined;
}

/** A proxy and what it wants to hear. */
export interface ProxyServer {
  readonly url: URL;
  /** Value of `Proxy-Authorization`, when the proxy's URL holds a user. */
  readonly authorization: string | undefined;
}

/** The way to the upstream: `tunnel` is CONNECT, `forward` asks the proxy for the whole URL. */
export type ProxyRoute =
  | { readonly kind: "direct" }
  | { readonly kind: "tunnel" | "forward"; readonly proxy: ProxyServer };

function bareHost(hostname: string): string {
  return hostname.replace(/^\[|\]$/g, "").toLowerCase();
}

/** True for the machine itself; such an upstream is never asked for through a proxy. */
export function isLoopback(hostname: string): boolean {
  const host = bareHost(hostname);
  if (host === "localhost" || host.endsWith(".localhost") || host === "::1") return true;
  return isIP(host) === 4 && host.startsWith("127.");
}

function inNetwork(host: string, network: string): boolean {
  const [address = "", bits = ""] = network.split("/");
  const family = isIP(address);
  const max = family === 4 ? 32 : 128;
  if (family === 0 || isIP(host) !== family || !/^\d{1,3}$/.test(bits) || Number(bits) > max) return false;
  const list = new BlockList();
  const type = family === 4 ? "ipv4" : "ipv6";
  list.addSubnet(address, Number(bits), type);
  return list.check(host, type);
}

function splitPort(entry: string): { readonly host: string; readonly port: string | undefined } {
  const found = isIP(entry) === 0 ? /^(.+):(\d+)$/.exec(entry) : null;
  return { host: bareHost(found?.[1] ?? entry), port: found?.[2] };
}

function exempts(entry: string, host: string, port: string): boolean {
  if (entry === "*") return true;
  if (entry.includes("/")) return inNetwork(host, entry);
  const wanted = splitPort(entry);
  if (wanted.port !== undefined && wanted.port !== port) return false;
  const domain = wanted.host.replace(/^\*?\./, "");
  return domain !== "" && (host === domain || host.endsWith(`.${domain}`));
}

/** True when `NO_PROXY` (names, `.domains`, addresses, networks, each with an optional port, or `*`) covers the URL. */
export function isExempt(url: URL, noProxy: string): boolean {
  const port = url.port || (url.protocol === "https:" ? "443" : "80");
  const entries = noProxy.split(/[\s,]+/).filter((entry) => entry !== "");
  return entries.some((entry) => exempts(entry, bareHost(url.hostname), port));
}

function badProxy(what: Words): OptionError {
  return new OptionError(`the proxy in HTTPS_PROXY or HTTP_PROXY ${inEnglish(what)}`, {
    code: "bad_proxy",
    values: { what },
    hint: "give it as http://host:port, or name the API's host in NO_PROXY",
  });
}

function parseProxy(text: string): ProxyServer {
  try {
    const url = new URL(text.includes("://") ? text : `http://${text}`);
    if (url.protocol !== "http:" && url.protocol !== "https:") throw badProxy(wordsOf("said.proxy.scheme"));
    const user = `${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`;
    const authorization = user === ":" ? undefined : `Basic ${Buffer.from(user).toString("base64")}`;
    return { url: new URL(url.origin), authorization };
  } catch (error) {
    // Neither the text nor the parser's own message is repeated: both may hold a password.
    throw error instanceof OptionError ? error : badProxy(wordsOf("said.proxy.url"));
  }
}

/**
 * Choose the way once, at the start: a broker has one upstream.
 * An https upstream uses HTTPS_PROXY, else HTTP_PROXY, as the harness and undici do.
 * @throws OptionError `bad_proxy` when the proxy that would be used is not an http(s) URL.
 */
export function chooseRoute(origin: string, env: ProxyEnv): ProxyRoute {
  const url = new URL(origin);
  const http = env.http_proxy || env.HTTP_PROXY;
  const secure = url.protocol === "https:";
  const proxy = secure ? env.https_proxy || env.HTTPS_PROXY || http : http;
  if (!proxy || isLoopback(url.hostname) || isExempt(url, env.no_proxy || env.NO_PROXY || "")) {
    return { kind: "direct" };
  }
  return { kind: secure ? "tunnel" : "forward", proxy: parseProxy(proxy) };
}

/**
 * What a child must be told so that its own requests to 127.0.0.1 reach the broker instead of the proxy.
 * Empty when no proxy is set.
 */
export function loopbackExemption(env: ProxyEnv): Readonly<Record<string, string>> {
  const proxied = env.https_proxy || env.HTTPS_PROXY || env.http_proxy || env.HTTP_PROXY;
  if (!proxied) return {};
  const old = env.no_proxy || env.NO_PROXY || "";
  // Asked for by its plain address: the child's reading of NO_PROXY may know no networks.
  const told = old.split(/[\s,]+/).some((entry) => entry === "*" || entry === "127.0.0.1");
  const list = told ? old : [old, "127.0.0.1"].filter((part) => part !== "").join(",");
  return { NO_PROXY: list, no_proxy: list };
}
