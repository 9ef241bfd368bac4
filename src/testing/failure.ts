// What a speaker's turn can be instead of an answer: an HTTP error, a cut connection, an error in mid-stream, silence.

import { rejectUnknownKeys } from "../core/options.ts";
import type { Turn } from "./turn.ts";

/** The API's error types and usual words by HTTP status. */
const BY_STATUS: Readonly<Record<number, readonly [type: string, message: string]>> = {
  400: ["invalid_request_error", "Invalid request"],
  401: ["authentication_error", "invalid x-api-key"],
  402: ["billing_error", "Your credit balance is too low to access the Anthropic API."],
  403: ["permission_error", "Your API key does not have permission to use the specified resource."],
  404: ["not_found_error", "Not found"],
  413: ["request_too_large", "Request exceeds the maximum size"],
  429: ["rate_limit_error", "This request would exceed your account's rate limit. Please try again later."],
  500: ["api_error", "Internal server error"],
  504: ["timeout_error", "Request timed out"],
  529: ["overloaded_error", "Overloaded"],
};

/** An answer that is an HTTP error. */
export interface HttpError {
  readonly kind: "http_error";
  /** HTTP status. */
  readonly status: number;
  /** The API's name for it. */
  readonly errorType: string;
  /** The API's words. */
  readonly message: string;
  /** Sent as given, `retry-after` for one. */
  readonly headers: Readonly<Record<string, string>>;
  /** Body to send in place of the API's own shape; a gateway's page, for one. */
  readonly body: string | undefined;
}

/** The connection is cut. */
export interface DropConnection {
  readonly kind: "drop_connection";
  /** Events let through first; 0 cuts before a status line. */
  readonly afterEvents: number;
  /** The answer that breaks off. */
  readonly turn: Turn;
}

/** The stream breaks off with an `error` event. */
export interface StreamError {
  readonly kind: "stream_error";
  /** The API's name for it. */
  readonly errorType: string;
  /** The API's words. */
  readonly message: string;
  /** Events of the answer before it. */
  readonly afterEvents: number;
  /** The answer that breaks off. */
  readonly turn: Turn;
}

/** No byte ever comes. */
export interface Hang {
  readonly kind: "hang";
}

/** Anything but an answer. */
export type Failure = HttpError | DropConnection | StreamError | Hang;

/** The API's error type and usual words for a status. */
function errorOfStatus(status: number): { readonly type: string; readonly message: string } {
  const [type, message] = BY_STATUS[status] ?? (status >= 500 ? BY_STATUS[500] : BY_STATUS[400]) ?? ["", ""];
  return { type, message };
}

/**
 * An HTTP error as the real API words it; type and message follow from the status unless given.
 * 400, 404, 413 and 422 hold: the same messages of the same session get the same error again without using a step,
 * because the harness repeats such a request with optional features taken away.
 * @param status - HTTP status
 * @param options - `type`, `message`, `headers` and `body` in place of the usual ones
 */
export function httpError(
  status: number,
  options: {
    readonly type?: string | undefined;
    readonly message?: string | undefined;
    readonly headers?: Readonly<Record<string, string>> | undefined;
    readonly body?: string | undefined;
  } = {},
): HttpError {
  rejectUnknownKeys(options, ["type", "message", "headers", "body"], "httpError");
  const usual = errorOfStatus(status);
  return {
    kind: "http_error",
    status,
    errorType: options.type ?? usual.type,
    message: options.message ?? usual.message,
    headers: options.headers ?? {},
    body: options.body,
  };
}

/** Half an answer, for breaking off in the middle of. */
const HALF: Turn = { kind: "turn", blocks: [{ kind: "text", text: "I was about to say" }] };

/**
 * Cut the connection: at once, or after some events of a turn.
 * @param options - `afterEvents`: events before the break; `turn`: the answer that breaks off
 */
export function dropConnection(
  options: { readonly afterEvents?: number | undefined; readonly turn?: Turn | undefined } = {},
): DropConnection {
  rejectUnknownKeys(options, ["afterEvents", "turn"], "dropConnection");
  return { kind: "drop_connection", afterEvents: options.afterEvents ?? 0, turn: options.turn ?? HALF };
}

/**
 * Break a stream off with an `error` event, after `afterEvents` (3 unless given: some prose is out by then).
 * A request that is not streamed gets the HTTP error of status 529 or 500 instead.
 * @param options - `type` and `message` of the error, `afterEvents` before it, `turn`: the answer that breaks off
 */
export function streamError(
  options: {
    readonly type?: string | undefined;
    readonly message?: string | undefined;
    readonly afterEvents?: number | undefined;
    readonly turn?: Turn | undefined;
  } = {},
): StreamError {
  rejectUnknownKeys(options, ["type", "message", "afterEvents", "turn"], "streamError");
  return {
    kind: "stream_error",
    errorType: options.type ?? "overloaded_error",
    message: options.message ?? "Overloaded",
    afterEvents: options.afterEvents ?? 3,
    turn: options.turn ?? HALF,
  };
}

/** Never answer; the connection stays open until the client or the server closes. */
export function hang(): Hang {
  return { kind: "hang" };
}
