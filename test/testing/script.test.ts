import { describe, expect, it } from "vitest";
import { OptionError } from "../../src/core/errors.ts";
import { httpError } from "../../src/testing/failure.ts";
import { ScriptBook, speaker } from "../../src/testing/script.ts";
import { ScriptError } from "../../src/testing/script-error.ts";
import { always, replyOf } from "../../src/testing/step.ts";
import { ask, dispatch, text, thinking, toolUse, turn } from "../../src/testing/turn.ts";

const main = { role: "main", agent: undefined } as const;
const coder = { role: "worker", agent: "coder" } as const;

describe("a script", () => {
  it("hands every speaker its own steps in order, then says how many there were", () => {
    const book = new ScriptBook({ main: [text("1"), text("2")], workers: { coder: [text("c")] } });
    expect(book.next(main)).toEqual({ kind: "step", step: text("1") });
    expect(book.next(coder)).toEqual({ kind: "step", step: text("c") });
    expect(book.next(main)).toEqual({ kind: "step", step: text("2") });
    expect(book.next(main)).toEqual({ kind: "exhausted", total: 2 });
    expect(book.next({ role: "judge", agent: undefined })).toEqual({ kind: "unscripted" });
  });

  it("repeats what is always said and does not miss it", () => {
    const book = new ScriptBook({ main: [text("1"), always(text("more"))] });
    expect(book.unused()).toEqual(["main: 1 of 1 steps were never asked for"]);
    book.next(main);
    expect(book.unused()).toEqual([]);
    for (let i = 0; i < 3; i += 1) expect(book.next(main)).toEqual({ kind: "step", step: text("more") });
  });

  it("names what is left", () => {
    const book = new ScriptBook({
      workers: { coder: [text("a"), text("b")] },
      speakers: [speaker("gardener", "tulips", [text("c")])],
    });
    book.next(coder);
    expect(book.unused()).toEqual([
      'worker "coder": 1 of 2 steps were never asked for',
      'speaker "gardener": 1 of 1 steps were never asked for',
    ]);
  });

  it("refuses speakers there are none of, names given twice and steps out of reach", () => {
    const wrong = { coordinater: [text("x")] };
    expect(() => new ScriptBook(wrong as object)).toThrow(
      expect.objectContaining({ code: "unknown_option", hint: 'did you mean "coordinator"?' }),
    );
    const twice = [speaker("a", "x", []), speaker("a", "y", [])];
    expect(() => new ScriptBook({ speakers: twice })).toThrow(
      expect.objectContaining({ code: "bad_script" }),
    );
    expect(() => new ScriptBook({ main: [always(text("x")), text("y")] })).toThrow(
      expect.objectContaining({ code: "bad_script" }),
    );
  });
});

describe("an answer", () => {
  it("is a block, several, a turn or a failure", () => {
    expect(replyOf(text("x"))).toEqual({ kind: "turn", blocks: [text("x")] });
    expect(replyOf([thinking("t"), text("x")])).toEqual({ kind: "turn", blocks: [thinking("t"), text("x")] });
    const exact = turn(text("x"), { usage: { inputTokens: 7 }, delayMs: 5 });
    expect(replyOf(exact)).toBe(exact);
    expect(exact.blocks).toEqual([text("x")]);
    expect(replyOf(httpError(529))).toMatchObject({ errorType: "overloaded_error", message: "Overloaded" });
  });

  it.each([undefined, null, "words", 3, {}, { kind: "talk" }, [text("x"), "y"]])("is not %j", (answer) => {
    expect(() => replyOf(answer as never)).toThrow(OptionError);
  });

  it("dispatches and asks with the tools of the harness and of flower", () => {
    expect(dispatch("coder", "do it", { isolation: "worktree" })).toEqual(
      toolUse("Agent", {
        description: "coder task",
        prompt: "do it",
        subagent_type: "coder",
        isolation: "worktree",
      }),
    );
    expect(ask("which?", ["a", "b"])).toMatchObject({
      name: "mcp__human__ask",
      input: { question: "which?", options: ["a", "b"] },
    });
  });
});

describe("ScriptError", () => {
  it("takes its code from the gravest fault and keeps them all", () => {
    const unused = { kind: "unused", message: "judge: 1 of 1" } as const;
    const refused = { kind: "refused", message: "messages.1" } as const;
    const cause = new RangeError("why");
    const unexpected = { kind: "unexpected", message: "who?", cause } as const;
    expect(new ScriptError([unused]).code).toBe("script_unused");
    expect(new ScriptError([unused, refused]).code).toBe("script_refused");
    const all = new ScriptError([refused, unexpected, unused]);
    expect(all).toMatchObject({ code: "script_unexpected", cause, faults: [refused, unexpected, unused] });
    expect(all.message).toBe("messages.1\nwho?\njudge: 1 of 1");
  });
});
