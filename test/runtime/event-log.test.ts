import { mkdtempSync, readdirSync, readFileSync, statSync } from "node:fs";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { selfMark } from "../../src/core/processes.ts";
import { createEvent } from "../../src/events/event.ts";
import { EventLog } from "../../src/runtime/event-log.ts";

describe("the log of a run's events", () => {
  it("has one line an event, with its time and without what JSON cannot hold, between two that say whose it is", () => {
    const folder = mkdtempSync(join(tmpdir(), "flower-log-"));
    const log = new EventLog(folder, "R", () => {});
    log.write(createEvent("text", { text: "one\ntwo", payload: {}, raw: { self: 1n } }));
    log.write(createEvent("task", { payload: { notice: "store" } }));
    log.close();
    log.close();
    const lines = readFileSync(log.path, "utf8").trimEnd().split("\n");
    const about = (state: string) => {
      const payload = { notice: "run", state, run: "R", host: hostname(), ...selfMark() };
      return { at: expect.any(Number), kind: "task", text: "", tool: "", payload };
    };
    expect(lines.map((line) => JSON.parse(line))).toEqual([
      about("begun"),
      { at: expect.any(Number), kind: "text", text: "one\ntwo", tool: "", payload: {} },
      { at: expect.any(Number), kind: "task", text: "", tool: "", payload: { notice: "store" } },
      about("ended"),
    ]);
  });

  it("takes no more room than two files of 8 MB, and keeps the newest", () => {
    const folder = mkdtempSync(join(tmpdir(), "flower-log-"));
    const log = new EventLog(folder, "R", () => {});
    const words = "é".repeat(500_000);
    for (let i = 0; i < 40; i += 1) log.write(createEvent("text", { text: `${i} ${words}`, payload: {} }));
    const sizes = readdirSync(folder).map((name) => statSync(join(folder, name)).size);
    expect(sizes).toHaveLength(2);
    for (const size of sizes) expect(size).toBeLessThanOrEqual(8 * 1024 * 1024);
    expect(readFileSync(log.path, "utf8")).toContain('"39 ');
    expect(readFileSync(log.path, "utf8").split("\n", 1)[0]).toContain('"state":"continued"');
  });

  it("says it once when it cannot be written", () => {
    const told: unknown[] = [];
    const log = new EventLog("/nowhere/at/all", "R", (error) => told.push(error));
    log.write(createEvent("text", { payload: {} }));
    log.write(createEvent("text", { payload: {} }));
    expect(told).toHaveLength(1);
  });
});
