// The working trees of a repository as git lists them. Reads only.

import { existsSync } from "node:fs";
import { type GitWork, zeroEnded } from "./git-work.ts";

/** One working tree of a repository. */
export interface Tree {
  readonly path: string;
  /** Commit it stands on. */
  readonly head: string;
  /** Without `refs/heads/`; undefined when its HEAD is detached. */
  readonly branch: string | undefined;
  /** Why it is locked, empty when no reason was given; undefined when it is not. */
  readonly lock: string | undefined;
  /** Registered, but its folder is gone. */
  readonly isMissing: boolean;
}

function toTree(lines: readonly string[]): Tree | undefined {
  const field = (key: string) => {
    const line = lines.find((each) => each === key || each.startsWith(`${key} `));
    return line?.slice(key.length + 1);
  };
  const path = field("worktree");
  if (path === undefined || lines.includes("bare")) return undefined;
  return {
    path,
    head: field("HEAD") ?? "",
    branch: field("branch")?.replace(/^refs\/heads\//, ""),
    lock: field("locked"),
    isMissing: !existsSync(path),
  };
}

/** All working trees, the main one first; none outside a repository. */
export async function readTrees(git: GitWork): Promise<readonly Tree[]> {
  const listed = await git.run(["worktree", "list", "--porcelain", "-z"]);
  // Older git has no -z here; only a path with a newline in it is then read wrongly.
  const text = listed.ok ? listed.out : (await git.run(["worktree", "list", "--porcelain"])).out;
  const separator = listed.ok ? "\0" : "\n";
  return text
    .split(separator + separator)
    .map((part) => toTree(listed.ok ? zeroEnded(part) : part.split("\n")))
    .filter((tree) => tree !== undefined);
}
