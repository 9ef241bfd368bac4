// Sends a reply over HTTP: as a stream or as one JSON body, whole or broken as the script wants it.

import type { ServerResponse } from "node:http";
import { setImmediate as nextTick } from "node:timers/promises";
import type { HttpError, StreamError } from "./failure.ts";
import { httpError } from "./failure.ts";
import {
  errorBody,
  messageBody,
  messageEvents,
  type PlannedMessage,
  type StreamEvent,
} from "./planned-message.ts";

/** Where a reply goes, and how. */
export interface Outlet {
  readonly response: ServerResponse;
  readonly requestId: string;
  /** As the request's `stream` asks. */
  readonly stream: boolean;
}

/** Send a JSON body. */
export function writeJson(
  outlet: Outlet,
  status: number,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): void {
  const { response, requestId } = outlet;
  response.writeHead(status, { "content-type": "application/json", "request-id": requestId, ...headers });
  response.end(typeof body === "string" ? body : JSON.stringify(body));
}

/** Send an HTTP error. */
export function writeError(outlet: Outlet, error: HttpError): void {
  const body = error.body ?? errorBody(error.errorType, error.message, outlet.requestId);
  writeJson(outlet, error.status, body, error.headers);
}

function startStream({ response, requestId }: Outlet): void {
  response.writeHead(200, {
    "content-type": "text/event-stream; charset=utf-8",
    "cache-control": "no-cache",
    "request-id": requestId,
  });
}

function writeEvent(response: ServerResponse, { event, data }: StreamEvent): void {
  response.write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
}

/** Send a whole message. */
export function writeMessage(outlet: Outlet, message: PlannedMessage): void {
  if (!outlet.stream) {
    writeJson(outlet, 200, messageBody(message));
    return;
  }
  startStream(outlet);
  for (const event of messageEvents(message)) writeEvent(outlet.response, event);
  outlet.response.end();
}

/** Send the first events of a message; on return they have left this process. */
async function writeSome(outlet: Outlet, message: PlannedMessage, count: number): Promise<void> {
  startStream(outlet);
  for (const event of messageEvents(message).slice(0, count)) writeEvent(outlet.response, event);
  await new Promise<void>((resolve) => outlet.response.write("\n", () => resolve()));
  await nextTick();
}

/** Cut the connection after some events; at once when there are none to send, or when nothing is streamed. */
export async function writeAndDrop(
  outlet: Outlet,
  message: PlannedMessage,
  afterEvents: number,
): Promise<void> {
  if (outlet.stream && afterEvents > 0) await writeSome(outlet, message, afterEvents);
  outlet.response.destroy();
}

/** Break a stream off with an `error` event. */
export async function writeAndFail(
  outlet: Outlet,
  message: PlannedMessage,
  error: StreamError,
): Promise<void> {
  const { errorType: type, message: words } = error;
  if (!outlet.stream) {
    return writeError(outlet, httpError(type === "overloaded_error" ? 529 : 500, { type, message: words }));
  }
  await writeSome(outlet, message, error.afterEvents);
  writeEvent(outlet.response, { event: "error", data: errorBody(type, words, outlet.requestId) });
  outlet.response.end();
}
