// Which files of the workspace a run has changed, whoever in it did, and however: by their times alone.

import type { Dirent } from "node:fs";
import { lstat, readdir } from "node:fs/promises";
import { join, relative, sep } from "node:path";
import { isInside } from "../../core/paths.ts";
import { createGit } from "../../runtime/git.ts";

/** Files looked at; in a larger tree the rest is not known of. */
const MAX_FILES = 20_000;
/** Never work, whatever its times say. */
const NO_WORK = [".git", "node_modules"];
/** Files looked at together. */
const AT_ONCE = 64;

/** Where to look, and since when. */
export interface ChangedInput {
  readonly workspace: string;
  /** Absolute paths of folders that are no work: flower's own. */
  readonly exclude: readonly string[];
  /** Epoch milliseconds. */
  readonly sinceMs: number;
  readonly env: Readonly<Record<string, string>>;
}

/** What git lists: tracked files and new ones, ignored ones left out. Undefined where there is no repository. */
async function listedByGit({ workspace, env }: ChangedInput): Promise<string[] | undefined> {
  const { ok, out } = await createGit(workspace, env).ask("ls-files", "-z", "-co", "--exclude-standard");
  return ok ? out.split("\0").filter((name) => name !== "") : undefined;
}

/** What lies in the workspace, of a large one not all. */
async function walk(input: ChangedInput, folder = input.workspace, found: string[] = []): Promise<string[]> {
  let entries: Dirent[];
  try {
    entries = await readdir(folder, { withFileTypes: true });
  } catch {
    return found;
  }
  for (const entry of entries) {
    if (found.length >= MAX_FILES) break;
    const path = join(folder, entry.name);
    if (entry.isFile()) found.push(relative(input.workspace, path));
    else if (entry.isDirectory() && !NO_WORK.includes(entry.name) && !input.exclude.includes(path))
      await walk(input, path, found);
  }
  return found;
}

/** Names of the files that are new or have new content, by name; deleted ones are not known of. Never throws. */
export async function changedFiles(input: ChangedInput): Promise<readonly string[]> {
  const { workspace, exclude, sinceMs } = input;
  const isOwn = (name: string) =>
    NO_WORK.includes(name.split(sep)[0] ?? "") || exclude.some((own) => isInside(join(workspace, name), own));
  const all = (await listedByGit(input)) ?? (await walk(input));
  const names = [...new Set(all)].filter((name) => !isOwn(name)).slice(0, MAX_FILES);
  const changed: string[] = [];
  for (let i = 0; i < names.length; i += AT_ONCE) {
    await Promise.all(
      names.slice(i, i + AT_ONCE).map(async (name) => {
        const stat = await lstat(join(workspace, name)).catch(() => undefined);
        if (stat !== undefined && !stat.isDirectory() && stat.mtimeMs >= sinceMs) changed.push(name);
      }),
    );
  }
  return changed.sort();
}
