import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { isAbsolute, join, relative } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { indexPostGuard } from "../../src/guards/index-guard.ts";
import { type SpillOptions, spillPostGuard } from "../../src/guards/spill-guard.ts";
import type { WorkbenchPort } from "../../src/guards/workbench-port.ts";
import { byWorker, outcome, seen, temporaryFolder } from "./calls.ts";

interface Bench extends WorkbenchPort {
  readonly workspace: string;
  refreshed: number;
}

function bench(external = false): Bench {
  const workspace = temporaryFolder("spill");
  const root = external ? temporaryFolder("external") : join(workspace, ".flower");
  const made: Bench = {
    workspace,
    root,
    spill: join(root, "spill"),
    refreshed: 0,
    show: (path) => {
      const way = relative(workspace, path);
      return way.startsWith("..") || isAbsolute(way) ? path : way;
    },
    refresh: () => {
      made.refreshed += 1;
    },
  };
  mkdirSync(made.spill, { recursive: true });
  return made;
}

const BIG = Array.from({ length: 500 }, (_, i) => `line ${i} of the answer`).join("\n");

/** Answers as the harness gives them, each with one text that is too long. */
const SHAPES: readonly (readonly [string, unknown, (response: never) => string, unknown])[] = [
  [
    "Bash",
    { command: "seq 1 9999" },
    (r: { stdout: string }) => r.stdout,
    { stdout: BIG, stderr: "", interrupted: false, isImage: false, noOutputExpected: false },
  ],
  [
    "Read",
    { file_path: "/x/big.txt" },
    (r: { file: { content: string } }) => r.file.content,
    {
      type: "text",
      file: { filePath: "/x/big.txt", content: BIG, numLines: 500, startLine: 1, totalLines: 500 },
    },
  ],
  [
    "Grep",
    { pattern: "line", output_mode: "content" },
    (r: { content: string }) => r.content,
    { mode: "content", numFiles: 0, filenames: [], content: BIG, numLines: 250, appliedLimit: 250 },
  ],
  [
    "WebFetch",
    { url: "https://x", prompt: "p" },
    (r: { result: string }) => r.result,
    { bytes: 9, code: 200, codeText: "OK", result: BIG, durationMs: 5, url: "https://x" },
  ],
];

function spilled(folder: Bench): string[] {
  return readdirSync(folder.spill).map((name) => readFileSync(join(folder.spill, name), "utf8"));
}

