import { spawn } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { processStart } from "../../src/core/processes.ts";
import { sizeText, visiblePath } from "../../src/workbench/index-text.ts";
import { Workbench } from "../../src/workbench/workbench.ts";

const folder = () => mkdtempSync(join(tmpdir(), "flower-bench-"));

function bench(options: Partial<ConstructorParameters<typeof Workbench>[0]> = {}): Workbench {
  const workbench = new Workbench({ workspace: folder(), ...options });
  workbench.ensure();
  return workbench;
}

describe("where things are", () => {
  it("is .flower in the workspace unless said otherwise", () => {
    const inside = new Workbench({ workspace: "/w" });
    expect(inside).toMatchObject({
      root: "/w/.flower",
      external: false,
      scripts: "/w/.flower/scripts",
      artifacts: "/w/.flower/artifacts",
      notes: "/w/.flower/notes",
      spill: "/w/.flower/spill",
      indexPath: "/w/.flower/INDEX.md",
    });
    expect(new Workbench({ workspace: "/w", dirname: "bench" }).root).toBe("/w/bench");
    expect(new Workbench({ workspace: "/w", home: "runs/workbench" })).toMatchObject({
      root: "/w/runs/workbench",
      external: false,
    });
    expect(new Workbench({ workspace: "/w", home: "/.flower-w" })).toMatchObject({
      root: "/.flower-w",
      external: true,
    });
    expect(new Workbench({ workspace: "/w", home: "/w-more/x" }).external).toBe(true);
    expect(new Workbench({ workspace: "/w", home: "/w/..bench" }).external).toBe(false);
  });

  it("is shown relative inside the workspace and absolute outside", () => {
    const workbench = new Workbench({ workspace: "/w" });
    expect(workbench.show("/w/.flower/notes/a.md")).toBe(".flower/notes/a.md");
    expect(workbench.show(".flower/notes/a.md")).toBe(".flower/notes/a.md");
    expect(workbench.show("/w")).toBe(".");
    expect(workbench.show("/w2/a")).toBe("/w2/a");
    expect(workbench.show("/w/../etc/x")).toBe("/etc/x");
  });

  it.each([
    [{}, "bad_option"],
    [{ workspace: "" }, "bad_option"],
    [{ workspace: "/w", dirname: "../x" }, "bad_option"],
    [{ workspace: "/w", dirname: ".." }, "bad_option"],
    [{ workspace: "/w", maxIndexEntries: -1 }, "bad_option"],
    [{ workspace: "/w", maxEntries: 1 }, "unknown_option"],
    [undefined, "bad_options"],
  ])("is refused for the options %j", (options, code) => {
    expect(() => new Workbench(options as never)).toThrow(expect.objectContaining({ code }));
  });
});

