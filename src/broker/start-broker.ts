// The broker: a loopback door to the Messages API that lets in one run's token and sends out the real credential.
// Owns the listening socket and the refusals; `relay.ts` carries what is let through.

import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { errorText, FlowerError } from "../core/errors.ts";
import { createToken } from "../core/ids.ts";
import { rejectUnknownKeys, requireObject } from "../core/options.ts";
import { type AdmissionRules, admit } from "./admission.ts";
import { type BrokerCredential, credentialVariable, requireUsable } from "./credential.ts";
import type { BrokerFault, Exchange } from "./exchange.ts";
import { brokerFailure, createScrub, toFault } from "./fault.ts";
import { chooseRoute, loopbackExemption, type ProxyEnv, type ProxyRoute } from "./proxy-route.ts";
import { refuse } from "./refusal.ts";
import { Relay } from "./relay.ts";
import { parseUpstream } from "./target.ts";
import { MAX_HEADER_BYTES, openUpstream, type Upstream } from "./upstream.ts";

/** What a broker is started with. */
export interface BrokerOptions {
  /** Base of the real API: `https://host[/prefix]`, with or without a slash at its end. */
  readonly upstream: URL | string;
  /** The one credential of the run; it leaves this process only in its own header, only to the upstream. */
  readonly credential: BrokerCredential;
  /** Where proxies are named; an environment fits. @defaultValue none: straight to the upstream */
  readonly proxyEnv?: ProxyEnv;
  /** Told of every forwarded request when it is over; may throw, which changes nothing. */
  readonly onExchange?: (exchange: Exchange) => void;
  /** Closes the broker when it aborts. */
  readonly signal?: AbortSignal;
}

/** A running broker. */
export interface Broker {
  /** `http://127.0.0.1:port`. */
  readonly url: string;
  /** Random token of this run, the only one let in. */
  readonly token: string;
  /**
   * Variables for the child: base URL, the token in the variable of the credential's kind, and, when a proxy is
   * set, a `NO_PROXY`/`no_proxy` that keeps requests to the broker off it. Every other credential variable must be unset.
   */
  childVariables(): Record<string, string>;
  /** The last failure of the upstream or of the way to it; undefined when there was none. */
  lastUpstreamFault(): BrokerFault | undefined;
  /** Ends every connection and stops listening; safe to call twice. */
  close(): Promise<void>;
}

const OPTION_NAMES = ["upstream", "credential", "proxyEnv", "onExchange", "signal"];

interface Door extends AdmissionRules {
  readonly upstream: Upstream;
  /** Exchanges under way. */
  readonly live: Set<Relay>;
  readonly describe: (error: unknown) => BrokerFault;
  readonly onUpstreamFault: (fault: BrokerFault) => void;
  readonly onSettled: (exchange: Exchange) => void;
}

function answer(door: Door, request: IncomingMessage, response: ServerResponse): void {
  const admission = admit(door, request);
  if (admission.kind === "refused") {
    refuse(response, admission.refusal);
    return;
  }
  const { path, headers } = admission;
  const onSettled = (exchange: Exchange) => {
    door.live.delete(relay);
    door.onSettled(exchange);
  };
  const relay = new Relay({ ...door, request, response, path, headers, onSettled });
  door.live.add(relay);
  relay.start();
}

function createDoor(door: Door): Server {
  const server = createServer({ maxHeaderSize: MAX_HEADER_BYTES }, (request, response) => {
    answer(door, request, response);
  });
  // No time-out of the broker's own: a quiet stream may live for hours, and closing an idle connection would race
  // with the harness's next request on it.
  server.requestTimeout = 0;
  server.headersTimeout = 0;
  server.keepAliveTimeout = 0;
  server.timeout = 0;
  return server;
}

function listen(server: Server): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once("error", (error) => {
      const hint = "check that this machine lets programs listen on 127.0.0.1";
      const text = `the broker cannot listen on 127.0.0.1: ${errorText(error)}`;
      reject(
        new FlowerError(text, {
          code: "broker_listen",
          hint,
          values: { reason: errorText(error) },
          cause: error,
        }),
      );
    });
    server.listen(0, "127.0.0.1", () => resolve((server.address() as AddressInfo).port));
  });
}

function secretsOf({ value }: BrokerCredential, token: string, route: ProxyRoute): readonly string[] {
  const proxy = route.kind === "direct" ? undefined : route.proxy.authorization;
  return [value, token, proxy?.replace(/^Basic /, "") ?? ""];
}

/** An observer may throw; the exchange it was told of has long gone through. */
function tell(observer: BrokerOptions["onExchange"], exchange: Exchange): void {
  try {
    observer?.(exchange);
  } catch {
    // Its own affair.
  }
}

function closer(server: Server, { live, upstream }: Door): () => Promise<void> {
  let closing: Promise<void> | undefined;
  const end = async () => {
    const closed = new Promise((resolve) => server.close(resolve));
    const reason = brokerFailure("BROKER_CLOSED", "the broker was closed", "nothing to do: the run is over");
    for (const relay of live) relay.cancel(reason);
    server.closeAllConnections();
    await Promise.all([closed, upstream.close()]);
  };
  return () => {
    closing ??= end();
    return closing;
  };
}

/**
 * Start a broker on a random port of 127.0.0.1.
 * @throws OptionError `bad_options`, `unknown_option`, `bad_upstream` or `bad_proxy`.
 * @throws CredentialsError `bad_credential`.
 * @throws FlowerError `broker_listen`.
 */
export async function startBroker(options: BrokerOptions): Promise<Broker> {
  requireObject(options, "startBroker");
  rejectUnknownKeys(options, OPTION_NAMES, "startBroker");
  const { credential, proxyEnv = {}, onExchange, signal } = options;
  requireUsable(credential);
  signal?.throwIfAborted();
  const base = parseUpstream(options.upstream);
  const route = chooseRoute(base.origin, proxyEnv);
  const token = createToken();
  const scrub = createScrub(secretsOf(credential, token, route));
  const upstream = openUpstream(base, route);
  let lastFault: BrokerFault | undefined;
  const door: Door = {
    base,
    credential,
    token,
    upstream,
    live: new Set(),
    describe: (error) => toFault(error, scrub),
    onUpstreamFault: (fault) => {
      lastFault = fault;
    },
    onSettled: (exchange) => tell(onExchange, exchange),
  };
  const server = createDoor(door);
  const url = `http://127.0.0.1:${await listen(server)}`;
  const close = closer(server, door);
  signal?.addEventListener("abort", () => void close(), { once: true });
  return {
    url,
    token,
    childVariables: () => ({
      ...loopbackExemption(proxyEnv),
      ANTHROPIC_BASE_URL: url,
      [credentialVariable(credential.kind)]: token,
    }),
    lastUpstreamFault: () => lastFault,
    close,
  };
}
