// The files that have grown old: what the harness keeps for itself, temporary files, events and evidence of old runs,
// spilled results nobody mentions, damaged books put aside. Lists only.

import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { readText } from "../../core/json.ts";
import { type FoundFile, fileAt, filesBelow, namesIn, removeEmptyFolders } from "./files.ts";
import { spillNames } from "./old-sessions.ts";
import type { Pointed } from "./pointed-sessions.ts";

/** What a file is to whoever reads the list. */
export type FileKind = "harness" | "temporary" | "events" | "evidence" | "spill" | "damaged";

/** A file that may go. */
export interface OldFile extends FoundFile {
  readonly kind: FileKind;
}

/** Where to look, and what stays. */
export interface FileSearch {
  readonly runDir: string;
  /** Workbenches whose runs keep their books here. */
  readonly benches: readonly string[];
  /** How the harness names the workspaces whose sessions are kept here; none where another search looks for their copies. */
  readonly projectKeys: readonly string[];
  /** Epoch seconds; what changed later stays. */
  readonly since: number;
  readonly pointed: Pointed;
  /** Spilled results that sessions mention. */
  readonly mentioned: ReadonlySet<string>;
}

/** Its own settings, not its leavings: a harness without them asks and tells everything anew. */
const HARNESS_STAYS = [".claude.json", "settings.json", "plugins"];

function* harnessFiles({ runDir }: FileSearch): Generator<FoundFile> {
  const folder = join(runDir, "harness");
  for (const name of namesIn(folder)) {
    if (HARNESS_STAYS.includes(name) || name === "tmp") continue;
    const file = fileAt(join(folder, name));
    if (file === undefined) yield* filesBelow(join(folder, name));
    else yield file;
  }
}

/** Folders with a copy of a session, made for resuming it and left behind by a run that was killed. */
function resumeLeftovers(projectKeys: readonly string[]): readonly string[] {
  return namesIn(tmpdir())
    .filter((name) => /^claude-resume-[0-9a-f-]{36}$/.test(name))
    .map((name) => join(tmpdir(), name))
    .filter((folder) => {
      const projects = namesIn(join(folder, "projects"));
      return projects.length > 0 && projects.every((project) => projectKeys.includes(project));
    });
}

function* temporaryFiles({ runDir, benches, projectKeys }: FileSearch): Generator<FoundFile> {
  for (const home of [join(runDir, "harness"), ...benches]) yield* filesBelow(join(home, "tmp"));
  for (const folder of resumeLeftovers(projectKeys)) yield* filesBelow(folder);
}

function* eventFiles({ runDir, pointed }: FileSearch): Generator<FoundFile> {
  for (const name of namesIn(runDir)) {
    const run = /^events-(.+?)(?:\.older)?\.jsonl$/.exec(name)?.[1];
    const file = run === undefined || pointed.runs.has(run) ? undefined : fileAt(join(runDir, name));
    if (file !== undefined) yield file;
  }
}

function* evidenceFiles({ runDir, benches, pointed }: FileSearch): Generator<FoundFile> {
  for (const home of [runDir, ...benches.map((bench) => join(bench, "artifacts"))]) {
    for (const run of namesIn(join(home, "evidence"))) {
      if (pointed.runs.has(run) || run === pointed.judged) continue;
      yield* filesBelow(join(home, "evidence", run));
    }
  }
}

/** Documents name spilled results too. */
function spillsInNotes(benches: readonly string[]): ReadonlySet<string> {
  const names = new Set<string>();
  for (const bench of benches) {
    for (const { path } of filesBelow(join(bench, "notes"))) {
      for (const name of spillNames(readText(path) ?? "")) names.add(name);
    }
  }
  return names;
}

function* spillFiles({ benches, mentioned }: FileSearch): Generator<FoundFile> {
  const noted = spillsInNotes(benches);
  for (const bench of benches) {
    for (const file of filesBelow(join(bench, "spill"))) {
      const name = basename(file.path);
      const [own] = spillNames(name);
      if (own === name && !mentioned.has(name) && !noted.has(name)) yield file;
    }
  }
}

function* damagedFiles({ runDir }: FileSearch): Generator<FoundFile> {
  for (const name of namesIn(runDir)) {
    const file = name.includes(".damaged-") ? fileAt(join(runDir, name)) : undefined;
    if (file !== undefined) yield file;
  }
}

const SEARCHES: readonly (readonly [FileKind, (search: FileSearch) => Iterable<FoundFile>])[] = [
  ["harness", harnessFiles],
  ["temporary", temporaryFiles],
  ["events", eventFiles],
  ["evidence", evidenceFiles],
  ["spill", spillFiles],
  ["damaged", damagedFiles],
];

/** Remove what old files left: folders of flower's own with nothing in them. */
export function tidyFolders({ runDir, benches, projectKeys }: FileSearch): void {
  const artifacts = benches.map((bench) => join(bench, "artifacts"));
  for (const folder of [join(runDir, "harness"), ...benches.map((bench) => join(bench, "tmp"))]) {
    removeEmptyFolders(folder);
  }
  const evidence = [runDir, ...artifacts].map((home) => join(home, "evidence"));
  for (const folder of [...evidence, ...resumeLeftovers(projectKeys)]) removeEmptyFolders(folder, true);
}

/** The files that may go. */
export function oldFiles(search: FileSearch): readonly OldFile[] {
  return SEARCHES.flatMap(([kind, find]) =>
    [...find(search)].filter((file) => file.changedAt < search.since).map((file) => ({ ...file, kind })),
  );
}
