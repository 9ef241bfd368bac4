// Reads git's own files to tell which working tree a folder belongs to. Starts no process.

import { statSync } from "node:fs";
import { dirname, join, relative, resolve, sep } from "node:path";
import { readText } from "../core/json.ts";
import { isInside, physicalPath } from "./physical-path.ts";

/** A working tree: its folder, its own git folder, and the one all trees of the repository share. */
interface WorkingTree {
  readonly top: string;
  readonly gitDir: string;
  readonly commonDir: string;
}

/** Where the harness puts the worktrees it makes, below the folder it works in. */
const WORKTREES = join(".claude", "worktrees");

function readTree(top: string): WorkingTree | undefined {
  const dotGit = join(top, ".git");
  const stat = statSync(dotGit, { throwIfNoEntry: false });
  if (stat === undefined) return undefined;
  if (stat.isDirectory()) return { top, gitDir: dotGit, commonDir: dotGit };
  const named = /^gitdir: (.+)$/m.exec(readText(dotGit) ?? "")?.[1];
  if (named === undefined) return undefined;
  const gitDir = resolve(top, named.trim());
  const common = readText(join(gitDir, "commondir"))?.trim();
  return { top, gitDir, commonDir: common ? resolve(gitDir, common) : gitDir };
}

/** The working tree `folder` lies in, or undefined outside any repository. */
function workingTree(folder: string): WorkingTree | undefined {
  for (let at = physicalPath(folder); at !== undefined; at = at === dirname(at) ? undefined : dirname(at)) {
    const tree = readTree(at);
    if (tree !== undefined) return tree;
  }
  return undefined;
}

/** Whether the repository knows this tree too: a `.git` file alone can be written by anybody. */
function isRegistered(tree: WorkingTree): boolean {
  const back = readText(join(tree.gitDir, "gitdir"))?.trim();
  return back !== undefined && physicalPath(resolve(tree.gitDir, back)) === join(tree.top, ".git");
}

/** Folder of the repository that `workspace` lies in, or the workspace itself. */
export function repositoryTop(workspace: string): string {
  return workingTree(workspace)?.top ?? physicalPath(workspace) ?? workspace;
}

/** The folder below `<base>/.claude/worktrees/` that `folder` lies in. */
function harnessWorktree(folder: string, base: string): string | undefined {
  const worktrees = join(base, WORKTREES);
  if (folder === worktrees || !isInside(folder, worktrees)) return undefined;
  return join(worktrees, relative(worktrees, folder).split(sep)[0] ?? "");
}

/**
 * The separate worktree of `workspace`'s repository that `cwd` lies in, or undefined when `cwd` is in the workspace's
 * own tree or somewhere unrelated.
 */
export function worktreeOf(cwd: string, workspace: string): string | undefined {
  const place = physicalPath(cwd);
  if (place === undefined) return undefined;
  const own = workingTree(workspace);
  const there = workingTree(place);
  if (own !== undefined && there !== undefined && there.top !== own.top) {
    const same = physicalPath(there.commonDir) === physicalPath(own.commonDir);
    if (same && there.gitDir !== there.commonDir && isRegistered(there)) return there.top;
  }
  return harnessWorktree(place, physicalPath(workspace) ?? workspace);
}

/** Why a worktree cannot be made for `workspace`, or undefined when nothing is in the way. */
export function worktreeObstacle(workspace: string): string | undefined {
  const top = repositoryTop(workspace);
  if (`${top}${sep}`.includes(`${sep}${WORKTREES}${sep}`)) {
    return `this session already runs inside a worktree (${top}), where isolation cannot be relied on`;
  }
  const worktrees = physicalPath(join(top, WORKTREES));
  if (worktrees === undefined || !isInside(worktrees, top)) {
    return `${join(top, WORKTREES)} leads outside the repository, so files would be created there`;
  }
  return undefined;
}
