import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { EVENT_KINDS } from "../../src/events/event.ts";
import { normalize } from "../../src/harness/normalize.ts";

function assistant(content: unknown, more: Record<string, unknown> = {}) {
  return { type: "assistant", message: { model: "m", content }, parent_tool_use_id: null, ...more };
}

function kinds(message: unknown): string[] {
  return normalize(message).map((event) => event.kind);
}

describe("a message of the harness becomes events", () => {
  it.each<[string, unknown, string[]]>([
    ["prose", assistant([{ type: "text", text: "hello" }]), ["text"]],
    ["a thought", assistant([{ type: "thinking", thinking: "hm" }]), ["thinking"]],
    ["a hidden thought", assistant([{ type: "redacted_thinking", data: "x" }]), ["thinking"]],
    [
      "a call",
      assistant([{ type: "tool_use", id: "t", name: "Bash", input: { command: "ls" } }]),
      ["tool_call"],
    ],
    [
      "a call on the server",
      assistant([{ type: "server_tool_use", id: "t", name: "web_search", input: {} }]),
      ["tool_call"],
    ],
    [
      "prose and calls, in order",
      assistant([
        { type: "text", text: "a" },
        { type: "tool_use", name: "Read", input: {} },
      ]),
      ["text", "tool_call"],
    ],
    ["a new kind of block", assistant([{ type: "hologram" }]), ["unknown"]],
    ["nothing said", assistant([]), ["unknown"]],
    [
      "a made-up error",
      assistant([{ type: "text", text: "API Error" }], {
        message: { model: "<synthetic>", content: [{ type: "text", text: "API Error" }] },
      }),
      ["error"],
    ],
    [
      "a result of a tool",
      { type: "user", message: { content: [{ type: "tool_result", tool_use_id: "t", content: "ok" }] } },
      ["tool_result"],
    ],
    ["words to the model", { type: "user", message: { content: "go" } }, ["prompt"]],
    ["a picture to the model", { type: "user", message: { content: [{ type: "image" }] } }, ["unknown"]],
    ["the start", { type: "system", subtype: "init", session_id: "s" }, ["system"]],
    ["a compaction", { type: "system", subtype: "compact_boundary" }, ["reset"]],
    ["a reset", { type: "system", subtype: "conversation_reset" }, ["reset"]],
    [
      "a retry",
      { type: "system", subtype: "api_retry", attempt: 1, max_retries: 2, error_status: 529 },
      ["system"],
    ],
    ["a task that starts", { type: "system", subtype: "task_started", description: "build" }, ["task"]],
    ["a task that ends", { type: "system", subtype: "task_notification", summary: "built" }, ["task"]],
    ["lost entries", { type: "system", subtype: "mirror_error", error: "append failed" }, ["task"]],
    ["a limit", { type: "rate_limit_event", rate_limit_info: {} }, ["task"]],
    ["a result", { type: "result", subtype: "success", result: "done" }, ["result"]],
    ["progress", { type: "tool_progress" }, ["system"]],
    ["a piece of a stream", { type: "stream_event" }, ["system"]],
    ["a message of a later version", { type: "telepathy" }, ["unknown"]],
    ["no message", null, ["unknown"]],
    ["a list", [], ["unknown"]],
    ["a word", "hello", ["unknown"]],
    ["an assistant without a message", { type: "assistant" }, ["unknown"]],
    ["a user without a message", { type: "user" }, ["unknown"]],
  ])("%s", (_what, message, expected) => {
    expect(kinds(message)).toEqual(expected);
  });

  it("says who spoke and how full the context is", () => {
    const [event] = normalize({
      ...assistant([{ type: "text", text: "x" }], { parent_tool_use_id: "t1", subagent_type: "coder" }),
      message: { model: "m", usage: { input_tokens: 2, cache_read_input_tokens: 3 }, content: "x" },
    });
    expect(event?.payload).toEqual({ subagent: true, parent_tool_use_id: "t1", agent: "coder", context: 5 });
    expect(normalize(assistant("x"))[0]?.payload).toEqual({ subagent: false });
  });

  it.each<[string, unknown, string]>([
    ["the path", { file_path: "/a", content: "long" }, "/a"],
    ["the command", { command: "ls", description: "look" }, "ls"],
    ["the pattern", { pattern: "*.ts", path: "/x" }, "*.ts"],
    ["the question", { question: "which?" }, "which?"],
    ["the description of a dispatch", { description: "build", prompt: "long text" }, "build"],
    ["nothing", { other: 1 }, ""],
  ])("shows of a call %s", (_what, input, text) => {
    const [event] = normalize(assistant([{ type: "tool_use", id: "t", name: "Any", input }]));
    expect(event).toMatchObject({ kind: "tool_call", tool: "Any", text, payload: { id: "t", input } });
  });

  it("cuts what a person would not read: calls at 200, results at 500 characters", () => {
    const long = "y".repeat(5000);
    const [call] = normalize(assistant([{ type: "tool_use", name: "Bash", input: { command: long } }]));
    expect(call?.text).toBe(`${"y".repeat(200)}…`);
    const [result] = normalize({
      type: "user",
      message: {
        content: [
          { type: "tool_result", tool_use_id: "t", is_error: true, content: [{ type: "text", text: long }] },
        ],
      },
    });
    expect(result?.text).toBe(`${"y".repeat(500)}…`);
    expect(result?.payload).toMatchObject({ tool_use_id: "t", is_error: true });
  });

  it("carries what a result cost and how it ended", () => {
    const [event] = normalize({
      type: "result",
      subtype: "error_max_turns",
      is_error: true,
      session_id: "s",
      total_cost_usd: 0.5,
      num_turns: 4,
      terminal_reason: "max_turns",
    });
    expect(event?.payload).toEqual({
      session_id: "s",
      cost_usd: 0.5,
      num_turns: 4,
      is_error: true,
      subtype: "error_max_turns",
      terminal_reason: "max_turns",
    });
  });

  it("gives at least one event of a known kind for any message whatever, safe for JSON but for its source", () => {
    const message = fc.oneof(
      fc.anything(),
      fc.record(
        {
          type: fc.constantFrom(
            "assistant",
            "user",
            "system",
            "result",
            "rate_limit_event",
            "tool_progress",
            "x",
          ),
          subtype: fc.oneof(
            fc.constantFrom("init", "task_started", "api_retry", "mirror_error"),
            fc.anything(),
          ),
          message: fc.oneof(
            fc.record({ content: fc.oneof(fc.anything(), fc.array(fc.anything())) }),
            fc.anything(),
          ),
          parent_tool_use_id: fc.anything(),
          extra: fc.anything(),
        },
        { requiredKeys: ["type"] },
      ),
    );
    fc.assert(
      fc.property(message, (value) => {
        const events = normalize(value);
        expect(events.length).toBeGreaterThan(0);
        for (const event of events) {
          expect(EVENT_KINDS).toContain(event.kind);
          expect(typeof event.text).toBe("string");
          expect(event.raw).toBe(value);
          expect(typeof String(event)).toBe("string");
        }
      }),
    );
  });

  it("can be written as JSON for any message that came over a pipe", () => {
    const block = fc.record({
      type: fc.constantFrom("text", "tool_use", "tool_result", "thinking", "x"),
      id: fc.jsonValue(),
      input: fc.jsonValue(),
      content: fc.jsonValue(),
      text: fc.jsonValue(),
    });
    const message = fc.record({
      type: fc.constantFrom("assistant", "user", "system", "result", "rate_limit_event"),
      subtype: fc.constantFrom("init", "task_started", "mirror_error", "compact_boundary"),
      message: fc.record({ content: fc.array(block) }),
      more: fc.jsonValue(),
    });
    fc.assert(
      fc.property(message, (value) => {
        for (const event of normalize(value)) JSON.parse(JSON.stringify(event));
      }),
    );
  });
});
