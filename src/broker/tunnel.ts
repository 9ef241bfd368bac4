// A connector for undici's Agent that goes through a proxy's CONNECT. undici's own ProxyAgent is not used: it folds
// repeated headers into one, gives up on a slow proxy by itself, and reconnects without end when a proxy hangs up.

import { request as httpRequest } from "node:http";
import { request as httpsRequest } from "node:https";
import { isIP, type Socket } from "node:net";
import type { buildConnector } from "undici";
import { errorText } from "../core/errors.ts";
import { brokerFailure, proxyRefused } from "./fault.ts";
import type { ProxyServer } from "./proxy-route.ts";

/** What a tunnel is made of. */
export interface TunnelParts {
  readonly proxy: ProxyServer;
  /** Starts TLS with the upstream over a socket that is already open. */
  readonly secure: buildConnector.connector;
  /** Gives up connections that are still being made. */
  readonly signal: AbortSignal;
}

function bracketless(hostname: string): string {
  return hostname.replace(/^\[|\]$/g, "");
}

/** Name to ask a TLS server for; none for an address. */
export function serverName(url: URL): string {
  const host = bracketless(url.hostname);
  return isIP(host) === 0 ? host : "";
}

function authority({ hostname, port, protocol }: buildConnector.Options): string {
  const host = hostname.includes(":") ? `[${hostname}]` : hostname;
  return `${host}:${port || (protocol === "https:" ? "443" : "80")}`;
}

/** undici tries again without end on what it takes for a lost idle socket of its own; a plain code stops that. */
function connectError(error: unknown): Error {
  const code = (error as NodeJS.ErrnoException).code;
  const text = `no tunnel through the proxy: ${errorText(error)}`;
  const plain = code === undefined || code.startsWith("UND_") ? "PROXY_REFUSED" : code;
  return brokerFailure(plain, text, "check HTTPS_PROXY and NO_PROXY");
}

function askForTunnel({ proxy, signal }: TunnelParts, path: string) {
  const ask = proxy.url.protocol === "https:" ? httpsRequest : httpRequest;
  const proof = proxy.authorization === undefined ? {} : { "Proxy-Authorization": proxy.authorization };
  return ask({
    host: bracketless(proxy.url.hostname),
    port: proxy.url.port || null,
    servername: serverName(proxy.url),
    method: "CONNECT",
    path,
    headers: { Host: path, ...proof },
    agent: false,
    signal,
  });
}

/** Connects to the upstream through the proxy, then lets `secure` start TLS with the upstream itself. */
export function createTunnel(parts: TunnelParts): buildConnector.connector {
  return (options, callback) => {
    const connect = askForTunnel(parts, authority(options));
    let open = true;
    const fail = (error: unknown) => {
      if (open) callback(connectError(error), null);
      open = false;
    };
    connect.on("error", fail);
    // Anything but an answer to CONNECT arrives here; a proxy that says no may use either way.
    connect.once("response", (answer) => {
      fail(proxyRefused(answer.statusCode ?? 0));
      connect.destroy();
    });
    connect.once("connect", (answer, socket: Socket, head) => {
      if (answer.statusCode !== 200) {
        socket.on("error", () => undefined).destroy();
        fail(proxyRefused(answer.statusCode ?? 0));
        return;
      }
      open = false;
      if (head.length > 0) socket.unshift(head);
      parts.secure({ ...options, httpSocket: socket }, callback);
    });
    connect.end();
  };
}
