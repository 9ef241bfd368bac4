// The open way to the upstream: one undici Agent without time-outs, straight, forwarded or tunnelled.

import { setMaxListeners } from "node:events";
import { Agent, buildConnector } from "undici";
import type { HeaderPair } from "./headers.ts";
import type { ProxyRoute, ProxyServer } from "./proxy-route.ts";
import type { UpstreamBase } from "./target.ts";
import { createTunnel, serverName } from "./tunnel.ts";

/** Room for a request's or answer's headers, bytes: node's 16 KiB would turn a big one into a 431 of our own. */
export const MAX_HEADER_BYTES = 256 * 1024;

// With two addresses and node's 250 ms each, a slow line fails on both; waiting longer costs only where the first is dead.
const ADDRESS_ATTEMPT_MS = 5_000;

/** Where to send requests and how. */
export interface Upstream {
  readonly agent: Agent;
  /** Ends every connection, also those still being made. */
  close(): Promise<void>;
  /** Origin undici connects to: the upstream, or the proxy that forwards. */
  readonly origin: string;
  /** What stands before the path in the request line: the upstream's origin when a proxy forwards, else nothing. */
  readonly pathStart: string;
  /** Headers for the proxy that forwards. */
  readonly proxyHeaders: readonly HeaderPair[];
  /** True when a 407 comes from a proxy of ours and not from the upstream. */
  readonly forwarded: boolean;
}

function connectorFor(route: ProxyRoute, signal: AbortSignal): buildConnector.connector {
  const straight = buildConnector({
    // 0: the kernel decides when an address is dead, and the harness when it has waited enough.
    timeout: 0,
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: ADDRESS_ATTEMPT_MS,
    signal,
  });
  if (route.kind === "direct") return straight;
  if (route.kind === "tunnel") return createTunnel({ proxy: route.proxy, secure: straight, signal });
  // undici would take the name from `Host`, which is the upstream's, not the proxy's.
  const servername = serverName(route.proxy.url);
  return (options, callback) => straight({ ...options, servername }, callback);
}

function proofFor(proxy: ProxyServer): readonly HeaderPair[] {
  return proxy.authorization === undefined ? [] : [["Proxy-Authorization", proxy.authorization]];
}

/** Open the way; nothing is connected before the first request. */
export function openUpstream(base: UpstreamBase, route: ProxyRoute): Upstream {
  const ending = new AbortController();
  // One listener a connection; node's warning at ten would be a false alarm.
  setMaxListeners(0, ending.signal);
  const agent = new Agent({
    connect: connectorFor(route, ending.signal),
    headersTimeout: 0,
    bodyTimeout: 0,
    maxHeaderSize: MAX_HEADER_BYTES,
  });
  const close = async () => {
    ending.abort();
    await agent.destroy();
  };
  const shared = { agent, close };
  if (route.kind !== "forward") {
    return { ...shared, origin: base.origin, pathStart: "", proxyHeaders: [], forwarded: false };
  }
  const { proxy } = route;
  return {
    ...shared,
    origin: proxy.url.origin,
    pathStart: base.origin,
    proxyHeaders: proofFor(proxy),
    forwarded: true,
  };
}
