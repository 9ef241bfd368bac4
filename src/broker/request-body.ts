// The request's body as undici may have it: a stream whose end or destruction never touches the client's socket.

import type { IncomingMessage } from "node:http";
import { Readable } from "node:stream";

/** Read ahead of the upstream, bytes; beyond it the client is asked to wait. */
const READ_AHEAD_BYTES = 64 * 1024;

function hasBody(request: IncomingMessage): boolean {
  return (
    request.headers["transfer-encoding"] !== undefined || Number(request.headers["content-length"] ?? 0) > 0
  );
}

/**
 * A stream over the request's body, or null when it has none.
 * An upstream that answers before it has read everything destroys this stream; the rest is then read and
 * forgotten, so that the answer still reaches the client.
 */
export function requestBody(request: IncomingMessage, onBytes: (count: number) => void): Readable | null {
  if (!hasBody(request)) return null;
  const onData = (chunk: Buffer) => {
    onBytes(chunk.length);
    if (!body.push(chunk)) request.pause();
  };
  const onEnd = () => body.push(null);
  const body = new Readable({
    highWaterMark: READ_AHEAD_BYTES,
    read: () => void request.resume(),
    destroy: (error, done) => {
      request.off("data", onData).off("end", onEnd).resume();
      done(error);
    },
  });
  // undici listens only while it sends; afterwards an error here concerns nobody.
  body.on("error", () => undefined);
  request.on("data", onData).on("end", onEnd);
  return body;
}
