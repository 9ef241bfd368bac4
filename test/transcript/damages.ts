// Damaged histories, each with what must still be in it after mending.

import type { TranscriptEntry } from "../../src/transcript/entry.ts";
import { assistant, call, id, result, text, user } from "./entries.ts";

export interface Damage {
  readonly entries: readonly TranscriptEntry[];
  /** Texts the model must still see. */
  readonly kept: readonly string[];
  /** Texts it must not see. */
  readonly gone?: readonly string[];
}

/** Larger than the API takes: 5 MB of base64. */
const HUGE = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAAB".padEnd(6 * 1024 * 1024, "A");
/** The header of a PNG of 9000 by 10 pixels. */
const WIDE = Buffer.concat([
  Buffer.from("89504e470d0a1a0a0000000d49484452", "hex"),
  Buffer.from([0, 0, 0x23, 0x28, 0, 0, 0, 10, 8, 2, 0, 0, 0]),
]).toString("base64");

function image(data: string) {
  return { type: "image", source: { type: "base64", media_type: "image/png", data } };
}

export const DAMAGES: Readonly<Record<string, Damage>> = {
  "a call cut off by a kill, with words typed after it": {
    entries: [
      user(1, "begin here"),
      assistant(2, [text("running it")], { messageId: "m" }),
      assistant(3, [call("t1")], { messageId: "m" }),
      user(4, "still there?"),
      assistant(5, [text("yes, here")]),
    ],
    kept: ["begin here", "running it", "still there?", "yes, here", "t1"],
  },
  "two of three calls side by side without results": {
    entries: [
      user(1, "begin here"),
      assistant(2, [call("t1")], { messageId: "m" }),
      assistant(3, [call("t2")], { messageId: "m" }),
      assistant(4, [call("t3")], { messageId: "m" }),
      user(5, [result("t2", "two is done")], { parent: id(3) }),
      user(6, "go on please"),
      assistant(7, [text("going on")]),
    ],
    kept: ["begin here", "two is done", "go on please", "going on", "t1", "t3"],
  },
  "two calls in one entry, neither answered": {
    entries: [
      user(1, "begin here"),
      assistant(2, [text("both"), call("t1"), call("t2")]),
      user(3, "and now"),
    ],
    kept: ["begin here", "both", "t1", "t2", "and now"],
  },
  "a result whose call is gone": {
    entries: [
      user(1, "begin here"),
      assistant(2, [text("hello there")]),
      user(3, [result("t9", "late output")]),
      user(4, "go on please"),
      assistant(5, [text("going on")]),
    ],
    kept: ["begin here", "hello there", "go on please", "going on"],
    gone: ["late output"],
  },
  "nothing before a result whose call is gone": {
    entries: [
      user(1, [result("t9", "late output")]),
      assistant(2, [text("as I see it")]),
      user(3, "go on please"),
    ],
    kept: ["as I see it", "go on please"],
    gone: ["late output"],
  },
  "a result twice": {
    entries: [
      user(1, "begin here"),
      assistant(2, [call("t1")]),
      user(3, [result("t1", "first answer")]),
      user(4, [result("t1", "second answer")]),
      assistant(5, [text("I see")]),
    ],
    kept: ["begin here", "first answer", "I see"],
    gone: ["second answer"],
  },
  "a call twice": {
    entries: [
      user(1, "begin here"),
      assistant(2, [call("t1")]),
      user(3, [result("t1", "first answer")]),
      assistant(4, [text("again"), call("t1")]),
      user(5, [result("t1", "second answer")]),
      assistant(6, [text("I see")]),
    ],
    kept: ["begin here", "first answer", "again", "I see"],
    gone: ["second answer"],
  },
  "a parent that was never written": {
    entries: [
      user(1, "begin here"),
      assistant(2, [text("hello there")]),
      user(3, "after the gap", { parent: id(99) }),
      assistant(4, [text("going on")]),
    ],
    kept: ["begin here", "hello there", "after the gap", "going on"],
  },
  "an entry twice, the second time below itself": {
    entries: [
      user(1, "begin here"),
      assistant(2, [text("hello there")]),
      user(3, "go on please"),
      { ...assistant(2, [text("hello there")]), parentUuid: id(3) },
      assistant(5, [text("going on")], { parent: id(3) }),
    ],
    kept: ["begin here", "hello there", "go on please", "going on"],
  },
  "parents that lead in circles": {
    entries: [
      user(1, "begin here"),
      assistant(2, [text("hello there")]),
      user(3, "own parent", { parent: id(3) }),
      assistant(4, [text("in a circle")], { parent: id(5) }),
      user(5, "also in it", { parent: id(4) }),
    ],
    kept: ["begin here", "hello there", "own parent", "in a circle", "also in it"],
  },
  "a thought without a signature": {
    entries: [
      user(1, "begin here"),
      assistant(2, [{ type: "thinking", thinking: "half a thou" }]),
      user(3, "go on please"),
      assistant(4, [{ type: "thinking", thinking: "unsigned too", signature: "" }, text("going on")]),
    ],
    kept: ["begin here", "go on please", "going on"],
    gone: ["half a thou", "unsigned too"],
  },
  "half a character in a result, a call and a text": {
    entries: [
      user(1, "begin here \ud83d"),
      assistant(2, [text("cut \udc4d off"), call("t1", "echo \ud83d")]),
      user(3, [result("t1", [text("status: \ud83d")])], {
        more: { toolUseResult: { stdout: "status: \ud83d" } },
      }),
    ],
    kept: ["begin here", "cut", "status: "],
  },
  "pictures beyond the limits": {
    entries: [
      user(1, [text("see here"), image(HUGE)]),
      assistant(2, [call("t1", "x", "Read")]),
      user(3, [result("t1", [text("a wide one"), image(WIDE)])], {
        more: { toolUseResult: { type: "image", file: { base64: WIDE } } },
      }),
      assistant(4, [text("I see")]),
    ],
    kept: ["see here", "a wide one", "I see"],
    gone: [HUGE.slice(0, 1000), WIDE],
  },
};
