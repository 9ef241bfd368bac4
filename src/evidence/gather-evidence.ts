// What flower itself sees of a round: it runs every command of the goal, in order, and files what came of them.

import { arch, platform, release } from "node:os";
import { join } from "node:path";
import type { Translator } from "../config/locale/translator.ts";
import type { Environment } from "../config/variables.ts";
import { epochS } from "../core/clock.ts";
import { parseCheck } from "../documents/parse-check.ts";
import { createGit } from "../runtime/git.ts";
import { commandEnvironment } from "./command-environment.ts";
import type { Evidence, EvidenceItem } from "./evidence.ts";
import { openRound, type RoundFolder } from "./evidence-files.ts";
import { findProgram } from "./find-program.ts";
import { trackedFiles } from "./fingerprint.ts";
import { EVIDENCE_LIMITS, type EvidenceLimits } from "./limits.ts";
import { type CheckedItem, runChecks } from "./run-checks.ts";
import type { Launcher } from "./run-command.ts";
import { sandboxed } from "./sandbox.ts";
import { startWatcher } from "./watcher.ts";
import { fingerprintWork, type WorkTree } from "./work-tree.ts";

/** What evidence is gathered of. */
export interface EvidenceInput {
  /** The checks of the goal, in its order; commands come from nowhere else. */
  readonly checks: readonly string[];
  readonly round: number;
  /** Folder of the run's evidence; `round-<n>` is made in it, over one that is there. */
  readonly folder: string;
  /** The work: the commands run in its folder. */
  readonly tree: WorkTree;
  /** Flower's own environment; the commands get a few names of it. */
  readonly env: Environment;
  /** Says why an outcome is what it is. */
  readonly say: Translator;
  /** @defaultValue 120 s a command, 10 min in all, a second run below 60 s */
  readonly limits?: Partial<EvidenceLimits> | undefined;
  /** Run the commands without network, where they can write in the work's folder only. @defaultValue false */
  readonly isSandboxed?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Told before each command starts, second runs included. It must not throw. */
  readonly onCommand?: ((number: number, command: string) => void) | undefined;
}

function shellFor(path: string | undefined): Launcher {
  const bash = findProgram("bash", path);
  if (bash !== undefined) return { program: bash, args: ["--noprofile", "--norc", "-c"] };
  return { program: findProgram("sh", path) ?? "/bin/sh", args: ["-c"] };
}

/** What commands are started with. */
interface Start {
  readonly env: Readonly<Record<string, string>>;
  readonly shell: Launcher;
  /** The shell, or the sandbox that starts it. */
  readonly launcher: Launcher;
}

function startIn(folder: string, env: Environment, isSandboxed: boolean): Start {
  const plainEnv = commandEnvironment(env, folder);
  const shell = shellFor(plainEnv.PATH);
  if (!isSandboxed) return { env: plainEnv, shell, launcher: shell };
  const inner = { ...plainEnv, TMPDIR: "/tmp" };
  return { env: inner, shell, launcher: sandboxed(shell, folder, inner) };
}

/**
 * Find out before any work whether commands can run in a sandbox.
 * @throws IsolationError `sandbox_unavailable`.
 */
export function requireSandbox(folder: string, env: Environment): void {
  startIn(folder, env, true);
}

function changedIn(
  before: ReadonlyMap<string, string> | undefined,
  after: ReadonlyMap<string, string> | undefined,
): readonly string[] {
  // A look that failed tells of no change: a command may have taken away the repository itself.
  if (before === undefined || after === undefined) return [];
  return [...before]
    .filter(([name, hash]) => after.get(name) !== hash)
    .map(([name]) => name)
    .sort();
}

function settledItem({ file, secondFile, ...item }: CheckedItem, round: RoundFolder): EvidenceItem {
  return {
    ...item,
    path: file === undefined ? undefined : join(round.path, file),
    ...(secondFile === undefined ? {} : { secondPath: join(round.path, secondFile) }),
  };
}

async function gather(input: EvidenceInput, round: RoundFolder): Promise<Evidence> {
  const { tree, env, signal, isSandboxed = false } = input;
  const where = tree.folder;
  const git = { folder: where, exclude: tree.exclude, gitAt: (at: string) => createGit(at, env), signal };
  const start = startIn(where, env, isSandboxed);
  const look = () => Promise.all([fingerprintWork(tree, env, signal), trackedFiles(git)]);
  const [before, trackedBefore] = await look();
  const watcher = startWatcher();
  let items: readonly CheckedItem[];
  try {
    items = await runChecks(
      {
        ...{ folder: where, env: start.env, launcher: start.launcher, say: input.say, signal },
        ...{ limits: { ...EVIDENCE_LIMITS, ...input.limits }, pathOf: round.pathOf },
        ...{ onCommand: input.onCommand, onGroup: watcher.watch },
      },
      input.checks.map(parseCheck),
    );
  } finally {
    watcher.close();
  }
  const [after, trackedAfter] = await look();
  return {
    round: input.round,
    folder: round.path,
    where,
    items: items.map((item) => settledItem(item, round)),
    before,
    after,
    changed: changedIn(trackedBefore, trackedAfter),
    host: { platform: platform(), arch: arch(), release: release(), shell: start.shell.program },
    isSandboxed,
  };
}

/**
 * Run every command of a goal and file what came of it: the whole output of each, `evidence.json` and `evidence.md` in
 * `<folder>/round-<n>`. What commands do is in the result, whatever it is.
 * @throws IsolationError `sandbox_unavailable`; DiskError `write_failed`; the signal's reason when it aborts, once nothing
 * runs any more.
 */
export async function gatherEvidence(input: EvidenceInput): Promise<Evidence> {
  const startedAtS = epochS();
  const round = openRound(input.folder, input.round);
  try {
    const evidence = await gather(input, round);
    input.signal?.throwIfAborted();
    round.settle(evidence, startedAtS);
    return evidence;
  } finally {
    round.discard();
  }
}
