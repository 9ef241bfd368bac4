import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { configPlaces, readFlowerConfig } from "../../src/config/flower-config.ts";
import { places, write } from "./cases.ts";

describe("configPlaces", () => {
  it("are the workspace's file, then the person's own", () => {
    const { home, workspace } = places();
    expect(configPlaces({ HOME: home }, workspace)).toEqual([
      { owner: "project", path: join(workspace, "flower.config.json") },
      { owner: "person", path: join(home, ".config/flower/flower.config.json") },
    ]);
    const xdg = { HOME: home, XDG_CONFIG_HOME: join(home, "xdg") };
    expect(configPlaces(xdg, workspace)[1]?.path).toBe(join(home, "xdg/flower/flower.config.json"));
  });

  it("take the person's own folder for the person's, also as a workspace", () => {
    const { home } = places();
    const own = join(home, ".config", "flower");
    expect(configPlaces({ HOME: home }, `${own}/`)).toEqual([
      { owner: "person", path: join(own, "flower.config.json") },
    ]);
  });
});

describe("readFlowerConfig", () => {
  it.each([
    ['{"rounds": 5}', { kind: "values", values: { rounds: 5 } }],
    ['\ufeff{"__proto__": 1}', { kind: "values", values: JSON.parse('{"__proto__": 1}') }],
    ["[]", { kind: "not_an_object" }],
    ['"text"', { kind: "not_an_object" }],
    ["null", { kind: "not_an_object" }],
    ['{"rounds": 5,}', { kind: "not_json", fault: { reason: "trailing_comma", line: 1, column: 13 } }],
    ["", { kind: "not_json", fault: { reason: "ended", line: 1, column: 1 } }],
    ["a\0", { kind: "unreadable", reason: "not text" }],
  ])("reads %j", (text, expected) => {
    const { workspace } = places();
    expect(readFlowerConfig(write(join(workspace, "flower.config.json"), text))).toEqual(expected);
  });

  it("says what stands there where a file should be", () => {
    const path = join(places().workspace, "flower.config.json");
    expect(readFlowerConfig(path)).toEqual({ kind: "absent" });
    mkdirSync(path);
    expect(readFlowerConfig(path)).toEqual({ kind: "unreadable", reason: "a folder" });
  });

  it("repeats nothing of a file that a link leads to instead", () => {
    const { home, workspace } = places();
    const secret = write(join(home, "secret"), "ANTHROPIC_API_KEY=sk-ant-secret\n");
    symlinkSync(secret, join(workspace, "flower.config.json"));
    expect(JSON.stringify(readFlowerConfig(join(workspace, "flower.config.json")))).not.toMatch(
      /secret|ANTH/,
    );
  });
});