describe("the index", () => {
  it("lists every file with what it says about itself, and is returned as written", () => {
    const workbench = bench();
    writeFileSync(join(workbench.scripts, "build.sh"), "#!/bin/sh\n# desc: build it\n");
    mkdirSync(join(workbench.artifacts, "deep", "er"), { recursive: true });
    writeFileSync(join(workbench.artifacts, "deep", "er", "log.txt"), "x".repeat(12_345));
    writeFileSync(join(workbench.artifacts, ".hidden"), "no");
    writeFileSync(join(workbench.artifacts, "a.txt.123.0badc0de.tmp"), "half written");
    writeFileSync(join(workbench.spill, "0123456789abcdef.txt"), "spilled");
    const text = workbench.refresh();
    expect(readFileSync(workbench.indexPath, "utf8")).toBe(text);
    expect(text).toContain("## Scripts: `.flower/scripts/` (1)");
    expect(text).toContain("- `.flower/scripts/build.sh` (27 B): build it");
    expect(text).toMatch(/- `\.flower\/artifacts\/deep\/er\/log\.txt` \(12 KB\): x+…/);
    expect(text).toContain("## Notes: `.flower/notes/` (0)\n\n(empty)");
    expect(text).not.toMatch(/hidden|half|spilled|0123456789|tmp/);
    expect(workbench.scan(workbench.scripts)).toEqual([
      { path: ".flower/scripts/build.sh", description: "build it", bytes: 27 },
    ]);
  });

  it("follows changes, removals and new files", () => {
    const workbench = bench();
    const note = join(workbench.notes, "a.md");
    writeFileSync(note, "# First");
    expect(workbench.refresh()).toContain("First");
    writeFileSync(note, "# Second");
    utimesSync(note, 1, 1);
    expect(workbench.refresh()).toContain("Second");
    rmSync(note);
    writeFileSync(join(workbench.notes, "b.md"), "# Third");
    const text = workbench.refresh();
    expect(text).not.toContain("a.md");
    expect(text).toContain("Third");
  });

  it("is written only when it changed, and again when somebody damaged it", () => {
    const workbench = bench();
    const text = workbench.refresh();
    utimesSync(workbench.indexPath, 1, 1);
    workbench.refresh();
    expect(statSync(workbench.indexPath).mtimeMs).toBe(1000);
    writeFileSync(workbench.indexPath, "mine now");
    workbench.refresh();
    expect(readFileSync(workbench.indexPath, "utf8")).toBe(text);
  });

  it("makes the folder first when there is none", () => {
    const workbench = new Workbench({ workspace: folder() });
    expect(workbench.refresh()).toContain("(empty)");
    expect(existsSync(join(workbench.root, ".gitignore"))).toBe(true);
  });

  it("does not follow links out of the workbench, nor folders in a circle, nor wait at a pipe", async () => {
    const workbench = bench();
    const outside = folder();
    writeFileSync(join(outside, "secret.md"), "# Secret");
    writeFileSync(join(workbench.notes, "real.md"), "# Real");
    symlinkSync(join(outside, "secret.md"), join(workbench.notes, "stolen.md"));
    symlinkSync(outside, join(workbench.artifacts, "outside"));
    symlinkSync(workbench.root, join(workbench.artifacts, "circle"));
    symlinkSync(join(workbench.notes, "real.md"), join(workbench.artifacts, "inside.md"));
    symlinkSync("/nowhere", join(workbench.artifacts, "broken"));
    const made = spawn("mkfifo", [join(workbench.artifacts, "pipe")], {
      env: { PATH: process.env.PATH ?? "" },
    });
    await new Promise((resolve) => made.on("exit", resolve));
    const text = workbench.refresh();
    expect(text).not.toMatch(/Secret|stolen|outside|circle|broken|pipe/);
    expect(text).toContain("`.flower/artifacts/inside.md`");
    rmSync(workbench.notes, { recursive: true });
    symlinkSync(outside, workbench.notes);
    expect(workbench.refresh()).not.toContain("Secret");
    expect(workbench.scan(outside)).toEqual([]);
  });

  it("shows hostile names as escapes on one line", () => {
    const workbench = bench();
    for (const name of ["a\nb", "c\u001b[2Jd", "e`f", "g\u202eh", "- i", "## j", "k\\nl"]) {
      writeFileSync(join(workbench.notes, name), "");
    }
    const notes = workbench.refresh().split("## Notes")[1]!.trim().split("\n").slice(2);
    expect(notes.map((line) => line.replace(/^- `\.flower\/notes\/(.*)` \(0 B\)$/, "$1")).sort()).toEqual(
      ["a\\x0ab", "c\\x1b[2Jd", "e\\x60f", "g\\u{202e}h", "- i", "## j", "k\\x5cnl"].sort(),
    );
    expect(visiblePath("x".repeat(5_000)).length).toBeLessThan(500);
  });

  it("misses nothing when several processes write and refresh at once", async () => {
    const workbench = bench();
    const source = fileURLToPath(new URL("../../src/workbench/workbench.ts", import.meta.url));
    const script = `
      import { writeFileSync } from "node:fs";
      import { join } from "node:path";
      import { createJiti } from "jiti";
      const { Workbench } = await createJiti(process.argv[1]).import(process.argv[1]);
      const workbench = new Workbench({ workspace: process.argv[2] });
      for (let i = 0; i < 10; i += 1) {
        writeFileSync(join(workbench.notes, process.argv[3] + i + ".md"), "x");
        workbench.refresh();
      }`;
    const children = ["a", "b", "c"].map((name) =>
      spawn(process.execPath, ["--input-type=module", "-e", script, source, workbench.workspace, name], {
        cwd: fileURLToPath(new URL("../..", import.meta.url)),
        env: { PATH: process.env.PATH ?? "", HOME: workbench.workspace },
        stdio: ["ignore", "ignore", "inherit"],
      }),
    );
    const codes = await Promise.all(
      children.map((child) => new Promise((resolve) => child.on("exit", resolve))),
    );
    expect(codes).toEqual([0, 0, 0]);
    expect(readFileSync(workbench.indexPath, "utf8")).toContain("## Notes: `.flower/notes/` (30)");
    expect(existsSync(`${workbench.indexPath}.lock`)).toBe(false);
  }, 30_000);

  it("waits for another who writes it, but not for ever", () => {
    const workbench = bench();
    const other = spawn(process.execPath, ["-e", "setTimeout(() => {}, 60_000)"], {
      env: { PATH: process.env.PATH ?? "", HOME: workbench.workspace },
      stdio: "ignore",
    });
    const mark = { pid: other.pid, start: processStart(other.pid ?? 0) };
    writeFileSync(`${workbench.indexPath}.lock`, JSON.stringify(mark));
    const before = performance.now();
    workbench.refresh();
    expect(performance.now() - before).toBeGreaterThan(900);
    other.kill("SIGKILL");
    expect(readFileSync(workbench.indexPath, "utf8")).toContain("# Workbench index");
  });

  it("of ten thousand files is not read again for one new file", () => {
    const workbench = bench();
    for (let dir = 0; dir < 20; dir += 1) {
      mkdirSync(join(workbench.artifacts, `d${dir}`));
      for (let i = 0; i < 500; i += 1)
        writeFileSync(join(workbench.artifacts, `d${dir}`, `${i}.md`), `# File ${i}`);
    }
    const first = performance.now();
    workbench.refresh();
    const second = performance.now();
    writeFileSync(join(workbench.notes, "new.md"), "# New");
    const text = workbench.refresh();
    const third = performance.now();
    expect(text).toContain("(10000)");
    expect(text).toContain(": New");
    // Far above what it takes on an idle machine (300 ms, then 70 ms); catches a second reading of every file.
    expect(second - first).toBeLessThan(5_000);
    expect(third - second).toBeLessThan((second - first) * 0.75 + 50);
  }, 30_000);
});