describe("the spill guard", () => {
  it.each(SHAPES)("moves a long %s answer to disk and keeps its shape", (tool, input, textOf, response) => {
    const folder = bench();
    const result = seen(spillPostGuard(folder), outcome(tool, input, response, { cwd: folder.workspace }));
    const text = textOf(result as never);
    expect(spilled(folder)).toEqual([BIG]);
    const [name] = readdirSync(folder.spill);
    expect(name).toMatch(/^[0-9a-f]{16}\.txt$/);
    expect(text.split("\n")[0]).toContain(`${BIG.length} characters`);
    expect(text.split("\n")[0]).toContain(`.flower/spill/${name}`);
    expect(text).toContain(BIG.slice(0, 400));
    expect(text).not.toContain(BIG.slice(0, 402));
    const back = JSON.parse(JSON.stringify(result).replace(JSON.stringify(text), JSON.stringify(BIG)));
    expect(back).toEqual(response);
  });

  it("leaves an answer at the threshold alone and spills one character more", () => {
    const folder = bench();
    const at = (length: number) =>
      spillPostGuard(folder).review(outcome("Bash", {}, { stdout: "x".repeat(length) })).kind;
    expect([at(4_000), at(4_001)]).toEqual(["keep", "replace"]);
    const low = spillPostGuard(folder, { threshold: 1_000 });
    expect(low.review(outcome("Bash", {}, { stdout: "x".repeat(1_001) })).kind).toBe("replace");
  });

  const KEPT: readonly (readonly [string, string, unknown])[] = [
    [
      "a picture that was read",
      "Read",
      { type: "image", file: { base64: "A".repeat(9_000), type: "image/png" } },
    ],
    ["a PDF that was read", "Read", { type: "pdf", file: { filePath: "/x.pdf", base64: "A".repeat(9_000) } }],
    ["a picture a command printed", "Bash", { stdout: "A".repeat(9_000), stderr: "", isImage: true }],
    ["a notebook's cells", "Read", { type: "notebook", file: { cells: [{ source: "x".repeat(9_000) }] } }],
    ["a list", "Glob", { filenames: Array(400).fill("a/long/path/name") }],
    ["a list at the top", "WebSearch", [{ type: "text", text: "x".repeat(9_000) }]],
    ["a tool it was not told about", "Agent", { content: "x".repeat(9_000) }],
    ["no answer", "Bash", undefined],
  ];
  it.each(KEPT)("does not touch %s", (_name, tool, response) => {
    const folder = bench();
    expect(spillPostGuard(folder).review(outcome(tool, {}, response))).toEqual({ kind: "keep" });
    expect(readdirSync(folder.spill)).toEqual([]);
  });

  it("spills an answer that is one text, and each long field of one that has several", () => {
    const folder = bench();
    const guard = spillPostGuard(folder, { tools: "Bash|mcp__x__y" });
    expect(seen(guard, outcome("mcp__x__y", {}, BIG))).toContain("characters, all in");
    const two = seen(guard, outcome("Bash", {}, { stdout: BIG, stderr: `${BIG}!` }));
    expect(Object.values(two as object).every((text) => String(text).length < 600)).toBe(true);
    expect(spilled(folder).sort()).toEqual([BIG, `${BIG}!`].sort());
  });

  it("leaves workers alone when told to look at the main thread only", () => {
    const guard = spillPostGuard(bench(), { mainOnly: true });
    const response = { stdout: BIG };
    expect(guard.review({ ...byWorker("Bash", {}), response }).kind).toBe("keep");
    expect(guard.review(outcome("Bash", {}, response)).kind).toBe("replace");
  });

  it("writes the path so that its reader can use it", () => {
    const inside = bench();
    const pointer = (folder: Bench, cwd: string) =>
      (seen(spillPostGuard(folder), outcome("Bash", {}, { stdout: BIG }, { cwd })) as { stdout: string })
        .stdout;
    expect(pointer(inside, inside.workspace)).toContain("all in .flower/spill/");
    expect(pointer(inside, join(inside.workspace, ".claude/worktrees/a"))).toContain(
      `all in ${inside.spill}/`,
    );
    const external = bench(true);
    expect(pointer(external, external.workspace)).toContain(`all in ${external.spill}/`);
  });

  it("takes over what the harness kept of a longer output, masked, and points to all of it", () => {
    const folder = bench();
    const kept = join(folder.workspace, "kept.txt");
    const whole = `${BIG}\nKEY=hidden-value\n${BIG}`;
    writeFileSync(kept, whole);
    const mask = (text: string) => text.replaceAll("hidden-value", "[gone]");
    const response = {
      stdout: BIG,
      stderr: "",
      interrupted: false,
      persistedOutputPath: kept,
      persistedOutputSize: 9,
    };
    const result = seen(spillPostGuard(folder, { mask }), outcome("Bash", {}, response)) as Record<
      string,
      unknown
    >;
    expect(Object.keys(result)).toEqual(["stdout", "stderr", "interrupted"]);
    expect(result.stdout).toContain(`${mask(whole).length} characters`);
    expect(spilled(folder)).toEqual([mask(whole)]);
    const gone = { ...response, persistedOutputPath: join(folder.workspace, "none") };
    const rest = seen(spillPostGuard(folder), outcome("Bash", {}, gone)) as Record<string, unknown>;
    expect(rest).toMatchObject({ persistedOutputPath: gone.persistedOutputPath });
    expect(rest.stdout).toContain("characters, all in");
  });

  it("keeps the answer and reports it when the file cannot be written", () => {
    const folder = bench();
    const blocked = join(folder.workspace, "a-file");
    writeFileSync(blocked, "");
    const faults: unknown[] = [];
    const guard = spillPostGuard(
      { ...folder, spill: join(blocked, "spill") },
      { onFault: (error) => faults.push(error) },
    );
    expect(guard.review(outcome("Bash", {}, { stdout: BIG }))).toEqual({ kind: "keep" });
    expect(faults).toEqual([expect.any(Error)]);
  });

  it("cuts between characters, never inside one", () => {
    const guard = spillPostGuard(bench());
    const text = (
      seen(guard, outcome("Bash", {}, { stdout: `x${"🌼".repeat(5_000)}` })) as { stdout: string }
    ).stdout;
    expect(text.replace(/\p{Surrogate}/gu, "")).toBe(text);
  });

  it("never makes an answer longer, loses none of it, and leaves its own pointers alone", () => {
    const folder = bench();
    const guard = spillPostGuard(folder, { threshold: 300 });
    fc.assert(
      fc.property(fc.string({ minLength: 1, maxLength: 3_000 }), (text) => {
        const once = seen(guard, outcome("Bash", {}, { stdout: text })) as { stdout: string };
        const path = / all in (\S+?\.txt)/.exec(once.stdout)?.[1];
        const whole = once.stdout === text || readFileSync(path ?? "", "utf8") === text;
        return whole && once.stdout.length <= text.length;
      }),
      { numRuns: 40 },
    );
  });

  it.each([{ threshold: 0 }, { threshold: -1 }, { threshold: 1.5 }, { treshold: 5 }])(
    "refuses %j",
    (options) => {
      expect(() => spillPostGuard(bench(), options as SpillOptions)).toThrow();
    },
  );
});

