import { describe, expect, it } from "vitest";
import { OptionError } from "../../src/core/errors.ts";
import { shortHash } from "../../src/core/ids.ts";
import type { TranscriptEntry } from "../../src/transcript/entry.ts";
import { EphemeralPolicy } from "../../src/transcript/ephemeral-policy.ts";
import { expire } from "../../src/transcript/expire.ts";
import { PrunePolicy } from "../../src/transcript/prune-policy.ts";
import { rewrite } from "../../src/transcript/rewrite.ts";
import { trim } from "../../src/transcript/trim.ts";
import { TrimPolicy } from "../../src/transcript/trim-policy.ts";
import { assistant, call, result, text, user } from "./entries.ts";
import { deepFreeze } from "./red-lines.ts";

const LONG = "a long result\n".repeat(200);
const IMAGE = { type: "image", source: { type: "base64", media_type: "image/png", data: "iVBORw0KGgo=" } };

/** Calls one after the other, each answered. */
function story(
  turns: ReadonlyArray<readonly [command: unknown, content: unknown, more?: object]>,
): TranscriptEntry[] {
  const entries = turns.flatMap(([command, content, more], i) => [
    assistant(2 * i + 2, [call(`t${i}`, command)]),
    user(2 * i + 3, [result(`t${i}`, content)], {
      more: { toolUseResult: { stdout: content, stderr: "" }, ...more },
    }),
  ]);
  return deepFreeze([user(1, "begin"), ...entries]);
}

function bodies(entries: readonly TranscriptEntry[]): readonly unknown[] {
  return entries
    .map((entry) => (entry as { message?: { content?: unknown } }).message?.content)
    .filter(Array.isArray)
    .flat()
    .filter((block) => block.type === "tool_result")
    .map((block) => block.content);
}

describe("trimming", () => {
  it("puts a pointer with the path in the place of an old, long result, and hands out the file", () => {
    const { entries, files, cleared, kept, charsSaved } = trim(
      story([
        ["npm test", LONG],
        ["npm test", "short"],
        ["npm run x", LONG],
      ]),
      new TrimPolicy({ keepRecent: 1 }),
    );
    const name = `${shortHash(LONG)}.txt`;
    expect(files).toEqual([{ name, content: LONG }]);
    const [pointer, ...others] = bodies(entries) as string[];
    expect(pointer).toContain(`.flower/spill/${name}`);
    expect(pointer).toContain(String(LONG.length));
    expect(pointer).not.toContain("\n");
    expect(others).toEqual(["short", LONG]);
    expect([cleared, kept]).toEqual([1, 2]);
    expect(charsSaved).toBe(LONG.length - pointer!.length);
  });

  it("takes the copy beside the message along, and keeps its shape", () => {
    const stored = story([
      ["x", LONG, { toolUseResult: { stdout: LONG, stderr: "", interrupted: false, kind: "text" } }],
      ["x", LONG, { toolUseResult: { type: "text", file: { filePath: "/a", content: LONG, numLines: 3 } } }],
      ["x", LONG, { toolUseResult: `Error: ${LONG}` }],
      ["x", LONG, { toolUseResult: [{ type: "text", text: LONG }, IMAGE] }],
    ]);
    const { entries } = trim(stored, new TrimPolicy({ keepRecent: 0 }));
    expect(JSON.stringify(entries)).not.toContain("a long result");
    const pointer = (bodies(entries) as string[])[0];
    expect(entries[2]?.toolUseResult).toEqual({
      stdout: pointer,
      stderr: "",
      interrupted: false,
      kind: "text",
    });
    expect(entries[4]?.toolUseResult).toEqual({
      type: "text",
      file: { filePath: "/a", content: pointer, numLines: 3 },
    });
    expect(entries[8]?.toolUseResult).toEqual([{ type: "text", text: pointer }, IMAGE]);
  });

  it("leaves pictures where they are", () => {
    const mixed = [{ type: "text", text: LONG }, IMAGE, { type: "text", text: "tail" }];
    const { entries, files } = trim(
      story([
        ["x", mixed],
        ["x", [IMAGE]],
      ]),
      new TrimPolicy({ keepRecent: 0 }),
    );
    expect(bodies(entries)).toEqual([
      [{ type: "text", text: expect.stringContaining(".flower/spill/") }, IMAGE],
      [IMAGE],
    ]);
    expect(files[0]?.content).toBe(`${LONG}\ntail`);
  });

  it("stores one file for one content, and spares denials and interruptions", () => {
    const stored = story([
      ["a", LONG],
      ["b", LONG],
      ["c", LONG, { toolDenialKind: "permission-rule" }],
    ]);
    const { files, cleared } = trim(stored, new TrimPolicy({ keepRecent: 0 }));
    expect(files).toHaveLength(1);
    expect(cleared).toBe(2);
  });

  it("does not put a pointer that is longer than what it points to", () => {
    const { cleared } = trim(story([["x", "short"]]), new TrimPolicy({ keepRecent: 0, minChars: 1 }));
    expect(cleared).toBe(0);
  });
});

