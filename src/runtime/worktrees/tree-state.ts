// What a working tree holds beyond its last commit. Reads only.

import { existsSync, realpathSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { readText } from "../../core/json.ts";
import { type GitWork, zeroEnded } from "./git-work.ts";

/** Beyond its last commit. */
export interface TreeState {
  /** Tracked paths that differ. */
  readonly changed: readonly string[];
  /** Files that are neither tracked nor ignored nor plainly a cache. */
  readonly untracked: readonly string[];
  /** Repositories inside it that are no submodules; each ends with a slash. */
  readonly nested: readonly string[];
  /** Paths of a merge that nobody has resolved yet. */
  readonly unmerged: readonly string[];
}

/** Folders that tools fill by themselves; where nothing ignores them they are still no work. */
const CACHES =
  /(?:^|\/)(?:node_modules|__pycache__|\.pytest_cache|\.mypy_cache|\.ruff_cache|\.venv|\.DS_Store)(?:\/|$)/;

const UNMERGED = ["DD", "AU", "UD", "UA", "DU", "AA", "UU"];

/** Read the state of a tree from `git status --porcelain=v1 -z --no-renames --untracked-files=all`. */
export function parseState(out: string): TreeState {
  const entries = zeroEnded(out).map((entry) => ({ mark: entry.slice(0, 2), path: entry.slice(3) }));
  const fresh = entries.filter(({ mark, path }) => mark === "??" && !CACHES.test(path));
  const tracked = entries.filter(({ mark }) => mark !== "??" && mark !== "!!");
  const pathsOf = (list: readonly { readonly path: string }[]) => list.map(({ path }) => path).sort();
  return {
    changed: pathsOf(tracked),
    untracked: pathsOf(fresh.filter(({ path }) => !path.endsWith("/"))),
    nested: pathsOf(fresh.filter(({ path }) => path.endsWith("/"))),
    unmerged: pathsOf(tracked.filter(({ mark }) => UNMERGED.includes(mark))),
  };
}

/** The state of the tree git is bound to; undefined when git has nothing to say there. */
export async function readState(git: GitWork): Promise<TreeState | undefined> {
  const status = ["status", "--porcelain=v1", "-z", "--no-renames", "--untracked-files=all"];
  const done = await git.run([...status, "--ignore-submodules=none"]);
  return done.ok ? parseState(done.out) : undefined;
}

/** Whether a state holds anything that is not committed. */
export function isDirty(state: TreeState): boolean {
  return state.changed.length + state.untracked.length + state.nested.length > 0;
}

/**
 * Where git keeps what it knows of this worktree; undefined when it is none of the repository's: its `.git` is gone, or
 * leads to the person's checkout or to another worktree.
 */
export async function gitFolderOf(git: GitWork): Promise<string | undefined> {
  const own = await git.line("rev-parse", "--absolute-git-dir");
  if (own === undefined) return undefined;
  // Only a linked worktree has this file, and it names the one tree it belongs to.
  const back = readText(join(own, "gitdir"))?.trim();
  if (back === undefined) return undefined;
  try {
    return realpathSync(dirname(resolve(own, back))) === realpathSync(git.folder) ? own : undefined;
  } catch {
    return undefined;
  }
}

const OPERATIONS = [
  ["rebase-merge", "a rebase"],
  ["rebase-apply", "a rebase"],
  ["CHERRY_PICK_HEAD", "a cherry-pick"],
  ["REVERT_HEAD", "a revert"],
  ["BISECT_LOG", "a bisect"],
] as const;

/** What stands half done in a tree besides a merge, in words; undefined for nothing. */
export function operationIn(gitFolder: string): string | undefined {
  return OPERATIONS.find(([name]) => existsSync(join(gitFolder, name)))?.[1];
}

/** Whether a tree holds nothing but its commit, ignored files counted too, but for caches and `known` ones. */
export async function isBare(git: GitWork, known: readonly string[]): Promise<boolean> {
  const done = await git.run([
    "status",
    "--porcelain=v1",
    "-z",
    "--untracked-files=all",
    "--ignored=matching",
  ]);
  const paths = zeroEnded(done.out).map((entry) => entry.slice(3));
  return done.ok && paths.every((path) => CACHES.test(path) || known.includes(path));
}
