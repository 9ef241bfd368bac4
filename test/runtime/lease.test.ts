import { existsSync, mkdtempSync, writeFileSync } from "node:fs";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { LeaseError } from "../../src/core/errors.ts";
import { selfMark } from "../../src/core/processes.ts";
import { isLeaseAlive, readLease, takeLease } from "../../src/runtime/lease.ts";

function place(): string {
  return join(mkdtempSync(join(tmpdir(), "flower-lease-")), "active.json");
}

const now = () => Date.now() / 1000;

function held(path: string, more: Record<string, unknown>): void {
  const record = { host: hostname(), ...selfMark(), run: "other", step: "work", heartbeat: now(), ...more };
  writeFileSync(path, JSON.stringify(record));
}

describe("one live run a folder", () => {
  it("refuses the second and says who the first is", () => {
    const path = place();
    const lease = takeLease(path, "run-1");
    lease.setStep("goal");
    const second = () => takeLease(path, "run-2");
    expect(second).toThrow(LeaseError);
    expect(second).toThrow(new RegExp(`run-1.*${process.pid}.*goal`));
    lease.release();
    expect(existsSync(path)).toBe(false);
    takeLease(path, "run-2").release();
  });

  it.each([
    ["its process is gone", { pid: 2 ** 22 + 1 }, false],
    ["its pid belongs to another process now", { start: "1" }, false],
    ["its process lives", {}, true],
    ["its process lives, however long it has been silent", { heartbeat: 0 }, true],
    ["another host spoke a moment ago", { host: "elsewhere", pid: 2 ** 22 + 1 }, true],
    ["another host has been silent for a minute", { host: "elsewhere", heartbeat: now() - 61 }, false],
  ])("is alive or dead by what can be known: %s", (_what, more, alive) => {
    const path = place();
    held(path, more);
    expect(isLeaseAlive(readLease(path)!)).toBe(alive);
    if (alive) expect(() => takeLease(path, "mine")).toThrow(LeaseError);
    else {
      takeLease(path, "mine").release();
      expect(existsSync(path)).toBe(false);
    }
  });

  it("names the other host", () => {
    const path = place();
    held(path, { host: "elsewhere" });
    expect(() => takeLease(path, "mine")).toThrow(/on elsewhere/);
  });

  it.each(["", "{", "[]", '{"host":1}', "null"])("takes a file that says nothing for nobody: %j", (text) => {
    const path = place();
    writeFileSync(path, text);
    expect(readLease(path)).toBeUndefined();
    takeLease(path, "mine").release();
  });

  it("neither overwrites nor removes what another took over meanwhile", () => {
    const path = place();
    const lease = takeLease(path, "mine");
    held(path, { run: "successor" });
    lease.setStep("work");
    lease.release();
    expect(readLease(path)?.run).toBe("successor");
  });
});
