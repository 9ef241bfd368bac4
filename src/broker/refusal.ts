// What the broker answers by itself: only to requests it will not forward, in the shape of the real API's errors.

import type { ServerResponse } from "node:http";

/** Why a request is not forwarded. */
export type Refusal =
  | { readonly kind: "token"; readonly header: "x-api-key" | "bearer token" }
  | { readonly kind: "target"; readonly why: string };

interface ApiError {
  readonly status: number;
  readonly type: string;
  readonly message: string;
}

function toApiError(refusal: Refusal): ApiError {
  if (refusal.kind === "target") {
    return { status: 400, type: "invalid_request_error", message: `not forwarded: ${refusal.why}` };
  }
  const message = `invalid ${refusal.header}: only the token of this run is accepted here`;
  return { status: 401, type: "authentication_error", message };
}

/** Answer 401 or 400; what is left of the request's body is read and forgotten by node. */
export function refuse(response: ServerResponse, refusal: Refusal): void {
  const { status, type, message } = toApiError(refusal);
  const body = JSON.stringify({ type: "error", error: { type, message } });
  response.writeHead(status, {
    "Content-Type": "application/json",
    "Content-Length": Buffer.byteLength(body),
  });
  response.end(body);
}
