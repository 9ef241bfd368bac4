// What a folder holds of flower's, read from its files alone.

import { existsSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { epochS } from "../../core/clock.ts";
import { runBegan } from "../../core/ids.ts";
import { listQuestions, type PendingQuestion } from "../../people/question-drop.ts";
import { createGit } from "../../runtime/git.ts";
import { listWorktrees, type Worktree } from "../../runtime/isolation.ts";
import { isLeaseAlive, type LeaseRecord, leasePath, readLease } from "../../runtime/lease.ts";
import { LimitMemory } from "../../runtime/limit-memory.ts";
import { manifestPath, readManifest } from "../../runtime/manifest.ts";
import { findRunOwner, liveRuns, type RunOwner } from "../../runtime/run-presence.ts";
import { lookAtVerdict, type Standing } from "../../workflow/lapse/standing.ts";
import { type WakeState, wakeState } from "../../workflow/wake-state.ts";
import { type KeptBytes, keptBytes } from "../clean/kept.ts";
import { asideCost } from "./aside-cost.ts";
import { costOf, type RunSummary, summariseRuns } from "./run-summary.ts";
import { type UnreadWords, unreadWords } from "./unread-words.ts";

/** The run that holds the folder. */
interface LiveRun extends LeaseRecord {
  /** Epoch seconds when it began, as far as its id tells. */
  readonly since: number | undefined;
}

/** Everything `status` says. */
export interface FolderStatus {
  readonly workspace: string;
  readonly runDir: string;
  readonly manifest: string;
  readonly wake: WakeState;
  /** What became of the last verdict since; undefined where there is none. */
  readonly standing: Standing | undefined;
  /** The run that holds the folder now. */
  readonly live: LiveRun | undefined;
  /** Runs at work beside it. */
  readonly beside: readonly RunOwner[];
  /** Epoch seconds until which a usage limit of the account lasts. */
  readonly limitUntil: number | undefined;
  /** Oldest first. */
  readonly runs: readonly RunSummary[];
  /** US dollars of all runs, questions aside included. */
  readonly costUsd: number;
  /** US dollars that questions put aside cost; they have books of their own. */
  readonly asideUsd: number;
  readonly questions: readonly PendingQuestion[];
  /** Said to a run that is at work, and not read by an agent yet. */
  readonly unread: readonly UnreadWords[];
  readonly worktrees: readonly Worktree[];
  readonly disk: KeptBytes;
  /** Why the manifest could not be read. */
  readonly damaged: string | undefined;
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
  const manifest = manifestPath(runDir);
  const { rows, damaged } = readManifest(manifest);
  const asideUsd = asideCost(runDir);
  const wake = wakeOf(workspace, input.runDir);
  const lease = readLease(leasePath(runDir));
  const holder = lease !== undefined && isLeaseAlive(lease) ? lease : undefined;
  const live = liveRuns(runDir);
  return {
    workspace,
    runDir,
    manifest,
    wake,
    standing: wake.verdict === undefined ? undefined : await lookAtVerdict(wake.verdict, input.env),
    live: holder === undefined ? undefined : { ...holder, since: runBegan(holder.run) },
    beside: live
      .filter((run) => run !== holder?.run)
      .map((run) => findRunOwner(runDir, run))
      .filter((owner) => owner !== undefined),
    limitUntil: new LimitMemory(runDir).until(epochS()),
    runs: summariseRuns(rows),
    costUsd: costOf(rows) + asideUsd,
    asideUsd,
    questions: listQuestions(join(runDir, "asks")),
    unread: (await Promise.all(live.map((run) => unreadWords(runDir, run)))).flat(),
    worktrees: await worktreesOf(workspace, input.env),
    disk: keptBytes(workspace, runDir),
    damaged,
  };
}
