import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { HarnessError } from "../../src/core/errors.ts";
import { classify, diagnose } from "../../src/runtime/diagnose.ts";
import { parseResetAt } from "../../src/runtime/reset-time.ts";

interface Case {
  readonly id: string;
  readonly input: string | Record<string, unknown>;
  readonly expected: Readonly<Record<string, unknown>>;
}

const cases: Case[] = JSON.parse(readFileSync("test/fixtures/runtime/error-classify.json", "utf8"));
const NOW = Date.UTC(2026, 10, 30, 15, 0) / 1000;
/** A tool result inside a turn that went well is never asked about; a result of our own stop is. */
const TOLD_APART = ["D-err-14"];

describe("diagnose on reports from the field", () => {
  it.each(cases.map((one) => [one.id, one] as const))("%s", (id, { input, expected }) => {
    const diagnosis = diagnose(input);
    const kind = expected.class === "repair-or-handoff" ? "repair" : expected.class;
    expect(diagnosis.kind).toBe(kind);
    if (TOLD_APART.includes(id)) expect(diagnosis.action).toBe("go_on");
    if (typeof expected.resetEpoch === "number") expect(diagnosis.resetAt).toBe(expected.resetEpoch);
    if (expected.resetText !== undefined) expect(diagnosis.resetAt).toBeGreaterThan(Date.now() / 1000);
    if (expected.credentialFault === false) expect(diagnosis.cause).not.toBe("auth");
  });
});

describe("diagnose", () => {
  it.each([
    ["API Error: 503 Service Unavailable", "transient", "server"],
    ["API Error: Connection error. ECONNRESET", "transient", "network"],
    ["API Error: 429 Too Many Requests", "transient", "rate_limit"],
    ["API Error: 408 Request Timeout", "transient", "timeout"],
    ["API Error: 403 Forbidden", "fatal", "auth"],
    ["API Error: 404 model: nope", "fatal", "model"],
    ["API Error: 400 messages.3.content.0: Invalid `signature` in `thinking` block", "repair", "thinking"],
    ["API Error: 400 The request body is not valid JSON: no low surrogate in string", "repair", "encoding"],
    ["API Error: 400 messages.1.content.0.image.source.base64: image exceeds 5 MB maximum", "repair", "size"],
    ["Invalid API key · Fix external API key", "fatal", "auth"],
    ["You've hit your weekly limit · resets Dec 2 at 9am (UTC)", "quota", "limit"],
    ["You've reached your Opus limit", "quota", "limit"],
    ["prompt is too long: 1200000 tokens > 1000000 maximum", "overflow", "prompt_too_long"],
    ["Agent terminated early due to an API error: API Error: 529 Overloaded.", "transient", "overloaded"],
    ["All 404 tests pass; a connection refused error is handled now.", "none", "none"],
    ["200 files changed", "none", "none"],
    ["", "none", "none"],
  ])("%j is %s (%s)", (text, kind, cause) => {
    expect(diagnose(text)).toMatchObject({ kind, cause });
  });

  it("reads the window a failure gives away", () => {
    expect(diagnose("API Error: 400 prompt is too long: 212345 tokens > 200000 maximum").window).toBe(
      200_000,
    );
    expect(diagnose("API Error: 429 Extra usage is required for long context requests.").window).toBe(
      200_000,
    );
  });

  it("goes by structure before text", () => {
    const result = { type: "result", subtype: "success", is_error: true, result: "something went wrong" };
    expect(diagnose({ ...result, terminal_reason: "budget_exhausted" })).toMatchObject({
      kind: "fatal",
      cause: "budget",
    });
    expect(diagnose({ ...result, terminal_reason: "max_turns" })).toMatchObject({
      kind: "fatal",
      cause: "turns",
    });
    expect(diagnose({ ...result, terminal_reason: "prompt_too_long" }).kind).toBe("overflow");
    expect(diagnose({ ...result, api_error: "connection_failed" })).toMatchObject({
      kind: "transient",
      cause: "network",
    });
    expect(diagnose({ ...result, api_error_status: 529 }).kind).toBe("transient");
    expect(diagnose({ ...result, api_error_status: 401 })).toMatchObject({ kind: "fatal", cause: "auth" });
    expect(diagnose({ ...result, is_error: false }).kind).toBe("none");
  });

  it("never calls an Error, or a result that says it is one, nothing", () => {
    expect(diagnose(new TypeError("fetch failed"))).toMatchObject({ kind: "transient", cause: "network" });
    expect(diagnose(new TypeError("all is well")).kind).toBe("unknown");
    const init = { code: "binary_cannot_start", hint: "" };
    expect(diagnose(new HarnessError("x", init))).toMatchObject({ kind: "fatal", cause: "binary" });
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(diagnose(new TypeError(text)).kind).not.toBe("none");
        expect(diagnose({ type: "result", is_error: true, result: text }).kind).not.toBe("none");
        expect(() => diagnose(text)).not.toThrow();
      }),
    );
  });

  it("has a coarse form", () => {
    expect(classify("401 Unauthorized")).toBe("fatal");
    expect(classify("API Error: 529 Overloaded")).toBe("transient");
    expect(classify("who knows")).toBe("unknown");
  });
});

describe("the end of a limit", () => {
  it.each([
    ["resets 3am (UTC)", Date.UTC(2026, 11, 1, 3)],
    ["resets 4pm (UTC)", Date.UTC(2026, 10, 30, 16)],
    ["resets 12am (UTC)", Date.UTC(2026, 11, 1, 0)],
    ["resets 12pm (UTC)", Date.UTC(2026, 11, 1, 12)],
    ["resets 9:30am (Europe/Berlin)", Date.UTC(2026, 11, 1, 8, 30)],
    ["resets Dec 4 at 5pm (America/New_York)", Date.UTC(2026, 11, 4, 22)],
    ["resets in 2h 15m", Date.UTC(2026, 10, 30, 17, 15)],
    ["limit reached|1796100000", 1_796_100_000_000],
  ])("%s", (text, atMs) => {
    expect(parseResetAt(text, NOW)).toBe(atMs / 1000);
  });

  it.each(["no word of it", "resets soon", "resets 25pm", "resets 99"])("is unknown from %j", (text) => {
    expect(parseResetAt(text, NOW)).toBeUndefined();
  });
});
