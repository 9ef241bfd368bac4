import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { sweepLeftovers } from "../../src/core/leftovers.ts";
import { withLock } from "../../src/core/lock.ts";
import { processStart, selfMark } from "../../src/core/processes.ts";

const folder = mkdtempSync(join(tmpdir(), "flower-leftovers-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
/** Above what the kernel gives out. */
const NOBODY = 4_194_305;

describe("what killed writers left", () => {
  it("is removed, and nothing else is: not a live writer's file, not a person's", () => {
    const names = [
      `manifest.json.${NOBODY}.0a1b2c3d.tmp`,
      `active.json.lock.${NOBODY}.0a1b2c3d.mine`,
      `goal.md.${process.pid}.0a1b2c3d.tmp`,
      `brief.md.${process.ppid}.0a1b2c3d.tmp`,
      "notes.tmp",
      "manifest.json",
    ];
    for (const name of names) writeFileSync(join(folder, name), "");
    writeFileSync(join(folder, "lineage.json.lock"), JSON.stringify(selfMark()));
    const parent = { pid: process.ppid, start: processStart(process.ppid) };
    writeFileSync(join(folder, "costs.json.lock"), JSON.stringify(parent));
    sweepLeftovers(folder);
    expect(readdirSync(folder).sort()).toEqual([...names.slice(3), "costs.json.lock"].sort());
    expect(() => sweepLeftovers(join(folder, "absent"))).not.toThrow();
  });
});

describe("a lock that this very process could not remove", () => {
  it("does not keep it out for good", () => {
    const path = join(folder, "books.json");
    writeFileSync(`${path}.lock`, JSON.stringify(selfMark()));
    expect(withLock(path, () => "in", 200)).toBe("in");
    expect(readdirSync(folder).filter((name) => name.includes("books"))).toEqual([]);
  });
});
