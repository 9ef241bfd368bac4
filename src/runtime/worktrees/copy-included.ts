// `.worktreeinclude`: ignored files that a fresh worktree gets a copy of, as the harness gives them to its own.

import { copyFileSync, lstatSync, mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { readText } from "../../core/json.ts";
import { type GitWork, zeroEnded } from "./git-work.ts";

/** Name of the list, at the top of the checkout; patterns as in `.gitignore`. */
const LIST = ".worktreeinclude";
/** Files copied; a list that means more is one of folders that should be made anew. */
const MAX_FILES = 1_000;

/** A file of its own, below folders that are no links: a copy must not reach anything outside. */
function isPlain(top: string, path: string): boolean {
  const parts = path.split("/");
  const at = (count: number) => lstatSync(join(top, ...parts.slice(0, count)), { throwIfNoEntry: false });
  const folders = parts.slice(1).every((_part, i) => at(i + 1)?.isDirectory() === true);
  return folders && at(parts.length)?.isFile() === true;
}

/** Copy what the checkout's list names and git ignores into a fresh worktree. @returns what was copied. */
export async function copyIncluded(git: GitWork, top: string, worktree: string): Promise<readonly string[]> {
  if (readText(join(top, LIST)) === undefined) return [];
  const named = await git.run([
    "-C",
    top,
    "ls-files",
    "-z",
    "--others",
    "--ignored",
    `--exclude-from=${LIST}`,
  ]);
  if (!named.ok || named.out === "") return [];
  const ignored = await git.run(["-C", top, "check-ignore", "-z", "--stdin"], named.out);
  const files = zeroEnded(ignored.out)
    .filter((path) => isPlain(top, path))
    .slice(0, MAX_FILES);
  return files.filter((path) => {
    const to = join(worktree, path);
    if (lstatSync(to, { throwIfNoEntry: false }) !== undefined) return false;
    try {
      mkdirSync(dirname(to), { recursive: true });
      copyFileSync(join(top, path), to);
      return true;
    } catch {
      // A file that cannot be read is one the worker does without.
      return false;
    }
  });
}
