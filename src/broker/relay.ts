// One request on its way: up with the real credential, back as it comes, both with back-pressure, aborts both ways.

import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from "node:http";
import type { Readable } from "node:stream";
import type { Dispatcher } from "undici";
import { epochS } from "../core/clock.ts";
import type { BrokerFault, Exchange } from "./exchange.ts";
import { parseRetryAfterS, rateLimitHeaders } from "./exchange.ts";
import { brokerFailure, proxyRefused } from "./fault.ts";
import { endToEnd, type HeaderPair, toPairs } from "./headers.ts";
import { createSecretHider, type SecretHider } from "./hide-secret.ts";
import { requestBody } from "./request-body.ts";
import type { Upstream } from "./upstream.ts";
import { createUsageMeter, type UsageMeter } from "./usage-meter.ts";

/** What a relay is given. */
export interface RelayParts {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly upstream: Upstream;
  /** Path and query to ask the upstream for. */
  readonly path: string;
  /** Headers for the upstream, the credential in them. */
  readonly headers: readonly HeaderPair[];
  /** The credential in them: an answer that repeats it does not reach the client so. */
  readonly credential: { readonly value: string };
  readonly describe: (error: unknown) => BrokerFault;
  /** Called when the upstream or the way to it fails; must not throw. */
  readonly onUpstreamFault: (fault: BrokerFault) => void;
  /** Called once at the end; must not throw. */
  readonly onSettled: (exchange: Exchange) => void;
}

interface AnswerHead {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly reason: string | undefined;
}

function clientGone(): Error {
  return brokerFailure(
    "CLIENT_GONE",
    "the client closed its connection",
    "nothing to do: the harness gave up",
  );
}

/** Headers as they came; undici's client keeps them raw beside the parsed ones. */
function answerHeaders(controller: Dispatcher.DispatchController): readonly HeaderPair[] {
  const raw = controller.rawHeaders;
  return Array.isArray(raw) ? endToEnd(toPairs(raw)) : [];
}

/** A reason phrase that node would refuse to write is left out: it means nothing. */
function reasonPhrase(text: string | undefined): string {
  return text !== undefined && /^[\t\x20-\x7e\x80-\xff]*$/.test(text) ? text : "";
}

/** Carries one exchange; undici calls it as its handler. */
export class Relay implements Dispatcher.DispatchHandler {
  readonly #parts: RelayParts;
  readonly #startedAt = epochS();
  readonly #body: Readable | null;
  #controller: Dispatcher.DispatchController | undefined;
  #meter: UsageMeter | undefined;
  #hider: SecretHider | undefined;
  #answer: { readonly status: number; readonly headers: IncomingHttpHeaders } | undefined;
  #requestBytes = 0;
  #responseBytes = 0;
  #settled = false;

