import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  asNumber,
  asText,
  blocksOf,
  contentText,
  contextTokens,
  innerMessage,
  isSubagent,
  isSynthetic,
} from "../../src/harness/message.ts";
import { readTurnResult } from "../../src/harness/turn-result.ts";

describe("reading a message field by field", () => {
  it("counts as context every token that went in, and none that came out", () => {
    const usage = {
      input_tokens: 8,
      cache_read_input_tokens: 62539,
      cache_creation_input_tokens: 287,
      output_tokens: 3,
    };
    expect(contextTokens(usage)).toBe(62_834);
    expect(contextTokens({ input_tokens: "8", output_tokens: 5 })).toBe(0);
  });

  it("reads content that is a string, a list, or a list with odd things in it", () => {
    expect(blocksOf("words")).toEqual([{ type: "text", text: "words" }]);
    expect(blocksOf("")).toEqual([]);
    expect(blocksOf([null, 1, { type: "text" }])).toEqual([{ type: "text" }]);
    expect(contentText([{ type: "text", text: "a" }, { type: "image" }, { type: "text", text: "b" }])).toBe(
      "a\nb",
    );
  });

  it("knows what a subagent said and what the harness made up", () => {
    expect(isSubagent({ parent_tool_use_id: "t" })).toBe(true);
    expect(isSubagent({ agent_id: "a" })).toBe(true);
    expect(isSubagent({ parent_tool_use_id: null })).toBe(false);
    expect(isSynthetic({ message: { model: "<synthetic>" } })).toBe(true);
    expect(isSynthetic({ isApiErrorMessage: true })).toBe(true);
    expect(isSynthetic({ message: { model: "claude" } })).toBe(false);
  });

  it("answers for any value whatever", () => {
    fc.assert(
      fc.property(fc.anything(), (value) => {
        expect(typeof asText(value)).toBe("string");
        expect(Number.isFinite(asNumber(value))).toBe(true);
        expect(Number.isFinite(contextTokens(value))).toBe(true);
        expect(Array.isArray(blocksOf(value))).toBe(true);
        expect(typeof contentText(value)).toBe("string");
        expect(typeof innerMessage({ message: value })).toBe("object");
      }),
    );
  });
});

describe("reading a result", () => {
  it("takes the structured fields first and the text last", () => {
    const result = readTurnResult({
      type: "result",
      subtype: "success",
      is_error: true,
      api_error_status: 529,
      api_error_type: "overloaded_error",
      api_error: "server_error",
      terminal_reason: "api_error",
      result: "API Error: 529",
      errors: ["not this"],
      session_id: "s",
      total_cost_usd: 0.5,
      num_turns: 3,
      permission_denials: [{}],
      user_message_uuid: "u1",
      user_message_uuids: ["u1", "u2"],
      modelUsage: { a: { contextWindow: 200_000 }, b: { contextWindow: 1_000_000 } },
      model_usage_since_last_result: {
        a: { costUSD: 0.1, inputTokens: 1 },
        b: { costUSD: 0.2, outputTokens: 2 },
      },
    });
    expect(result).toMatchObject({
      isError: true,
      apiStatus: 529,
      apiErrorType: "overloaded_error",
      apiError: "server_error",
      terminalReason: "api_error",
      text: "API Error: 529",
      totalCostUsd: 0.5,
      numTurns: 3,
      denials: 1,
      answered: ["u1", "u2"],
      contextWindow: 1_000_000,
      usage: { input: 1, output: 2, cacheRead: 0, cacheCreation: 0 },
    });
    expect(result.incrementUsd).toBeCloseTo(0.3, 9);
  });

  it.each([
    ["claude-opus-4-5[1m]", 1_000_000],
    ["claude-haiku-4-5", 200_000],
    ["another", 1_000_000],
    ["toString", 1_000_000],
    [undefined, 1_000_000],
  ])(
    "takes the window of %s, the main thread's model, where the books of the result have it",
    (model, window) => {
      const modelUsage = {
        "claude-opus-4-5[1m]": { contextWindow: 1_000_000 },
        "claude-haiku-4-5": { contextWindow: 200_000 },
      };
      expect(readTurnResult({ modelUsage }, model).contextWindow).toBe(window);
    },
  );

  it("joins the error lines where there is no text, and leaves empty what is missing", () => {
    expect(readTurnResult({ errors: ["a", 1, "b"] }).text).toBe("a\nb");
    expect(readTurnResult({})).toMatchObject({
      apiStatus: undefined,
      answered: [],
      text: "",
      totalCostUsd: 0,
    });
  });

  it("reads any fields whatever", () => {
    const any = fc.anything();
    const shape = {
      result: any,
      errors: any,
      modelUsage: any,
      permission_denials: any,
      user_message_uuids: any,
    };
    fc.assert(fc.property(fc.record(shape), (message) => void readTurnResult(message)));
  });
});
