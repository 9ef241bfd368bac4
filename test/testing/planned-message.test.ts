import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { messageBody, messageEvents, planMessage } from "../../src/testing/planned-message.ts";
import { type Block, type Turn, text, thinking, toolUse, turn } from "../../src/testing/turn.ts";

function plan(given: Turn) {
  let n = 0;
  return planMessage(given, {
    messageId: "msg_1",
    model: "claude-opus-5-5",
    nextToolId: () => `toolu_${++n}`,
    usage: { inputTokens: 100, outputTokens: 20, cacheReadTokens: 0, cacheWriteTokens: 0 },
  });
}

/** What a client makes of a stream. */
function assembled(given: Turn): Record<string, unknown> {
  const message: Record<string, unknown> = {};
  const blocks: Record<string, unknown>[] = [];
  const json: string[] = [];
  for (const { data } of messageEvents(plan(given))) {
    const at = Number(data.index);
    const delta = (data.delta ?? {}) as Record<string, string>;
    if (data.type === "message_start") Object.assign(message, data.message);
    if (data.type === "content_block_start") blocks[at] = { ...(data.content_block as object) };
    const block = blocks[at] ?? {};
    if (delta.type === "text_delta") block.text += delta.text ?? "";
    if (delta.type === "thinking_delta") block.thinking += delta.thinking ?? "";
    if (delta.type === "signature_delta") block.signature = delta.signature;
    if (delta.type === "input_json_delta") json[at] = (json[at] ?? "") + (delta.partial_json ?? "");
    if (data.type === "content_block_stop" && json[at] !== undefined) block.input = JSON.parse(json[at]);
    if (data.type === "message_delta") {
      Object.assign(message, delta);
      message.usage = { ...(message.usage as object), ...(data.usage as object) };
    }
  }
  return { ...message, content: blocks };
}

const blocks: fc.Arbitrary<Block> = fc.oneof(
  fc.string({ unit: "binary" }).map(text),
  fc.string({ unit: "binary" }).map((words) => thinking(words)),
  fc.dictionary(fc.string(), fc.jsonValue()).map((input) => toolUse("Bash", input)),
);

describe("a turn on the wire", () => {
  it("is the same message streamed and whole", () => {
    fc.assert(
      fc.property(fc.array(blocks), (given) => {
        const whole = JSON.parse(JSON.stringify(messageBody(plan(turn(given)))));
        expect(JSON.parse(JSON.stringify(assembled(turn(given))))).toEqual(whole);
      }),
    );
  });

  it("never splits a character between two events", () => {
    const deltas = messageEvents(plan(turn(text("🌷".repeat(500))))).flatMap(({ data }) => {
      const delta = data.delta as { text?: string } | undefined;
      return delta?.text === undefined ? [] : [delta.text];
    });
    expect(deltas.length).toBeGreaterThan(1);
    expect(deltas.every((piece) => piece.isWellFormed?.() ?? !/[\ud800-\udfff]/u.test(piece))).toBe(true);
  });

  it("comes in the API's order", () => {
    expect(messageEvents(plan(turn([text("a"), toolUse("Bash", {})]))).map(({ event }) => event)).toEqual([
      "message_start",
      "ping",
      "content_block_start",
      "content_block_delta",
      "content_block_stop",
      "content_block_start",
      "content_block_delta",
      "content_block_stop",
      "message_delta",
      "message_stop",
    ]);
  });

  it("stops for its tool calls, or as it is told", () => {
    expect(plan(turn(text("a"))).stopReason).toBe("end_turn");
    expect(plan(turn(toolUse("Bash", {}))).stopReason).toBe("tool_use");
    expect(plan(turn(text("a"), { stopReason: "max_tokens" })).stopReason).toBe("max_tokens");
  });

  it("counts ids only for calls that have none, and fills in the figures left out", () => {
    const planned = plan(
      turn([toolUse("Bash", {}, { id: "mine" }), toolUse("Read", {})], { usage: { cacheReadTokens: 9 } }),
    );
    expect(planned.content.map(({ id }) => id)).toEqual(["mine", "toolu_1"]);
    expect(planned.usage).toEqual({
      inputTokens: 100,
      outputTokens: 20,
      cacheReadTokens: 9,
      cacheWriteTokens: 0,
    });
  });
});
