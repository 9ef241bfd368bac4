import { mkdirSync, mkdtempSync, realpathSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { changedFiles } from "../../../src/cli/run/changed-files.ts";
import { createPaint } from "../../../src/cli/screen/paint.ts";
import { type RunEnd, renderEnd } from "../../../src/cli/screen/render-end.ts";
import { createTranslator } from "../../../src/config/locale/translator.ts";
import { workTreeOf } from "../../../src/evidence/work-tree.ts";
import { repository } from "../../scenarios/stage.ts";

const view = {
  t: createTranslator("en"),
  width: 60,
  folder: "/ws",
  verbose: false,
  paint: createPaint(false),
};
const end: RunEnd = {
  isDone: true,
  seconds: 3_723,
  verdict: { state: "achieved", round: 2, rounds: 3 },
  costs: [
    { step: "clarify", usd: 0.01 },
    { step: "goal", usd: 0.02 },
    { step: "work#retry1", usd: 1 },
    { step: "work:verdict#1", usd: 0.03 },
    { step: "work#round2", usd: 0.5 },
  ],
  asideUsd: 0,
  files: ["a.ts", "b.ts"],
  papers: ["/ws/.flower/notes/brief.md", "/elsewhere/goal.md"],
};

describe("the end of a run", () => {
  it("says what was ruled, what it cost whom, what has changed and where to look", () => {
    expect(renderEnd(end, view)).toEqual([
      "",
      "== done ============================================ 1:02:03",
      "+ round 2 of 3: achieved",
      "- cost $1.56: clarifier $0.0100 · judge $0.0500 · work $1.50",
      "- 2 files changed: a.ts, b.ts",
      "- look at .flower/notes/brief.md, /elsewhere/goal.md",
    ]);
  });

  it("counts a step under its whole name, and a judge under its own", () => {
    const names = [
      "build:api",
      "build:api#round2",
      "build:web",
      "build:api:verdict#1.again",
      "referee#1",
      "referee#2",
    ];
    const costs = names.map((step) => ({ step, usd: 1 }));
    expect(renderEnd({ ...end, costs }, { ...view, width: 200 })).toContain(
      "- cost $6.00: build:api $2.00 · build:web $1.00 · judge $1.00 · referee $2.00",
    );
  });

  it("counts what was asked aside, as its last line does", () => {
    expect(renderEnd({ ...end, asideUsd: 0.25 }, { ...view, width: 200 })).toContain(
      "- cost $1.81: clarifier $0.0100 · judge $0.0500 · work $1.50 · asked aside $0.25",
    );
  });

  it("says whose word it was where a person accepted the work", () => {
    const lines = renderEnd({ ...end, verdict: { state: "accepted", round: 1, rounds: 3 } }, view);
    expect(lines).toContain("+ round 1 of 3: accepted by you");
  });

  it("names no more than there is: no verdict, no paper, many files", () => {
    const files = Array.from({ length: 30 }, (_, i) => `f${i}`);
    const lines = renderEnd({ ...end, isDone: false, verdict: undefined, papers: [], files }, view);
    expect(lines[1]).toMatch(/^== stopped =+ 1:02:03$/);
    expect(lines.slice(3)).toEqual(["- 30 files changed: f0, f1, f2, f3, f4, f5, f6, f7, …"]);
    expect(renderEnd({ ...end, files: [] }, view)).toContain("- no file changed");
    expect(renderEnd({ ...end, files: ["a"] }, view)).toContain("- 1 file changed: a");
  });
});

describe("files a run has changed", () => {
  const folders: string[] = [];
  afterEach(() => {
    for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
  });
  const LONG_AGO = new Date(2020, 1, 1);

  function workspace(files: Record<string, "old" | "new">): string {
    const folder = realpathSync(mkdtempSync(join(tmpdir(), "flower-changed-")));
    folders.push(folder);
    for (const [name, age] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, name)), { recursive: true });
      writeFileSync(join(folder, name), name);
      if (age === "old") utimesSync(join(folder, name), LONG_AGO, LONG_AGO);
    }
    return folder;
  }
  const look = (folder: string) =>
    changedFiles({
      workspace: folder,
      exclude: workTreeOf({
        workspace: folder,
        runDir: join(folder, "runs"),
        workbench: join(folder, "desk", "bench"),
      }).exclude,
      sinceMs: Date.now() - 60_000,
      env: { PATH: process.env.PATH ?? "" },
    });
  const files = {
    "old.txt": "old",
    "src/new.ts": "new",
    ".flower/notes/brief.md": "new",
    "runs/manifest.json": "new",
    "desk/bench/notes/goal.md": "new",
    "desk/benches.md": "new",
    "node_modules/x/index.js": "new",
  } as const;

  it("are told by their times, without flower's own and what was installed", async () => {
    expect(await look(workspace(files))).toEqual(["desk/benches.md", "src/new.ts"]);
    expect(await look("/no/such/folder")).toEqual([]);
  });

  it("in a repository are those that git would have, committed or not, and ignored ones are not", async () => {
    const folder = workspace({ ...files, "dist/built.js": "new", "later.txt": "new" });
    repository(folder, { ".gitignore": "dist/\nnode_modules/\n", "src/committed.ts": "" });
    expect(await look(folder)).toEqual([
      ".gitignore",
      "desk/benches.md",
      "later.txt",
      "src/committed.ts",
      "src/new.ts",
    ]);
  });
});