describe("the short form for a prompt", () => {
  it("says where it is and its three rules, and lists nothing of empty folders", () => {
    const block = bench().promptBlock();
    expect(block).toContain("`.flower/`");
    expect(block.match(/^\d\. /gm)).toHaveLength(3);
    expect(block).toMatch(/1\. .*twice.*`\.flower\/scripts\/`.*# desc:/);
    expect(block).toMatch(/2\. .*2,000 characters.*`\.flower\/artifacts\/`/);
    expect(block).toMatch(/3\. .*decisions.*`\.flower\/notes\/`, one file each/);
    expect(block).not.toMatch(/## |absolute/);
  });

  it("asks for absolute paths outside the workspace", () => {
    const home = folder();
    const block = bench({ home }).promptBlock();
    expect(block).toContain("use absolute paths");
    expect(block).toContain(`\`${home}/artifacts/\``);
  });

  it("shows the newest entries of each folder, old documents last, and counts the rest", () => {
    const workbench = bench({ maxIndexEntries: 2 });
    mkdirSync(join(workbench.notes, "archive"));
    for (const [i, name] of ["old.md", "c.md", "b.md", "archive/newest.md"].entries()) {
      writeFileSync(join(workbench.notes, name), "");
      utimesSync(join(workbench.notes, name), 1000 + i, 1000 + i);
    }
    writeFileSync(join(workbench.scripts, "only.sh"), "# desc: alone\n");
    expect(workbench.promptBlock().split("\n\n## ").slice(1)).toEqual([
      "Scripts (1)\n\n- `.flower/scripts/only.sh` (14 B): alone",
      "Notes (4)\n\n- `.flower/notes/b.md` (0 B)\n- `.flower/notes/c.md` (0 B)\n- … and 2 more",
    ]);
  });
});

describe("sizes", () => {
  it.each([
    [0, "0 B"],
    [999, "999 B"],
    [1000, "1.0 KB"],
    [9_940, "9.9 KB"],
    [9_960, "10 KB"],
    [999_400, "999 KB"],
    [999_600, "1.0 MB"],
    [5e15, "5000 TB"],
  ])("%d is %s", (bytes, text) => {
    expect(sizeText(bytes)).toBe(text);
  });
});