describe("looking into a spilled file", () => {
  const read = (folder: Bench, path: string, content: string, cwd = folder.workspace) =>
    seen(
      spillPostGuard(folder),
      outcome("Read", { file_path: path }, { type: "text", file: { filePath: path, content } }, { cwd }),
    ) as { file: { content: string } };

  it("is let through up to 20,000 characters and cut beyond, without a second spill", () => {
    const folder = bench();
    const path = join(folder.spill, "ab12.txt");
    expect(read(folder, path, "y".repeat(20_000)).file.content).toHaveLength(20_000);
    const cutShort = read(folder, path, "y".repeat(100_000)).file.content;
    expect(cutShort.length).toBeLessThanOrEqual(20_000);
    expect(cutShort).toContain("of 100000 characters");
    expect(readdirSync(folder.spill)).toEqual([]);
  });

  it("is known by a relative path, through a link, and by a search", () => {
    const folder = bench();
    expect(read(folder, ".flower/spill/a.txt", BIG).file.content).toBe(BIG);
    const link = join(folder.workspace, "link");
    symlinkSync(folder.spill, link);
    expect(read(folder, join(link, "a.txt"), BIG).file.content).toBe(BIG);
    const found = outcome("Grep", { pattern: "x", path: folder.spill }, { mode: "content", content: BIG });
    expect(spillPostGuard(folder).review(found).kind).toBe("keep");
  });

  it("is not claimed by a name that only looks like it", () => {
    const folder = bench();
    for (const path of [
      `${folder.spill}-notes/big.log`,
      join(folder.spill, "../notes/spill/a.txt"),
      `/x${folder.spill}`,
    ]) {
      expect(read(folder, path, BIG).file.content).not.toBe(BIG);
    }
  });
});

describe("the index guard", () => {
  it.each([
    ["Write", "notes/a.md", 1],
    ["Edit", "notes/a.md", 1],
    ["Write", "../src/a.ts", 0],
    ["Write", "../.flower-2/a.md", 0],
  ])("after a %s of %s refreshes %i times and changes nothing", (tool, path, times) => {
    const folder = bench();
    const file_path = join(folder.root, path);
    const done = outcome(tool, { file_path }, { type: "create" }, { cwd: folder.workspace });
    expect(indexPostGuard(folder).review(done)).toEqual({ kind: "keep" });
    expect(folder.refreshed).toBe(times);
  });

  it("follows relative paths and links, and looks only at writing", () => {
    const folder = bench();
    symlinkSync(folder.root, join(folder.workspace, "link"));
    const guard = indexPostGuard(folder);
    guard.review(outcome("Write", { file_path: ".flower/a" }, {}, { cwd: folder.workspace }));
    guard.review(outcome("Write", { file_path: join(folder.workspace, "link/a") }, {}));
    guard.review(outcome("Write", "odd", {}));
    expect(folder.refreshed).toBe(2);
    expect(guard.tools).toEqual(["Write", "Edit"]);
    expect(existsSync(folder.spill)).toBe(true);
  });
});
