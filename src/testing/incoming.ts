// An HTTP request, read to its end and made plain data.

import type { IncomingMessage } from "node:http";
import { epochS } from "../core/clock.ts";
import { isRecord } from "../core/json.ts";
import type { IncomingRequest } from "./api-request.ts";

/** A request and the text of its body. */
export interface ReadRequest {
  readonly request: IncomingRequest;
  readonly raw: string;
  /** The body as JSON, whatever it is; undefined when it is none. */
  readonly json: unknown;
}

function parse(raw: string): unknown {
  try {
    return JSON.parse(raw);
  } catch {
    return undefined;
  }
}

function flat(headers: IncomingMessage["headers"]): Readonly<Record<string, string>> {
  const entries = Object.entries(headers).map(([name, value]) => [
    name,
    Array.isArray(value) ? value.join(", ") : (value ?? ""),
  ]);
  return Object.fromEntries(entries);
}

/** Read a request to its end. Rejects when the client goes away before. */
export async function readRequest(message: IncomingMessage, index: number): Promise<ReadRequest> {
  const chunks: Buffer[] = [];
  for await (const chunk of message) chunks.push(Buffer.from(chunk));
  const body = Buffer.concat(chunks);
  const raw = body.toString("utf8");
  const json = parse(raw);
  const headers = flat(message.headers);
  const request: IncomingRequest = {
    index,
    at: epochS(),
    method: message.method ?? "GET",
    path: message.url ?? "/",
    headers,
    body: isRecord(json) ? json : {},
    bytes: body.length,
    sessionId: headers["x-claude-code-session-id"],
    agentId: headers["x-claude-code-agent-id"],
  };
  return { request, raw, json };
}

/** The path without its query string. */
export function pathOf(request: IncomingRequest): string {
  return request.path.split("?", 1)[0] ?? request.path;
}
