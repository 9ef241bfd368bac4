import {
  lstatSync,
  lutimesSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { sweepTaskLinks } from "../../src/harness/task-links.ts";

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

function temporary(): { readonly root: string; readonly tasks: string } {
  const root = mkdtempSync(join(tmpdir(), "flower-links-"));
  folders.push(root);
  const tasks = join(root, "claude-0", "-ws", "session", "tasks");
  mkdirSync(tasks, { recursive: true });
  return { root, tasks };
}

function link(path: string, to: string, ageS: number): void {
  symlinkSync(to, path);
  const then = Date.now() / 1_000 - ageS;
  lutimesSync(path, then, then);
}

describe("the links of workers", () => {
  it("are removed once they lead nowhere, and nothing else is", () => {
    const { root, tasks } = temporary();
    const kept = join(root, "kept.jsonl");
    writeFileSync(kept, "{}");
    writeFileSync(join(tasks, "shell.output"), "out");
    link(join(tasks, "gone.output"), join(root, "gone.jsonl"), 5);
    link(join(tasks, "live.output"), kept, 5);
    link(join(tasks, "young.output"), join(root, "soon.jsonl"), -60);
    mkdirSync(join(tasks, "..", "scratchpad"));
    link(join(tasks, "..", "scratchpad", "mine"), join(root, "gone"), 5);
    sweepTaskLinks(root);
    expect(readdirSync(tasks).sort()).toEqual(["live.output", "shell.output", "young.output"]);
    expect(lstatSync(join(tasks, "..", "scratchpad", "mine")).isSymbolicLink()).toBe(true);
  });

  it("are no trouble where there is no folder", () => {
    expect(() => sweepTaskLinks(join(temporary().root, "none"))).not.toThrow();
    expect(() => sweepTaskLinks(undefined)).not.toThrow();
  });
});
