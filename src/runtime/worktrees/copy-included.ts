// `.worktreeinclude`: ignored files that a fresh worktree gets a copy of, as the harness gives them to its own.

import { lstatSync } from "node:fs";
import { copyFile, mkdir } from "node:fs/promises";
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

function plainOf(top: string, paths: readonly string[]): readonly string[] {
  const plain: string[] = [];
  for (const path of paths) {
    if (plain.length === MAX_FILES) break;
    if (isPlain(top, path)) plain.push(path);
  }
  return plain;
}

/** Copy a file to where nothing is yet. @returns whether it is there: one that cannot be read the worker does without. */
async function copyFresh(from: string, to: string): Promise<boolean> {
  if (lstatSync(to, { throwIfNoEntry: false }) !== undefined) return false;
  try {
    await mkdir(dirname(to), { recursive: true });
    await copyFile(from, to);
    return true;
  } catch {
    return false;
  }
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
  const copied: string[] = [];
  for (const path of plainOf(top, zeroEnded(ignored.out))) {
    if (await copyFresh(join(top, path), join(worktree, path))) copied.push(path);
  }
  return copied;
}
