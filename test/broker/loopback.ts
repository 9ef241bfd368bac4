// Real sockets on 127.0.0.1 for the broker's tests: small upstreams, a raw client, and events to wait for.

import { type EventEmitter, once } from "node:events";
import {
  type Agent,
  createServer,
  request as httpRequest,
  type IncomingMessage,
  type RequestListener,
  type Server,
} from "node:http";
import {
  type AddressInfo,
  connect,
  createServer as createTcpServer,
  type Socket,
  type Server as TcpServer,
} from "node:net";
import { afterEach } from "vitest";
import type { Exchange } from "../../src/broker/exchange.ts";
import { type Broker, type BrokerOptions, startBroker } from "../../src/broker/start-broker.ts";

export const REAL_KEY = "sk-real-0123456789abcdef";

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

export function onCleanup(cleanup: () => unknown): void {
  cleanups.push(cleanup);
}

export interface Place {
  readonly url: string;
  readonly port: number;
  readonly sockets: Set<Socket>;
}

async function open(server: Server | TcpServer): Promise<Place> {
  const sockets = new Set<Socket>();
  server.on("connection", (socket: Socket) => {
    sockets.add(socket);
    socket.on("error", () => undefined);
    socket.on("close", () => sockets.delete(socket));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onCleanup(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, port, sockets };
}

/** An HTTP upstream. */
export function serve(listener: RequestListener): Promise<Place & { readonly server: Server }> {
  const server = createServer({ maxHeaderSize: 512 * 1024 }, listener);
  return open(server).then((place) => ({ ...place, server }));
}

/** A TCP upstream that speaks for itself. */
export function serveTcp(listener: (socket: Socket) => void): Promise<Place> {
  return open(createTcpServer(listener));
}

export interface Watched extends Broker {
  readonly exchanges: Exchange[];
  /** The next exchange to end, or the first that has not been waited for. */
  next(): Promise<Exchange>;
}

/** A broker that is closed after the test and whose exchanges can be awaited. */
export async function brokerFor(options: Partial<BrokerOptions> & { upstream: string }): Promise<Watched> {
  const exchanges: Exchange[] = [];
  const unread: Exchange[] = [];
  const waiting: ((exchange: Exchange) => void)[] = [];
  const broker = await startBroker({
    credential: { kind: "api_key", value: REAL_KEY },
    ...options,
    onExchange: (exchange) => {
      exchanges.push(exchange);
      const waiter = waiting.shift();
      if (waiter === undefined) unread.push(exchange);
      else waiter(exchange);
      options.onExchange?.(exchange);
    },
  });
  onCleanup(() => broker.close());
  const next = () => {
    const first = unread.shift();
    return first === undefined ? new Promise<Exchange>((done) => waiting.push(done)) : Promise.resolve(first);
  };
  return { ...broker, exchanges, next };
}

export interface Sent {
  readonly method?: string;
  readonly path?: string;
  readonly headers?: Record<string, string | string[]> | readonly string[];
  readonly body?: string | Buffer;
  /** Keeps the connection; without one each request opens its own and says it will close it. */
  readonly agent?: Agent;
}

/** Start a request with the run's token and wait for the answer's head. */
export async function ask(broker: Broker, sent: Sent = {}): Promise<IncomingMessage> {
  const request = start(broker, sent);
  request.end(sent.body);
  const [answer] = (await once(request, "response")) as [IncomingMessage];
  return answer;
}

/** A request whose body the test writes itself. */
export function start(
  broker: Broker,
  { method, path = "/v1/messages?beta=true", headers = {}, agent }: Sent = {},
) {
  const target = new URL(broker.url);
  const all = Array.isArray(headers) ? headers : { "x-api-key": broker.token, ...headers };
  return httpRequest({
    host: target.hostname,
    port: target.port,
    method: method ?? "POST",
    path,
    headers: all as Record<string, string>,
    agent: agent ?? false,
  });
}

/** Resolves when a stream or socket has closed, with or without an error. */
export function closed(emitter: EventEmitter): Promise<void> {
  emitter.on("error", () => undefined);
  return new Promise((resolve) => emitter.once("close", () => resolve()));
}

export async function text(message: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of message) parts.push(part as Buffer);
  return Buffer.concat(parts).toString("latin1");
}

/** Write bytes to a port and read until the other side closes. */
export async function raw(
  port: string | number,
  bytes: string | Buffer,
): Promise<{ text: string; failed: string | undefined }> {
  const socket = connect(Number(port), "127.0.0.1");
  let read = "";
  let failed: string | undefined;
  socket.setEncoding("latin1");
  socket.on("data", (part) => {
    read += String(part);
  });
  socket.on("error", (error: NodeJS.ErrnoException) => {
    failed = error.code;
  });
  socket.write(bytes);
  await closed(socket);
  return { text: read, failed };
}

/** Resolves when the condition holds, looked at again whenever the event loop turns. */
export async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((turn) => setImmediate(turn));
}

export function sse(...events: readonly object[]): string {
  return events.map((event) => `event: x\ndata: ${JSON.stringify(event)}\n\n`).join("");
}
