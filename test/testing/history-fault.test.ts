import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { historyFault } from "../../src/testing/history-fault.ts";
import { thinkingSignature } from "../../src/testing/thinking-signature.ts";

type Message = { readonly role: string; readonly content: unknown };

const call = (id: string) => ({ type: "tool_use", id, name: "Bash", input: {} });
const result = (id: string) => ({ type: "tool_result", tool_use_id: id, content: "ok" });
const prose = (words: string) => ({ type: "text", text: words });
const user = (...content: unknown[]): Message => ({ role: "user", content });
const assistant = (...content: unknown[]): Message => ({ role: "assistant", content });
const ask: Message = { role: "user", content: "go" };

function body(messages: readonly unknown[], more: object = {}): Record<string, unknown> {
  return { model: "m", max_tokens: 10, messages, ...more };
}

const ACCEPTED: readonly (readonly [string, readonly unknown[]])[] = [
  ["a question", [ask]],
  ["a call and its result", [ask, assistant(call("a")), user(result("a"))]],
  ["two calls answered in any order", [ask, assistant(call("a"), call("b")), user(result("b"), result("a"))]],
  ["words after the results", [ask, assistant(call("a")), user(result("a"), prose("and?"))]],
  ["one message stored as two", [ask, assistant(prose("x")), assistant(call("a")), user(result("a"))]],
  [
    "results in two messages in a row",
    [ask, assistant(call("a"), call("b")), user(result("a")), user(result("b"))],
  ],
  ["two questions in a row", [ask, ask]],
  [
    "a system message between others",
    [ask, { role: "system", content: "env" }, assistant(call("a")), user(result("a"))],
  ],
  [
    "a system message between a call and its result",
    [ask, assistant(call("a")), { role: "system", content: "env" }, user(result("a"))],
  ],
  ["an answer begun by the client", [ask, assistant(prose("Well"))]],
  ["an empty last answer", [ask, { role: "assistant", content: [] }]],
  [
    "a signed thought",
    [ask, assistant({ type: "thinking", thinking: "hm", signature: thinkingSignature("hm") })],
  ],
  ["a block of a type it does not know", [ask, assistant({ type: "server_tool_use", id: "s" })]],
];

const PAIR = "Each `tool_use` block must have a corresponding `tool_result` block in the next message.";
const LONE = "Each `tool_result` block must have a corresponding `tool_use` block in the previous message.";
const unpaired = (at: number, ids: string) =>
  `messages.${at}: \`tool_use\` ids were found without \`tool_result\` blocks immediately after: ${ids}. ${PAIR}`;
const uncalled = (at: string, id: string) =>
  `messages.${at}: unexpected \`tool_use_id\` found in \`tool_result\` blocks: ${id}. ${LONE}`;
const empty = (at: number) =>
  `messages.${at}: all messages must have non-empty content except for the optional final assistant message`;

const REFUSED: readonly (readonly [string, readonly unknown[], string])[] = [
  ["a call at the end", [ask, assistant(call("toolu_x"))], unpaired(1, "toolu_x")],
  ["a call passed over", [ask, assistant(call("a")), ask], unpaired(1, "a")],
  [
    "one of two calls unanswered",
    [ask, assistant(call("a"), call("b")), user(result("a"))],
    unpaired(1, "b"),
  ],
  ["words before the result", [ask, assistant(call("a")), user(prose("hm"), result("a"))], unpaired(1, "a")],
  [
    "a result that comes too late",
    [ask, assistant(call("a")), ask, assistant(prose("x")), user(result("a"))],
    unpaired(1, "a"),
  ],
  [
    "a result without its call",
    [ask, assistant(prose("x")), user(result("t9"))],
    uncalled("2.content.0", "t9"),
  ],
  ["a result at the very start", [user(prose("x"), result("t9"))], uncalled("0.content.1", "t9")],
  [
    "a result told twice",
    [ask, assistant(call("a")), user(result("a"), result("a"))],
    "messages.2.content.1: each tool_use must have a single result. Found multiple `tool_result` blocks with id: a",
  ],
  [
    "an id used twice in one answer",
    [ask, assistant(call("a"), call("a")), user(result("a"))],
    "messages.1.content.1: `tool_use` ids must be unique",
  ],
  [
    "an id used again later",
    [ask, assistant(call("a")), user(result("a")), assistant(call("a")), user(result("a"))],
    "messages.3.content.0: `tool_use` ids must be unique",
  ],
  ["empty content", [ask, { role: "assistant", content: [] }, ask], empty(1)],
  ["an empty string", [{ role: "user", content: "" }], empty(0)],
  ["an empty text block", [ask, assistant(prose(""))], "messages: text content blocks must be non-empty"],
  [
    "a blank text block",
    [user(prose(" \n"))],
    "messages: text content blocks must contain non-whitespace text",
  ],
  [
    "an empty text in a result",
    [ask, assistant(call("a")), user({ ...result("a"), content: [prose("")] })],
    "messages: text content blocks must be non-empty",
  ],
  [
    "a thought without signature",
    [ask, assistant(prose("x"), { type: "thinking", thinking: "hm" })],
    "messages.1.content.1.thinking.signature: Field required",
  ],
  [
    "a thought of another model",
    [ask, assistant({ type: "thinking", thinking: "hm", signature: "abc" })],
    "messages.1.content.0: Invalid `signature` in `thinking` block",
  ],
  [
    "a thought that was changed",
    [ask, assistant({ type: "thinking", thinking: "hm!", signature: thinkingSignature("hm") })],
    "messages.1.content.0: Invalid `signature` in `thinking` block",
  ],
  [
    "input that is no object",
    [ask, assistant({ ...call("a"), input: "ls" })],
    "messages.1.content.0.tool_use.input: Input should be a valid dictionary",
  ],
  [
    "an id with a space",
    [ask, assistant(call("a b"))],
    "messages.1.content.0.tool_use.id: String should match pattern '^[a-zA-Z0-9_-]+$'",
  ],
  [
    "a call by the user",
    [user(call("a"))],
    "messages.0: `tool_use` blocks can only be in `assistant` messages",
  ],
  [
    "a result by the assistant",
    [ask, assistant(result("a"))],
    "messages.1: `tool_result` blocks can only be in `user` messages",
  ],
  ["an answer first", [assistant(prose("x")), ask], 'messages: first message must use the "user" role'],
  [
    "a system message first",
    [{ role: "system", content: "x" }, ask],
    'messages: first message must use the "user" role',
  ],
  [
    "an unknown role",
    [{ role: "tool", content: "x" }],
    "messages.0.role: Input should be 'user' or 'assistant'",
  ],
  ["no role", [{ content: "x" }], "messages.0.role: Field required"],
  ["no content", [{ role: "user" }], "messages.0.content: Field required"],
  ["no messages", [], "messages: at least one message is required"],
];

