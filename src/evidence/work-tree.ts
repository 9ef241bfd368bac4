// Which files are the work, and what they hold as one hash: the same for progress, evidence and verdicts that lapse.
// flower's own files are never among them, so that nothing flower writes makes a tree another one.

import { join } from "node:path";
import { isInside } from "../core/paths.ts";
import { createGit } from "../runtime/git.ts";
import { findWorktrees } from "../runtime/isolation.ts";
import { type Fingerprint, takeFingerprint } from "./fingerprint.ts";

/** The files that are the work. Plain data: it can be written down and looked at again by a later process. */
export interface WorkTree {
  /** Absolute path of the folder the work is looked at in. */
  readonly folder: string;
  /** Absolute path of the workspace: its isolated worktrees belong to the work. */
  readonly workspace: string;
  /** Absolute paths of folders that are no work: flower's own. */
  readonly exclude: readonly string[];
  /** Whether workers work in worktrees of their own. */
  readonly isIsolated: boolean;
}

/** Where a run works. */
export interface WorkPlace {
  readonly workspace: string;
  readonly runDir: string;
  /** Root of its workbench, when it has one. */
  readonly workbench?: string | undefined;
  /** @defaultValue the workspace */
  readonly folder?: string | undefined;
  /** @defaultValue false */
  readonly isIsolated?: boolean | undefined;
}

/** The work of a run, without what flower itself keeps beside it. */
export function workTreeOf(place: WorkPlace): WorkTree {
  const { workspace, runDir, workbench, folder = workspace, isIsolated = false } = place;
  const own = [
    ...[workspace, folder].map((root) => join(root, ".flower")),
    join(workspace, ".claude", "worktrees"),
    runDir,
    ...(workbench === undefined ? [] : [workbench]),
  ];
  // The work may itself be looked at in a worktree below those folders.
  const exclude = [...new Set(own)].filter((path) => !isInside(folder, path));
  return { folder, workspace, exclude, isIsolated };
}

/**
 * What the folder and the isolated worktrees hold. A worktree counts by its content, not by its name, and one that
 * holds what the folder holds counts for nothing: each dispatch gets a fresh one. Never throws, and writes nothing.
 * @param env - gives git its PATH and HOME.
 */
export async function fingerprintWork(
  tree: WorkTree,
  env: Readonly<Record<string, string | undefined>>,
  signal?: AbortSignal,
): Promise<Fingerprint> {
  const gitAt = (folder: string) => createGit(folder, env);
  const look = (folder: string, exclude: readonly string[]) =>
    takeFingerprint({ folder, exclude, gitAt, signal });
  const main = await look(tree.folder, tree.exclude);
  if (!tree.isIsolated || main.kind === "blind") return main;
  const others = new Set<string>();
  for (const { path } of await findWorktrees(gitAt(tree.workspace))) {
    const found = await look(path, [join(path, ".flower")]);
    if (found.kind === "blind") return found;
    if (found.hash !== main.hash) others.add(found.hash);
  }
  return { kind: "seen", hash: [main.hash, ...[...others].sort()].join(" ") };
}
