// The published cases of this room, and a folder tree to try them in.

import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { SourcePlaces } from "../../src/config/sources.ts";

interface Case {
  readonly id: string;
  readonly input: unknown;
  readonly expected: Readonly<Record<string, unknown>>;
}

const CASES = JSON.parse(
  readFileSync(new URL("../fixtures/config/env-credentials.json", import.meta.url), "utf8"),
) as readonly Case[];

export function caseOf(id: string): Case {
  const found = CASES.find((each) => each.id === id);
  if (found === undefined) throw new Error(`no case ${id}`);
  return found;
}

/** A home, a workspace in it and a second folder, with nothing in them. */
export function places(more: Partial<SourcePlaces> = {}): SourcePlaces {
  const home = mkdtempSync(join(tmpdir(), "flower-config-"));
  const workspace = join(home, "project");
  mkdirSync(workspace);
  return { runtimeEnv: {}, processEnv: {}, workspace, cwd: workspace, home, ...more };
}

export function write(path: string, text: string): string {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  return path;
}

/** Put a case's files where their names say: `./` is the workspace, `~/` the home folder. */
export function writeFiles(where: SourcePlaces, files: Readonly<Record<string, string>>): void {
  for (const [name, text] of Object.entries(files)) {
    const root = name.startsWith("~/") ? where.home : where.workspace;
    write(join(root, name.slice(2)), text);
  }
}
