// The rooms of the house and who may enter: the table is data, and every import is held against it.

import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve, sep } from "node:path";
import { describe, expect, it } from "vitest";

const SRC = resolve("src");

/** Room -> rooms it may import. */
const ROOMS: Readonly<Record<string, readonly string[]>> = {
  core: [],
  shell: ["core"],
  events: ["core"],
  documents: ["core"],
  transcript: ["core", "shell"],
  sessions: ["core", "transcript"],
  workbench: ["core"],
  config: ["core"],
  people: ["core", "events"],
  agents: ["core", "config", "documents", "people", "workbench"],
  guards: ["core", "shell", "agents", "workbench"],
  broker: ["core", "config"],
  harness: [
    ...["core", "shell", "events", "documents", "transcript", "sessions", "workbench", "config", "people"],
    ...["agents", "guards", "broker"],
  ],
  runtime: [
    ...["core", "shell", "events", "documents", "transcript", "sessions", "workbench", "config", "people"],
    ...["agents", "guards", "broker", "harness"],
  ],
  evidence: ["core", "shell", "documents", "config", "runtime"],
  workflow: [
    ...["core", "shell", "events", "documents", "transcript", "sessions", "workbench", "config", "people"],
    ...["agents", "guards", "broker", "harness", "runtime", "evidence"],
  ],
  testing: ["core", "events", "sessions", "agents", "documents"],
  cli: [
    ...["core", "shell", "events", "documents", "transcript", "sessions", "workbench", "config", "people"],
    ...["agents", "guards", "broker", "runtime", "evidence", "workflow", "testing", "index"],
  ],
  index: [
    ...["core", "shell", "events", "documents", "transcript", "sessions", "workbench", "config", "people"],
    ...["agents", "guards", "broker", "harness", "runtime", "workflow"],
  ],
};

const BANNED_NAMES = ["utils", "helpers", "common", "misc", "manager", "service", "base", "types"];
const MAX_LINES = 400;

interface SourceFile {
  readonly path: string;
  readonly room: string;
  readonly text: string;
  readonly imports: readonly string[];
}

function withoutComments(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\//g, "").replace(/^\s*\/\/.*$/gm, "");
}

function roomOf(path: string): string {
  const parts = relative(SRC, path).split(sep);
  return parts.length === 1 ? (parts[0] ?? "").replace(/\.ts$/, "") : (parts[0] ?? "");
}

function readSource(path: string): SourceFile {
  const text = readFileSync(path, "utf8");
  const code = withoutComments(text);
  const imports = [...code.matchAll(/(?:\bfrom|\bimport)\s*\(?\s*["']([^"']+)["']/g)].map((m) => m[1] ?? "");
  return { path, room: roomOf(path), text, imports };
}

const files = readdirSync(SRC, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && entry.name.endsWith(".ts"))
  .map((entry) => readSource(join(entry.parentPath, entry.name)));

function target(file: SourceFile, specifier: string): string {
  return resolve(dirname(file.path), specifier);
}

function shown(file: SourceFile): string {
  return relative(SRC, file.path);
}

describe("the house", () => {
  it("has only rooms of the table", () => {
    expect([...new Set(files.map((file) => file.room))].filter((room) => !(room in ROOMS))).toEqual([]);
  });

  it("lets each room import only what the table allows", () => {
    const wrong = files.flatMap((file) =>
      file.imports
        .filter((specifier) => specifier.startsWith("."))
        .map((specifier) => ({ from: shown(file), to: roomOf(target(file, specifier)), specifier }))
        .filter(({ to }) => to !== file.room && !(ROOMS[file.room] ?? []).includes(to)),
    );
    expect(wrong).toEqual([]);
  });

  it("has no cycle, imports of types included", () => {
    const graph = new Map(
      files.map((file) => [
        file.path,
        file.imports
          .filter((specifier) => specifier.startsWith("."))
          .map((specifier) => target(file, specifier)),
      ]),
    );
    const done = new Set<string>();
    const cycles: string[] = [];
    const visit = (path: string, trail: readonly string[]): void => {
      if (trail.includes(path)) {
        cycles.push([...trail.slice(trail.indexOf(path)), path].map((p) => relative(SRC, p)).join(" -> "));
        return;
      }
      if (done.has(path)) return;
      for (const next of graph.get(path) ?? []) visit(next, [...trail, path]);
      done.add(path);
    };
    for (const path of graph.keys()) visit(path, []);
    expect(cycles).toEqual([]);
  });

  it("lets only the harness room import the SDK", () => {
    const importers = files.filter((file) => file.imports.some((name) => name.startsWith("@anthropic-ai/")));
    expect(importers.filter((file) => file.room !== "harness").map(shown)).toEqual([]);
  });

  it("reads the process environment only in config and cli, and ends the process only in cli/main", () => {
    const readsEnv = files.filter((file) => /process\.env\b/.test(withoutComments(file.text)));
    expect(readsEnv.filter((file) => file.room !== "config" && file.room !== "cli").map(shown)).toEqual([]);
    const exits = files.filter((file) => /process\.exit\b(?!Code)/.test(withoutComments(file.text)));
    expect(exits.map(shown).filter((path) => path !== join("cli", "main.ts"))).toEqual([]);
  });

  it("throws typed errors only", () => {
    const raw = files.filter((file) => /throw new Error\b/.test(withoutComments(file.text)));
    expect(raw.map(shown)).toEqual([]);
  });

  it("keeps files small, named for what they hold, and opened by a line that says so", () => {
    expect(files.filter((file) => file.text.split("\n").length > MAX_LINES).map(shown)).toEqual([]);
    const parts = files.flatMap((file) => shown(file).replace(/\.ts$/, "").split(sep));
    expect(parts.filter((part) => BANNED_NAMES.includes(part))).toEqual([]);
    expect(files.filter((file) => !/^(?:#!.*\n)?\/\/ \S/.test(file.text)).map(shown)).toEqual([]);
  });
});