  constructor(parts: RelayParts) {
    this.#parts = parts;
    this.#body = requestBody(parts.request, (count) => {
      this.#requestBytes += count;
    });
  }

  /** Send the request on its way; everything after that happens in the handler below. */
  start(): void {
    const { request, response, upstream, path, headers } = this.#parts;
    response.sendDate = false;
    response.once("finish", this.#onFinish);
    request.socket.once("close", this.#onGone);
    upstream.agent.dispatch(
      {
        origin: upstream.origin,
        path: `${upstream.pathStart}${path}`,
        method: request.method ?? "GET",
        headers: [...headers, ...upstream.proxyHeaders].flat(),
        body: this.#body,
      },
      this,
    );
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    if (this.#settled) controller.abort(clientGone());
  }

  onResponseStart(
    controller: Dispatcher.DispatchController,
    status: number,
    headers: IncomingHttpHeaders,
    reason?: string,
  ): void {
    if (status < 200) this.#interim(status, headers);
    else if (status === 407 && this.#parts.upstream.forwarded) controller.abort(proxyRefused(status));
    else this.#begin(controller, { status, headers, reason });
  }

  #begin(controller: Dispatcher.DispatchController, { status, headers, reason }: AnswerHead): void {
    this.#answer = { status, headers };
    this.#meter = createUsageMeter(headers);
    const { response, credential } = this.#parts;
    const encoding = headers["content-encoding"] ?? "identity";
    this.#hider = encoding.toLowerCase() === "identity" ? createSecretHider(credential.value) : undefined;
    response.writeHead(status, reasonPhrase(reason), answerHeaders(controller).flat());
    // At once: an event stream may stay silent for a long time after its headers.
    response.flushHeaders();
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#responseBytes += chunk.length;
    const { response } = this.#parts;
    const shown = this.#hider?.feed(chunk) ?? chunk;
    if (shown.length > 0 && !response.write(shown)) {
      controller.pause();
      response.once("drain", () => controller.resume());
    }
    this.#meter?.feed(chunk);
  }

  onResponseEnd(controller: Dispatcher.DispatchController): void {
    const { response } = this.#parts;
    const rest = this.#hider?.end();
    if (rest !== undefined && rest.length > 0) response.write(rest);
    const trailers = Array.isArray(controller.rawTrailers) ? toPairs(controller.rawTrailers) : [];
    if (trailers.length > 0)
      response.addTrailers(trailers.map(([name, value]): [string, string] => [name, value]));
    response.end();
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    if (this.#settled) return;
    const fault = this.#parts.describe(error);
    this.#parts.onUpstreamFault(fault);
    this.#settle(fault);
    this.#breakOff();
  }

  /** The client sees a broken connection, never an end it could take for a whole answer. */
  #breakOff(): void {
    const { request, response } = this.#parts;
    // An HTTP/1.0 answer ends where its connection does, so only a reset says that it broke.
    if (request.httpVersion === "1.0") request.socket.resetAndDestroy();
    response.destroy();
    request.socket.destroy();
  }

  #interim(status: number, headers: IncomingHttpHeaders): void {
    const { request, response } = this.#parts;
    if (request.httpVersion === "1.0") return;
    if (status === 102) response.writeProcessing();
    const { link, ...others } = headers;
    if (status !== 103 || link === undefined) return;
    try {
      const rest = Object.entries(others).map(([name, value]) => [name, value ?? ""]);
      response.writeEarlyHints({ link, ...Object.fromEntries(rest) });
    } catch {
      // A hint that node will not write is only a hint.
    }
  }

  /** End it from this side: the request up is aborted, the client's connection broken. */
  cancel(reason: Error): void {
    if (this.#settled) return;
    this.#settle(this.#parts.describe(reason));
    this.#controller?.abort(reason);
    this.#body?.destroy(reason);
    this.#breakOff();
  }

  readonly #onFinish = (): void => this.#settle(undefined);

  readonly #onGone = (): void => this.cancel(clientGone());

  #settle(fault: BrokerFault | undefined): void {
    if (this.#settled) return;
    this.#settled = true;
    const { request, response, onSettled } = this.#parts;
    request.socket.off("close", this.#onGone);
    response.off("finish", this.#onFinish);
    onSettled(this.#exchange(fault));
  }

  #exchange(fault: BrokerFault | undefined): Exchange {
    const { request } = this.#parts;
    const headers = this.#answer?.headers ?? {};
    const retryAfterS = parseRetryAfterS(headers["retry-after"]);
    const rateLimit = rateLimitHeaders(headers);
    const sessionId = request.headers["x-claude-code-session-id"];
    const usage = this.#meter?.usage();
    return {
      method: request.method ?? "GET",
      path: (request.url ?? "").split("?", 1)[0] ?? "",
      status: this.#answer?.status,
      startedAt: this.#startedAt,
      endedAt: epochS(),
      requestBytes: this.#requestBytes,
      responseBytes: this.#responseBytes,
      ...(retryAfterS === undefined ? {} : { retryAfterS }),
      ...(typeof sessionId === "string" ? { sessionId } : {}),
      ...(headers["x-should-retry"] === "false" ? { final: true as const } : {}),
      ...(rateLimit === undefined ? {} : { rateLimit }),
      ...(usage === undefined ? {} : { usage }),
      ...(fault === undefined ? {} : { fault }),
    };
  }
}
