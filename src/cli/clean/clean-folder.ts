// Makes a run folder smaller: finds what is old and needed by nothing, and removes it. Sessions go first, each in one
// transaction, then the files only they needed; stopped anywhere, it has removed less and broken nothing.

import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Compaction } from "../../sessions/shrink.ts";
import type { SqliteSessionStore } from "../../sessions/sqlite-session-store.ts";
import { removeFile } from "./files.ts";
import { benchesOf, keptBytes } from "./kept.ts";
import { type FileSearch, type OldFile, oldFiles, tidyFolders } from "./old-files.ts";
import { mentionedSpills, type OldSession, openStore, sortSessions } from "./old-sessions.ts";
import { pointedSessions } from "./pointed-sessions.ts";

/** What is to be cleaned. */
export interface CleanRequest {
  readonly workspace: string;
  readonly runDir: string;
  /** Epoch seconds; what changed later stays. */
  readonly since: number;
  /** Runs at work. */
  readonly live: readonly string[];
  readonly dryRun: boolean;
}

/** What was found, and what became of it. */
export interface CleanReport {
  readonly sessions: readonly OldSession[];
  readonly files: readonly OldFile[];
  /** What the run folder and the workbenches took before, and take now. */
  readonly bytesBefore: number;
  readonly bytesAfter: number;
  /** Whether the stores' files gave the room of what was removed back: of several, the first that did not. */
  readonly compaction: Compaction;
  /** Files that could not be removed. */
  readonly failed: readonly string[];
}

/** A run folder and the open store in it; the oracle keeps one of its own below the run's. */
interface Books {
  readonly runDir: string;
  readonly store: SqliteSessionStore | undefined;
}

interface Findings {
  readonly removable: readonly {
    readonly store: SqliteSessionStore;
    readonly sessions: readonly OldSession[];
  }[];
  readonly searches: readonly FileSearch[];
}

/** Bytes of everything flower keeps for a folder. */
function bytesKept({ workspace, runDir }: CleanRequest): number {
  const { runs, workbench } = keptBytes(workspace, runDir);
  return runs + workbench;
}

async function look(request: CleanRequest, all: readonly Books[]): Promise<Findings> {
  const { since, live } = request;
  const mentioned = new Set<string>();
  const removable: { store: SqliteSessionStore; sessions: readonly OldSession[] }[] = [];
  const searches: FileSearch[] = [];
  // What is left among the system's temporary files belongs to no store: it is looked for once, with the keys of all.
  const keys = [...new Set(all.flatMap(({ store }) => store?.projects() ?? []))];
  for (const { runDir, store } of all) {
    const pointed = pointedSessions(runDir, since, live);
    if (store !== undefined) {
      const { old, kept } = await sortSessions(store, pointed, since);
      removable.push({ store, sessions: old });
      for (const name of mentionedSpills(store, kept)) mentioned.add(name);
    }
    const isMain = runDir === request.runDir;
    const [benches, projectKeys] = isMain
      ? [[...benchesOf(request.workspace), join(runDir, "workbench")], keys]
      : [[], []];
    searches.push({ runDir, benches, projectKeys, since, pointed, mentioned });
  }
  return { removable, searches };
}

async function removeSessions({ removable }: Findings): Promise<Compaction> {
  const results: Compaction[] = [];
  for (const { store, sessions } of removable) {
    for (const { projectKey, sessionId } of sessions) await store.delete({ projectKey, sessionId });
    // Also where none was removed now: a cleaning that was killed before this left room to give back.
    results.push(store.compact());
  }
  const failed = results.find((result) => result === "in_use" || result === "no_room");
  return failed ?? results.find((result) => result === "done") ?? "nothing_free";
}

/**
 * Clean a run folder, or with `dryRun` only look.
 * @throws StoreError for a store or books that cannot be read; what was removed before stays removed.
 */
export async function cleanFolder(request: CleanRequest): Promise<CleanReport> {
  const { runDir, dryRun } = request;
  const folders = [runDir, join(runDir, "aside")].filter((folder) => existsSync(folder));
  const bytesBefore = bytesKept(request);
  const all: readonly Books[] = folders.map((folder) => ({
    runDir: folder,
    store: openStore(join(folder, "sessions.db")),
  }));
  let compaction: Compaction = "nothing_free";
  const failed: string[] = [];
  let found: Pick<CleanReport, "sessions" | "files">;
  try {
    const findings = await look(request, all);
    const files = findings.searches.flatMap((search) => [...oldFiles(search)]);
    found = { sessions: findings.removable.flatMap(({ sessions }) => sessions), files };
    if (!dryRun) {
      compaction = await removeSessions(findings);
      failed.push(...files.map(({ path }) => path).filter((path) => !removeFile(path)));
      for (const search of findings.searches) tidyFolders(search);
    }
  } finally {
    for (const { store } of all) store?.close();
  }
  return { ...found, bytesBefore, bytesAfter: bytesKept(request), compaction, failed };
}
