import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseRetryAfterS, rateLimitHeaders } from "../../src/broker/exchange.ts";
import { createUsageMeter } from "../../src/broker/usage-meter.ts";
import { sse } from "./loopback.ts";

const STREAM = sse(
  {
    type: "message_start",
    message: { usage: { input_tokens: 7, output_tokens: 1, cache_read_input_tokens: 5 } },
  },
  { type: "content_block_delta", delta: { text: 'he said "usage": {"input_tokens": 999} ü' } },
  { type: "ping" },
  { type: "message_delta", delta: {}, usage: { output_tokens: 42, cache_creation_input_tokens: null } },
  { type: "message_stop" },
);
const EXPECTED = { input: 7, output: 42, cacheRead: 5, cacheCreation: 0 };

function sseMeter() {
  const meter = createUsageMeter({ "content-type": "text/event-stream; charset=utf-8" });
  if (meter === undefined) throw new Error("no meter");
  return meter;
}

describe("usage of an event stream", () => {
  it("is the same however the bytes are cut, with either line end", () => {
    fc.assert(
      fc.property(fc.array(fc.nat(STREAM.length)), fc.boolean(), (cuts, crlf) => {
        const bytes = Buffer.from(crlf ? STREAM.replaceAll("\n", "\r\n") : STREAM);
        const meter = sseMeter();
        const at = [0, ...cuts.sort((a, b) => a - b), bytes.length];
        for (let i = 1; i < at.length; i += 1) meter.feed(bytes.subarray(at[i - 1], at[i]));
        expect(meter.usage()).toEqual(EXPECTED);
      }),
    );
  });

  it("is found after a line that is too long to be looked into, and damaged ones", () => {
    const meter = sseMeter();
    meter.feed(Buffer.from('data: {"usage": nonsense\ndata: {"usage": 3}\ndata: 5 "usage"\nusage "usage"\n'));
    for (let i = 0; i < 200; i += 1) meter.feed(Buffer.alloc(1024, 0x61));
    meter.feed(Buffer.from(`"usage"\n${STREAM}`));
    expect(meter.usage()).toEqual(EXPECTED);
  });

  it("holds no more than a line of an endless one", () => {
    const meter = sseMeter();
    const chunk = Buffer.alloc(64 * 1024, 0x61);
    globalThis.gc?.();
    const before = process.memoryUsage().arrayBuffers;
    for (let i = 0; i < 800; i += 1) meter.feed(chunk);
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(4 * 1024 * 1024);
    expect(meter.usage()).toBeUndefined();
  });
});

describe("usage of a JSON answer", () => {
  const json = { "content-type": "application/json" };

  it("is read whole, in pieces", () => {
    const meter = createUsageMeter(json);
    const body = JSON.stringify({ type: "message", usage: { input_tokens: 1, output_tokens: 2 } });
    for (const char of body) meter?.feed(Buffer.from(char));
    expect(meter?.usage()).toEqual({ input: 1, output: 2, cacheRead: 0, cacheCreation: 0 });
  });

  it.each(["", "{", "[]", "null", '{"type":"error"}', '{"usage":7}'])("is absent from %j", (body) => {
    const meter = createUsageMeter(json);
    meter?.feed(Buffer.from(body));
    expect(meter?.usage()).toBeUndefined();
  });

  it("is given up on a body of more than a megabyte, which is not kept", () => {
    const meter = createUsageMeter(json);
    const chunk = Buffer.alloc(64 * 1024, 0x20);
    const before = process.memoryUsage().arrayBuffers;
    for (let i = 0; i < 800; i += 1) meter?.feed(chunk);
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(4 * 1024 * 1024);
    meter?.feed(Buffer.from('{"usage":{"input_tokens":1}}'));
    expect(meter?.usage()).toBeUndefined();
  });
});

it("is not looked for in compressed answers or other types", () => {
  expect(
    createUsageMeter({ "content-type": "text/event-stream", "content-encoding": "gzip" }),
  ).toBeUndefined();
  expect(createUsageMeter({ "content-type": "text/html" })).toBeUndefined();
  expect(createUsageMeter({})).toBeUndefined();
  expect(
    createUsageMeter({ "content-type": "application/json", "content-encoding": "Identity" }),
  ).toBeDefined();
});

describe("limits an answer speaks of", () => {
  it.each([
    ["30", 30],
    [" 0 ", 0],
    ["1.5", 1.5],
    ["Thu, 01 Jan 1970 00:01:40 GMT", 90],
    ["Thu, 01 Jan 1970 00:00:01 GMT", 0],
    ["soon", undefined],
    ["-3", undefined],
    ["", undefined],
    [undefined, undefined],
  ])("retry-after %j is %s s", (value, seconds) => {
    expect(parseRetryAfterS(value, 10_000)).toBe(seconds);
  });

  it("are its rate-limit headers alone", () => {
    const headers = {
      "anthropic-ratelimit-requests-remaining": "3",
      "x-ratelimit-reset": "9",
      "x-other": "1",
    };
    expect(rateLimitHeaders(headers)).toEqual({
      "anthropic-ratelimit-requests-remaining": "3",
      "x-ratelimit-reset": "9",
    });
    expect(rateLimitHeaders({ "x-other": "1" })).toBeUndefined();
  });
});
