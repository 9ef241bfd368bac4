import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  allText,
  lastToolResult,
  lastUserText,
  messagesOf,
  systemText,
  toolNames,
  toolResults,
} from "../../src/testing/api-request.ts";
import { requestOf } from "./request-of.ts";

const request = requestOf({
  system: [
    { type: "text", text: "one" },
    { type: "text", text: "two" },
  ],
  tools: [{ name: "Read" }, { name: "Bash" }],
  messages: [
    {
      role: "user",
      content: [
        { type: "text", text: "<system-reminder>r</system-reminder>" },
        { type: "text", text: "please look" },
      ],
    },
    { role: "system", content: "environment" },
    {
      role: "assistant",
      content: [
        { type: "thinking", thinking: "hm", signature: "s" },
        { type: "tool_use", id: "t1", name: "Read", input: { file_path: "/a" } },
        { type: "tool_use", id: "t2", name: "Bash", input: { command: "ls" } },
      ],
    },
    {
      role: "user",
      content: [
        { type: "tool_result", tool_use_id: "t1", content: [{ type: "text", text: "tulips" }] },
        { type: "tool_result", tool_use_id: "t2", content: "no such file", is_error: true },
        { type: "tool_result", tool_use_id: "t3", content: "stray" },
      ],
    },
  ],
});

describe("reading a request", () => {
  it("finds results by tool and by call", () => {
    expect(toolResults(request)).toEqual([
      { id: "t1", tool: "Read", text: "tulips", isError: false },
      { id: "t2", tool: "Bash", text: "no such file", isError: true },
      { id: "t3", tool: undefined, text: "stray", isError: false },
    ]);
    expect(lastToolResult(request, "Read")).toBe("tulips");
    expect(lastToolResult(request, "t2")).toBe("no such file");
    expect(lastToolResult(request)).toBe("stray");
    expect(lastToolResult(request, "Write")).toBe("");
  });

  it("gives the person's words without the harness's reminders", () => {
    expect(lastUserText(request)).toBe("");
    const first = requestOf({
      messages: messagesOf(request)
        .slice(0, 1)
        .map(({ role, blocks }) => ({ role, content: blocks })),
    });
    expect(lastUserText(first)).toBe("please look");
  });

  it("gives system prompt, tools and the whole text", () => {
    expect(systemText(request)).toBe("one\ntwo");
    expect(toolNames(request)).toEqual(["Read", "Bash"]);
    for (const words of ["two", "please look", "environment", "hm", '{"command":"ls"}', "tulips"]) {
      expect(allText(request)).toContain(words);
    }
  });

  it("reads any body without throwing", () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), fc.jsonValue(), (system, messages, tools) => {
        const odd = requestOf({ system, messages: messages as [], tools: tools as [] });
        for (const read of [systemText, lastUserText, allText, lastToolResult, toolNames, toolResults])
          read(odd);
      }),
    );
  });
});
