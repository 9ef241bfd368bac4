// What a working tree holds beyond its last commit, and where it stands. Reads only.

import { existsSync, realpathSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { readText } from "../../core/json.ts";
import { type GitWork, zeroEnded } from "./git-work.ts";

/** A working tree. */
export interface TreeState {
  /** Commit it stands on; undefined on a branch without one. */
  readonly head: string | undefined;
  /** Undefined when HEAD is detached. */
  readonly branch: string | undefined;
  /** Tracked paths that differ from it. */
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

/** Fields before the path in a line of `git status --porcelain=v2`, by how it begins. */
const FIELDS: Readonly<Record<string, number>> = { "1": 8, u: 10, "?": 1, "!": 1 };

function pathOf(line: string): string {
  let at = 0;
  for (let n = FIELDS[line[0] ?? ""] ?? 0; n > 0; n -= 1) at = line.indexOf(" ", at) + 1;
  return line.slice(at);
}

/** Read `git status --porcelain=v2 --branch -z --no-renames`. */
export function parseState(out: string): TreeState {
  const lines = zeroEnded(out);
  const header = (name: string) =>
    lines.find((line) => line.startsWith(`# branch.${name} `))?.slice(`# branch.${name} `.length);
  const of = (kinds: string) =>
    lines
      .filter((line) => kinds.includes(line[0] ?? "#"))
      .map(pathOf)
      .sort();
  const fresh = of("?").filter((path) => !CACHES.test(path));
  const [head, branch] = [header("oid"), header("head")];
  return {
    head: head === "(initial)" ? undefined : head,
    branch: branch === "(detached)" ? undefined : branch,
    changed: of("1u"),
    untracked: fresh.filter((path) => !path.endsWith("/")),
    nested: fresh.filter((path) => path.endsWith("/")),
    unmerged: of("u"),
  };
}

/** The state of the tree git is bound to; undefined when git has nothing to say there. */
export async function readState(git: GitWork): Promise<TreeState | undefined> {
  const status = ["status", "--porcelain=v2", "--branch", "-z", "--no-renames", "--untracked-files=all"];
  const done = await git.run([...status, "--no-ahead-behind", "--ignore-submodules=none"]);
  return done.ok ? parseState(done.out) : undefined;
}

/** Whether a state holds anything that is not committed. */
export function isDirty(state: TreeState): boolean {
  return state.changed.length + state.untracked.length + state.nested.length > 0;
}

/**
 * Where git keeps what it knows of a worktree; undefined when it is none of its repository's: its `.git` is gone, or
 * leads to the person's checkout or to another worktree. Asks no git: that would look for one further up.
 */
export function gitFolderOf(folder: string): string | undefined {
  try {
    const dotGit = join(folder, ".git");
    if (!statSync(dotGit).isFile()) return undefined;
    const named = /^gitdir: (.+)$/m.exec(readText(dotGit) ?? "")?.[1];
    if (named === undefined) return undefined;
    const own = resolve(folder, named.trim());
    // Only a linked worktree has this file, and it names the one tree it belongs to.
    const back = readText(join(own, "gitdir"))?.trim();
    if (back === undefined) return undefined;
    return realpathSync(dirname(resolve(own, back))) === realpathSync(folder) ? own : undefined;
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

/** Whether a merge in a tree waits for its commit. */
export function isMerging(gitFolder: string): boolean {
  return existsSync(join(gitFolder, "MERGE_HEAD"));
}

/** Whether a tree holds nothing but its commit, ignored files counted too, but for caches and `known` ones. */
export async function isBare(git: GitWork, known: readonly string[]): Promise<boolean> {
  const done = await git.run([
    ...["status", "--porcelain=v1", "-z", "--untracked-files=all", "--ignored=matching"],
  ]);
  const paths = zeroEnded(done.out).map((entry) => entry.slice(3));
  return done.ok && paths.every((path) => CACHES.test(path) || known.includes(path));
}
