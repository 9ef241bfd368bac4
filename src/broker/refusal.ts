// What the broker answers by itself: only to requests it will not forward, in the shape of the real API's errors.

import type { ServerResponse } from "node:http";

/** Why a request is not forwarded. */
export type Refusal =
  | { readonly kind: "token"; readonly header: "x-api-key" | "bearer token" }
  | { readonly kind: "target"; readonly why: string };

/** Answer 401 or 400; what is left of the request's body is read and forgotten by node. */
export function refuse(response: ServerResponse, refusal: Refusal): void {
  const [status, type, message] =
    refusal.kind === "token"
      ? [
          401,
          "authentication_error",
          `invalid ${refusal.header}: only the token of this run is accepted here`,
        ]
      : [400, "invalid_request_error", `not forwarded: ${refusal.why}`];
  const body = JSON.stringify({ type: "error", error: { type, message } });
  response.writeHead(status as number, {
    "Content-Type": "application/json",
    "Content-Length": Buffer.byteLength(body),
  });
  response.end(body);
}