describe("expiry", () => {
  it("says which command it was and how many turns ago, and keeps nothing", () => {
    const stored = story([
      ["git status -s", " M a"],
      ["npm test", "3 failed"],
      ["ls", "b"],
    ]);
    const { entries, expired } = expire(
      stored,
      new EphemeralPolicy({ keepRecent: 1, text: "<{cmd}|{age}>" }),
    );
    expect(bodies(entries)).toEqual(["<git status -s|2>", "3 failed", "b"]);
    expect(JSON.stringify(entries)).not.toContain(" M a");
    expect(expired).toBe(1);
  });

  it("counts the parts of one message as one turn", () => {
    const stored = [
      user(1, "x"),
      assistant(2, [call("t1", "ls")]),
      user(3, [result("t1", "a")]),
      assistant(4, [text("one")], { messageId: "m" }),
      assistant(5, [text("two")], { messageId: "m" }),
    ];
    const { entries } = expire(stored, new EphemeralPolicy({ keepRecent: 0, text: "{age}" }));
    expect(bodies(entries)).toEqual(["1"]);
  });

  it("leaves no note for trimming to carry off, however long it is", () => {
    const ephemeral = new EphemeralPolicy({ keepRecent: 0, text: `{cmd} ${"is long gone ".repeat(30)}` });
    const policies = { ephemeral, trim: new TrimPolicy({ keepRecent: 0, minChars: 1 }), prune: undefined };
    const once = rewrite(story([["ls", "a file"]]), policies);
    expect(bodies(once.entries)[0]).toMatch(/^ls is long gone/);
    expect(once.trimming.files).toEqual([]);
    expect(rewrite(once.entries, policies).entries).toEqual(once.entries);
  });

  it("leaves long results to trimming, pictures, and calls of other tools", () => {
    const stored = story([
      ["ls", LONG],
      ["ls", [IMAGE]],
      ["ls", "x"],
    ]).map((entry, i) => (i === 5 ? assistant(6, [call("t2", "ls", "Read")]) : entry));
    const { entries } = expire(stored, new EphemeralPolicy({ keepRecent: 0 }));
    expect(bodies(entries)).toEqual([LONG, [IMAGE], "x"]);
  });

  it("is not undone or repeated by a text that looks like a pattern, or by a command with its words", () => {
    for (const template of ["(.*) {age} {cmd} {age}", "{cmd}", "no place at all", "$& {cmd}"]) {
      const policy = new EphemeralPolicy({ keepRecent: 0, text: template });
      const once = expire(
        story([
          ["echo '{age} $& (.*)'", "a"],
          ["ls", "b"],
        ]),
        policy,
      );
      const twice = expire([...once.entries, assistant(99, [text("later")])], policy);
      expect(once.expired).toBe(2);
      expect(twice.expired).toBe(0);
      expect(twice.expiredIds.size).toBe(2);
    }
  });
});

describe("the policies", () => {
  it("have the defaults they are documented with", () => {
    expect({ ...new TrimPolicy() }).toEqual({
      enabled: true,
      keepRecent: 20,
      minChars: 2000,
      spillDirname: ".flower/spill",
    });
    const { text: words, ...ephemeral } = new EphemeralPolicy();
    expect(ephemeral).toEqual({ enabled: true, keepRecent: 6, maxChars: 2000 });
    expect(words).toMatch(/\{cmd\}.*\{age\}/);
    expect(new PrunePolicy()).toMatchObject({
      dropApiErrors: true,
      neutralizeInterrupts: true,
      healOrphans: true,
      keepDenials: 1,
    });
  });

  it("refuse what they cannot use", () => {
    const wrong: ReadonlyArray<() => unknown> = [
      () => new TrimPolicy({ keepRecent: -1 }),
      () => new TrimPolicy({ minChars: 0 }),
      () => new TrimPolicy({ spillDirname: "/tmp/x" }),
      () => new TrimPolicy({ spillDirname: "a/../../x" }),
      () => new TrimPolicy({ spillDirname: "." }),
      () => new TrimPolicy({ keepRecnt: 1 } as object),
      () => new EphemeralPolicy({ text: " " }),
      () => new EphemeralPolicy({ maxChars: 1.5 }),
      () => new EphemeralPolicy({ enabled: "yes" } as object),
      () => new PrunePolicy({ keepDenials: Number.NaN }),
      () => new PrunePolicy("x" as never),
    ];
    for (const make of wrong) expect(make).toThrow(OptionError);
  });
});
