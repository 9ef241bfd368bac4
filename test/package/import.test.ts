// Whoever imports the package only wants its names: whatever it did then, nobody asked for.

import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, describe, expect, it } from "vitest";

const DIST = join(resolve(import.meta.dirname, "..", ".."), "dist");
const folder = mkdtempSync(join(tmpdir(), "flower-import-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Looks at its own process before and after the import. What packages it stands on do is theirs: only frames of dist count. */
const WITNESS = `
const [dist, ...doors] = process.argv.slice(2);
const reads = [];
const note = (key) => {
  const stack = new Error().stack ?? "";
  if (stack.includes(dist)) reads.push(String(key));
};
process.env = new Proxy(process.env, {
  get: (env, key) => (note(key), Reflect.get(env, key)),
  has: (env, key) => (note(key), Reflect.has(env, key)),
  ownKeys: (env) => (note("every name"), Reflect.ownKeys(env)),
});
const timers = [];
for (const name of ["setTimeout", "setInterval", "setImmediate"]) {
  const real = globalThis[name];
  globalThis[name] = (...given) => {
    if ((new Error().stack ?? "").includes(dist)) timers.push(name);
    return real(...given);
  };
}
const look = () => ({
  listeners: process.eventNames().map((name) => [String(name), process.listenerCount(name)]),
  globals: Object.getOwnPropertyNames(globalThis).filter((name) => !name.startsWith("__zod")).sort(),
  // Pipes are those of standard input and output, opened when somebody first looks at them.
  resources: process.getActiveResourcesInfo().filter((kind) => !["PipeWrap", "CloseReq"].includes(kind)),
});
const before = look();
const names = [];
for (const door of doors) names.push(Object.keys(await import(door)).length);
const after = look();
process.stdout.write(JSON.stringify({ names, reads, timers, before, after }), () => process.exit());
`;

describe("importing the package", () => {
  it("does no work: no environment is read, no file written, nothing listens, waits or is put aside", () => {
    const script = join(folder, "witness.mjs");
    writeFileSync(script, WITNESS);
    const doors = ["", "testing/"].map((place) => pathToFileURL(join(DIST, `${place}index.js`)).href);
    const env = { PATH: process.env.PATH ?? "", HOME: folder, TMPDIR: folder };
    const done = spawnSync(process.execPath, [script, pathToFileURL(DIST).href, ...doors], {
      cwd: folder,
      env,
      encoding: "utf8",
      timeout: 60_000,
    });
    expect(done.stderr).toBe("");
    const { names, reads, timers, before, after } = JSON.parse(done.stdout);
    expect(names.every((count: number) => count > 10)).toBe(true);
    expect(reads).toEqual([]);
    expect(timers).toEqual([]);
    expect(after).toEqual(before);
    expect(readdirSync(folder)).toEqual(["witness.mjs"]);
  });
});
