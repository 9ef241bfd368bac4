// Who is let in and where to: decided from the request line and headers alone, before anything is connected. Pure.

import type { IncomingMessage } from "node:http";
import { type BrokerCredential, carriesToken, withCredential } from "./credential.ts";
import { type HeaderPair, requestHeaders, toPairs } from "./headers.ts";
import type { Refusal } from "./refusal.ts";
import { joinTarget, type UpstreamBase } from "./target.ts";

/** What a request is measured against. */
export interface AdmissionRules {
  readonly base: UpstreamBase;
  readonly credential: BrokerCredential;
  readonly token: string;
}

/** What became of a request at the door. */
export type Admission =
  | { readonly kind: "refused"; readonly refusal: Refusal }
  | { readonly kind: "admitted"; readonly path: string; readonly headers: readonly HeaderPair[] };

/** The part of a request that is looked at. */
export type RequestHead = Pick<IncomingMessage, "method" | "url" | "headers" | "rawHeaders">;

/** Why this request must not go up whatever its path; undefined when nothing speaks against it. */
function forbidden({ method, headers }: RequestHead): string | undefined {
  // TRACE would send the headers, and with them the credential, back to the child.
  if (method === "TRACE" || method === "CONNECT") return `${method} is not allowed`;
  return /websocket/i.test(headers.upgrade ?? "") ? "WebSocket is not carried" : undefined;
}

/** Decide on one request: the token first, so that nothing else is told to a stranger. */
export function admit({ base, credential, token }: AdmissionRules, request: RequestHead): Admission {
  const headers = toPairs(request.rawHeaders);
  if (!carriesToken(headers, credential.kind, token)) {
    const header = credential.kind === "api_key" ? "x-api-key" : "bearer token";
    return { kind: "refused", refusal: { kind: "token", header } };
  }
  const why = forbidden(request);
  if (why !== undefined) return { kind: "refused", refusal: { kind: "target", why } };
  const target = joinTarget(base, request.url ?? "");
  if (target.kind === "refused") return { kind: "refused", refusal: { kind: "target", why: target.why } };
  const outgoing = withCredential(requestHeaders(headers, base.host), credential);
  return { kind: "admitted", path: target.path, headers: outgoing };
}