describe("historyFault", () => {
  it.each(ACCEPTED)("accepts %s", (_, messages) => {
    expect(historyFault(body(messages))).toBeUndefined();
  });

  it.each(REFUSED)("refuses %s", (_, messages, words) => {
    expect(historyFault(body(messages))).toBe(words);
  });

  it.each([
    [{ max_tokens: 1, messages: [ask] }, "model: Field required"],
    [{ model: "m", messages: [ask] }, "max_tokens: Field required"],
    [{ model: "m", max_tokens: 1 }, "messages: Field required"],
    [{ model: 1, max_tokens: 1, messages: [ask] }, "model: Input should be a valid string"],
    [{ model: "m", max_tokens: 0, messages: [ask] }, "max_tokens: must be greater than or equal to 1"],
    [{ model: "m", max_tokens: 1, messages: "go" }, "messages: Input should be a valid list"],
    [body([ask], { tools: [{ name: "Read" }, { name: "Read" }] }), "tools: Tool names must be unique."],
  ])("refuses fields that are missing or wrong: %#", (given, words) => {
    expect(historyFault(given)).toBe(words);
  });

  it.each([
    ['{"a":"\\ud83d"}', "no low surrogate in string: line 1 column 13 (char 12)"],
    ['{"a":"\\ud83dx"}', "no low surrogate in string: line 1 column 13 (char 12)"],
    ['{"a":"\\ud83d\\u0041"}', "invalid low surrogate in string: line 1 column 13 (char 12)"],
    ['{"a":"\\udf37"}', "invalid high surrogate in string: line 1 column 7 (char 6)"],
    ['{\n"a":"\\ud83d"}', "no low surrogate in string: line 2 column 12 (char 13)"],
  ])("refuses half a character: %s", (raw, words) => {
    expect(historyFault(JSON.parse(raw), raw)).toBe(`The request body is not valid JSON: ${words}`);
  });

  it("accepts whole pairs and backslashes that only look like half a character", () => {
    for (const words of ["🌷", "\\ud83d", "\\\\ud83d", "ud83d"]) {
      expect(historyFault(body([{ role: "user", content: words }]))).toBeUndefined();
    }
    const escaped = JSON.stringify(body([ask])).replace("go", "\\ud83c\\udf37");
    expect(historyFault(JSON.parse(escaped), escaped)).toBeUndefined();
  });

  it("refuses a lone surrogate wherever it stands, as JSON.stringify sends it, and no whole text", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), fc.integer({ min: 0xd800, max: 0xdfff }), (words, code) => {
        const whole = body([{ role: "user", content: `x${words}` }]);
        expect(historyFault(whole)).toBeUndefined();
        const half = body([{ role: "user", content: `x${words} ${String.fromCharCode(code)} ` }]);
        expect(historyFault(half)).toMatch(/^The request body is not valid JSON: /);
      }),
    );
  });

  it("says something about any body and never throws", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (json) => {
        expect(historyFault(json)).toBeTypeOf("string");
      }),
    );
    fc.assert(
      fc.property(
        fc.array(fc.record({ role: fc.constantFrom("user", "assistant"), content: fc.jsonValue() })),
        (some) => {
          historyFault(body(some));
        },
      ),
    );
  });

  it("accepts any dialogue of paired calls, and none with a result taken out", () => {
    const rounds = fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 1, maxLength: 6 });
    fc.assert(
      fc.property(rounds, fc.nat(), (sizes, pick) => {
        const messages: Message[] = [ask];
        let n = 0;
        for (const size of sizes) {
          const ids = Array.from({ length: size }, () => `t${n++}`);
          messages.push(assistant(...ids.map(call)), user(...ids.map(result)));
        }
        expect(historyFault(body(messages))).toBeUndefined();
        const gone = `t${pick % n}`;
        const cut = messages.map(({ role, content }) => ({
          role,
          content: Array.isArray(content)
            ? content.map((block) => (block.tool_use_id === gone ? prose("[lost]") : block))
            : content,
        }));
        expect(historyFault(body(cut))).toMatch(new RegExp(`immediately after: .*${gone}`));
      }),
    );
  });
});
