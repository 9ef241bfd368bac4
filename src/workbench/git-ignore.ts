// Keeping what flower writes out of a user's `git status` without touching a file of theirs: a `.gitignore` of
// flower's own inside its folders, or, where the user already has one there, the repository's local exclude list.
//
// Folders are named one by one instead of a bare `*`: the harness's search honours these files, and with `*` it finds
// nothing in a folder it was explicitly told to search.

import { appendFileSync, existsSync, mkdirSync, readdirSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { DiskError, errorText } from "../core/errors.ts";
import { readText, writeAtomic } from "../core/json.ts";
import { relativeKey } from "../core/paths.ts";

const MARK = "# Written by flower: keeps its own files out of git status.";

/** What flower creates in a run folder; everything else there is the user's. */
export const RUN_DIR_NAMES: readonly string[] = [
  "/sessions.db*",
  "/manifest.json*",
  "/lineage.json*",
  "/integration.json*",
  "/costs.json*",
  "/limit.json*",
  "/finished.json*",
  "/active.json*",
  "/events-*.jsonl*",
  "/asks/",
  "/frozen/",
  "/verdicts/",
  "/aside/",
  "/archive/",
  "/workbench/",
  "/harness/",
];

/** What flower creates in a workbench that was the user's folder before. */
const WORKBENCH_NAMES: readonly string[] = [
  "/INDEX.md*",
  "/scripts/",
  "/artifacts/",
  "/notes/",
  "/spill/",
  "/tmp/",
];

/** Everything in the folder, without hiding the folders' insides from a search that names them. */
const ALL_NAMES: readonly string[] = ["/*"];

interface Repository {
  /** Top of the working tree. */
  readonly top: string;
  readonly exclude: string;
}

/** The folder that holds a repository's shared data; differs from `.git` in a linked worktree and a submodule. */
function commonDir(dotGit: string): string | undefined {
  if (statSync(dotGit).isDirectory()) return dotGit;
  const pointer = /^gitdir: (.+)$/m.exec(readText(dotGit) ?? "")?.[1];
  if (pointer === undefined) return undefined;
  const own = resolve(dirname(dotGit), pointer.trim());
  const common = readText(join(own, "commondir"));
  return common === undefined ? own : resolve(own, common.trim());
}

function repositoryOf(dir: string): Repository | undefined {
  for (let at = resolve(dir); ; at = dirname(at)) {
    const dotGit = join(at, ".git");
    if (existsSync(dotGit)) {
      const common = commonDir(dotGit);
      return common === undefined ? undefined : { top: at, exclude: join(common, "info", "exclude") };
    }
    if (dirname(at) === at) return undefined;
  }
}

/** Run `work` on a file, its folder made first; whatever fails is told as one typed error. */
function writing(path: string, work: () => void): void {
  try {
    mkdirSync(dirname(path), { recursive: true });
    work();
  } catch (error) {
    throw new DiskError(`cannot write ${path}: ${errorText(error)}`, {
      code: "write_failed",
      values: { path, reason: errorText(error) },
      hint: "check that the file is writable and the disk has free space",
      cause: error,
    });
  }
}

function appendLines(path: string, lines: readonly string[]): void {
  writing(path, () => {
    const text = readText(path) ?? "";
    const known = new Set(text.split(/\r?\n/));
    const missing = lines.filter((line) => !known.has(line));
    if (missing.length === 0) return;
    const gap = text === "" || text.endsWith("\n") ? "" : "\n";
    appendFileSync(path, `${gap}${missing.join("\n")}\n`);
  });
}

/** A folder as the start of a pattern, with what is special in patterns taken literally. */
function anchored(top: string, dir: string): string {
  const path = relativeKey(top, resolve(dir));
  return path === "" ? "" : `/${path.replace(/[\\*?[\]]/g, "\\$&")}`;
}

/** Hide `names` in `dir`, where the user keeps a `.gitignore` of their own or not. */
function hide(dir: string, names: readonly string[]): void {
  const path = join(dir, ".gitignore");
  const text = readText(path);
  if (text === undefined) {
    writing(path, () => writeAtomic(path, `${[MARK, "/.gitignore", ...names].join("\n")}\n`));
  } else if (text.startsWith(MARK)) {
    // "/*" covers all there will ever be.
    if (!text.split("\n").includes("/*")) appendLines(path, names);
  } else {
    const repository = repositoryOf(dir);
    if (repository === undefined) return;
    const prefix = anchored(repository.top, dir);
    appendLines(
      repository.exclude,
      names.map((name) => prefix + name),
    );
  }
}

/**
 * Make a workbench folder, if need be, and hide it: all of it when flower made it, else only what flower adds.
 * @throws DiskError `write_failed`.
 */
export function ignoreWorkbench(root: string): void {
  hide(root, isEmpty(root) ? ALL_NAMES : WORKBENCH_NAMES);
}

function isEmpty(dir: string): boolean {
  try {
    return readdirSync(dir).length === 0;
  } catch {
    return true;
  }
}

/**
 * Make a run folder, if need be, and hide flower's own files in it; a user's own stay visible.
 * @throws DiskError `write_failed`.
 */
export function ignoreRunDir(runDir: string): void {
  hide(runDir, RUN_DIR_NAMES);
}

/**
 * Hide the isolated worktrees the harness makes in `.claude/worktrees/`, of the workspace and of its repository.
 * Nothing happens outside a repository.
 * @throws DiskError `write_failed`.
 */
export function ignoreWorktrees(workspace: string): void {
  const repository = repositoryOf(workspace);
  if (repository === undefined) return;
  for (const base of new Set([repository.top, resolve(workspace)])) {
    hide(join(base, ".claude", "worktrees"), ALL_NAMES);
  }
}
