import { existsSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { Lineage } from "../../src/workflow/lineage.ts";

function open(runDir = mkdtempSync(join(tmpdir(), "flower-lineage-")), workspace = "/w") {
  const told: string[] = [];
  const lineage = Lineage.open({ runDir, workspace, onFault: (text) => told.push(text) });
  return { runDir, lineage, told, path: join(runDir, "lineage.json") };
}

describe("which session each step had last", () => {
  it("is on disk when the call returns, and read back by the next process", () => {
    const { runDir, lineage, path } = open();
    lineage.remember("clarify", "S1");
    lineage.remember("work", "S2");
    lineage.bump();
    expect(JSON.parse(readFileSync(path, "utf8"))).toEqual({
      workspace: "/w",
      woke: 1,
      steps: { clarify: "S1", work: "S2" },
    });
    const next = open(runDir).lineage;
    expect(next.woke).toBe(1);
    expect({ ...next.steps }).toEqual({ clarify: "S1", work: "S2" });
    expect(next.sessionOf("nobody")).toBeUndefined();
  });

  it("keeps what two flowers at work in one folder wrote", () => {
    const { runDir, lineage: a, path } = open();
    const { lineage: b } = open(runDir);
    a.remember("clarify", "S1");
    b.remember("work", "S2");
    expect(JSON.parse(readFileSync(path, "utf8")).steps).toEqual({ clarify: "S1", work: "S2" });
  });

  it.each(["constructor", "__proto__", "toString", "hasOwnProperty"])(
    "keeps a step called %s as any other",
    (name) => {
      const { runDir, lineage } = open();
      expect(lineage.sessionOf(name)).toBeUndefined();
      lineage.remember(name, "S1");
      const next = open(runDir).lineage;
      expect(next.sessionOf(name)).toBe("S1");
      expect(Object.keys(next.steps)).toEqual([name]);
      expect(next.steps[name]).toBe("S1");
    },
  );

  it.each([
    ["empty", ""],
    ["cut off", '{"workspace":"/w","ste'],
    ["two in one", '{"workspace":"/w","steps":{}}{"workspace":"/w"'],
    ["a list", "[1,2]"],
    ["without steps", '{"workspace":"/w"}'],
  ])("is nothing where the file is %s; the file is kept aside and it is said", (_what, text) => {
    const { runDir } = open();
    writeFileSync(join(runDir, "lineage.json"), text);
    const { lineage, told, path } = open(runDir);
    expect({ ...lineage.steps }).toEqual({});
    expect(told).toHaveLength(1);
    const kept = readdirSync(runDir).filter((name) => name !== "lineage.json");
    expect(kept).toHaveLength(1);
    expect(told[0]).toContain(kept[0]);
    expect(readFileSync(join(runDir, kept[0]!), "utf8")).toBe(text);
    lineage.remember("work", "S1");
    expect(JSON.parse(readFileSync(path, "utf8")).steps).toEqual({ work: "S1" });
  });

  it("is nothing of another workspace's, whose file is not damaged", () => {
    const { runDir, lineage } = open();
    lineage.remember("work", "S1");
    const other = open(runDir, "/elsewhere");
    expect({ ...other.lineage.steps }).toEqual({});
    expect(other.told).toEqual([]);
  });

  it("passes over entries that are no sessions", () => {
    const { runDir } = open();
    writeFileSync(join(runDir, "lineage.json"), '{"workspace":"/w","woke":"x","steps":{"a":1,"b":"S"}}');
    const { lineage } = open(runDir);
    expect([lineage.woke, { ...lineage.steps }]).toEqual([0, { b: "S" }]);
  });

  it("goes on in memory when the disk cannot be written, and says so once", () => {
    const { runDir } = open();
    writeFileSync(join(runDir, "file"), "");
    const { lineage, told } = open(join(runDir, "file"));
    lineage.remember("clarify", "S1");
    lineage.remember("work", "S2");
    expect(lineage.sessionOf("work")).toBe("S2");
    expect(told).toHaveLength(1);
  });
});

describe("what documents were when they were frozen", () => {
  const mark = { sha256: "ab12" };

  it("is on disk beside the sessions, and neither erases the other", () => {
    const { runDir, lineage, path } = open();
    lineage.remember("work", "S1");
    const { lineage: other } = open(runDir);
    other.markFrozen(new Map([["notes/goal.md", { ...mark, during: "run work" }]]));
    lineage.remember("work", "S2");
    lineage.bump();
    expect(JSON.parse(readFileSync(path, "utf8"))).toEqual({
      workspace: "/w",
      woke: 1,
      steps: { work: "S2" },
      frozen: { "notes/goal.md": { sha256: "ab12", during: "run work" } },
    });
    lineage.markFrozen(
      new Map([
        ["notes/goal.md", mark],
        ["notes/brief.md", mark],
      ]),
    );
    expect(open(runDir).lineage.frozenMark("notes/goal.md")).toEqual(mark);
    lineage.markFrozen(new Map([["notes/goal.md", undefined]]));
    expect([...lineage.frozenMarks().keys()]).toEqual(["notes/brief.md"]);
    expect(open(runDir, "/elsewhere").lineage.frozenMarks().size).toBe(0);
  });

  it("is nothing in a file of before, and what is no mark is passed over", () => {
    const { runDir } = open();
    writeFileSync(join(runDir, "lineage.json"), '{"workspace":"/w","woke":2,"steps":{"a":"S"}}');
    const { lineage } = open(runDir);
    expect([lineage.frozenMarks().size, lineage.sessionOf("a")]).toEqual([0, "S"]);
    const odd = { a: { sha256: "1", during: 7 }, b: { sha256: 2 }, c: "x", d: null };
    writeFileSync(join(runDir, "lineage.json"), JSON.stringify({ workspace: "/w", steps: {}, frozen: odd }));
    expect([...open(runDir).lineage.frozenMarks()]).toEqual([["a", { sha256: "1" }]]);
  });
});

describe("starting anew", () => {
  it("moves the lineage and what belongs to it into one folder, and begins empty", () => {
    const { runDir, lineage, path } = open();
    lineage.remember("work", "S1");
    writeFileSync(join(runDir, "brief.md"), "brief");
    const into = join(runDir, "archive");
    const extra = [join(runDir, "brief.md"), join(runDir, "absent.md")];
    const folder = lineage.archive(into, { extra });
    expect(readdirSync(folder!).sort()).toEqual(["brief.md", "lineage.json"]);
    expect(existsSync(path)).toBe(false);
    expect([lineage.woke, { ...lineage.steps }]).toEqual([0, {}]);
    expect(lineage.archive(into)).toBeUndefined();
  });

  it("keeps two that are archived in the same second apart", () => {
    const { runDir, lineage } = open();
    const folders = ["S1", "S2", "S3"].map((id) => {
      lineage.remember("work", id);
      return lineage.archive(join(runDir, "archive"));
    });
    expect(new Set(folders).size).toBe(3);
  });
});
