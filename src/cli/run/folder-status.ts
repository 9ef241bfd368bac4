// What a folder holds of flower's, read from its files alone.

import { existsSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { listQuestions, type PendingQuestion } from "../../people/question-drop.ts";
import { createGit } from "../../runtime/git.ts";
import { listWorktrees, type Worktree } from "../../runtime/isolation.ts";
import { isLeaseAlive, type LeaseRecord, readLease } from "../../runtime/lease.ts";
import { readManifest } from "../../runtime/manifest.ts";
import type { ManifestRow } from "../../runtime/step-result.ts";
import { lookAtVerdict, type Standing } from "../../workflow/lapse/standing.ts";
import { type WakeState, wakeState } from "../../workflow/wake-state.ts";

/** One run, summed up from its rows. */
export interface RunSummary {
  readonly run: string;
  readonly steps: readonly string[];
  /** Whether its last row is ok. */
  readonly ok: boolean;
  /** Of its last row; empty when that is ok. */
  readonly error: string;
  readonly costUsd: number;
}

/** Everything `status` says. */
export interface FolderStatus {
  readonly workspace: string;
  readonly runDir: string;
  readonly manifest: string;
  readonly wake: WakeState;
  /** What became of the last verdict since; undefined where there is none. */
  readonly standing: Standing | undefined;
  /** The run that is at work here now. */
  readonly live: LeaseRecord | undefined;
  /** Oldest first. */
  readonly runs: readonly RunSummary[];
  readonly costUsd: number;
  readonly questions: readonly PendingQuestion[];
  readonly worktrees: readonly Worktree[];
  /** Why the manifest could not be read. */
  readonly damaged: string | undefined;
}

function sum(rows: readonly ManifestRow[]): number {
  return rows.reduce((total, row) => total + (Number.isFinite(row.cost_usd) ? row.cost_usd : 0), 0);
}

/** Rows grouped by run, in the order the runs appear. */
export function summariseRuns(rows: readonly ManifestRow[]): readonly RunSummary[] {
  const groups = new Map<string, ManifestRow[]>();
  for (const row of rows) groups.set(row.run, [...(groups.get(row.run) ?? []), row]);
  return [...groups].map(([run, own]) => {
    const last = own.at(-1);
    return {
      run,
      steps: own.map((row) => row.step),
      ok: last?.ok === true,
      error: typeof last?.error === "string" ? last.error : "",
      costUsd: sum(own),
    };
  });
}

/** The wake state of an isolated run lies beside the repository: where only that one wakes, it is meant. */
function wakeOf(workspace: string, runDir: string): WakeState {
  const plain = wakeState(workspace, { runDir });
  if (plain.briefReady) return plain;
  const isolated = wakeState(workspace, { runDir, isolate: true });
  return isolated.briefReady ? isolated : plain;
}

async function worktreesOf(
  workspace: string,
  env: Readonly<Record<string, string>>,
): Promise<readonly Worktree[]> {
  if (statSync(workspace, { throwIfNoEntry: false })?.isDirectory() !== true) return [];
  // Asking git costs a process: only where there could be something to list.
  let folder = workspace;
  while (!existsSync(join(folder, ".git"))) {
    if (dirname(folder) === folder) return [];
    folder = dirname(folder);
  }
  return await listWorktrees(createGit(workspace, env), (path) => createGit(path, env));
}

/** Read a folder's status. Writes not one byte. */
export async function readFolderStatus(input: {
  readonly workspace: string;
  readonly runDir: string;
  readonly env: Readonly<Record<string, string>>;
}): Promise<FolderStatus> {
  const { workspace } = input;
  const runDir = resolve(workspace, input.runDir);
  const manifest = join(runDir, "manifest.json");
  const { rows, damaged } = readManifest(manifest);
  const wake = wakeOf(workspace, input.runDir);
  const lease = readLease(join(runDir, "active.json"));
  return {
    workspace,
    runDir,
    manifest,
    wake,
    standing: wake.verdict === undefined ? undefined : await lookAtVerdict(wake.verdict, input.env),
    live: lease !== undefined && isLeaseAlive(lease) ? lease : undefined,
    runs: summariseRuns(rows),
    costUsd: sum(rows),
    questions: listQuestions(join(runDir, "asks")),
    worktrees: await worktreesOf(workspace, input.env),
    damaged,
  };
}
