// Whether the API's host can be reached at all: name lookup and TCP handshake, nothing sent, no credential involved.

import { connect } from "node:net";
import { chooseRoute } from "../broker/proxy-route.ts";
import { OFFICIAL_BASE_URL } from "../config/base-url.ts";
import { readProcessEnv } from "../config/process-env.ts";
import { BASE_URL_VARIABLE, type Environment, givenValue } from "../config/variables.ts";
import { OptionError } from "../core/errors.ts";

/** A place to knock at. */
export interface Endpoint {
  /** Name or address. */
  readonly host: string;
  /** TCP port. */
  readonly port: number;
}

function toEndpoint(url: URL): Endpoint {
  const port = url.port === "" ? (url.protocol === "http:" ? 80 : 443) : Number(url.port);
  return { host: url.hostname.replace(/^\[|\]$/g, ""), port };
}

/**
 * Host and port that must be reachable for a base URL: its own, or the proxy's when one stands before it.
 * Both default to the process environment (`ANTHROPIC_BASE_URL`, else api.anthropic.com:443; `HTTPS_PROXY`).
 * @param baseUrl - address of the API; else what the environment says
 * @throws OptionError `bad_option` for an address that is none.
 * @example
 * ```ts
 * import { endpoint, reachable } from "flower-agent";
 *
 * const { host, port } = endpoint("https://gateway.example");
 * console.log(await reachable(host, port));
 * ```
 */
export function endpoint(baseUrl?: string, env: Environment = readProcessEnv()): Endpoint {
  const base = baseUrl ?? givenValue(env, BASE_URL_VARIABLE) ?? OFFICIAL_BASE_URL;
  if (!URL.canParse(base)) {
    // The address itself is not repeated: it may hold a secret.
    throw new OptionError("endpoint: the base URL is no address", {
      code: "bad_option",
      hint: "https://host, or http://host:port",
    });
  }
  const url = new URL(base);
  const route = chooseRoute(url.origin, env);
  return toEndpoint(route.kind === "direct" ? url : route.proxy.url);
}

/**
 * Whether a TCP connection comes about within `timeoutS` seconds. Never throws.
 * @param host - name or address
 * @param port - TCP port
 * @param timeoutS - longest wait in seconds
 * @param signal - ends the wait
 * @example
 * ```ts
 * import { reachable } from "flower-agent";
 *
 * if (!(await reachable("api.anthropic.com", 443, 2))) console.log("offline");
 * ```
 */
export function reachable(host: string, port: number, timeoutS = 5, signal?: AbortSignal): Promise<boolean> {
  return new Promise((resolve) => {
    if (signal?.aborted) return resolve(false);
    const socket = connect({ host, port });
    const settle = (result: boolean) => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", abort);
      socket.destroy();
      resolve(result);
    };
    const abort = () => settle(false);
    const timer = setTimeout(() => settle(false), timeoutS * 1000);
    signal?.addEventListener("abort", abort, { once: true });
    socket.once("connect", () => settle(true));
    socket.once("error", () => settle(false));
  });
}
