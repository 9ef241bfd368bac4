// What a folder holds, as one hash: two rounds that leave the same hash changed nothing. With git its own list of
// files counts, else everything up to a bound; beyond it nothing can be said.

import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { lstat, readdir, readlink } from "node:fs/promises";
import { join, relative, resolve } from "node:path";
import { inEnglish, reasonOf, wordsOf } from "../config/locale/words.ts";
import { errorText, FlowerError } from "../core/errors.ts";
import { sha256 } from "../core/ids.ts";
import { isInside } from "../core/paths.ts";
import type { Words, WordValue } from "../core/words.ts";
import type { Git } from "../runtime/git.ts";

/** Files looked at without git. */
const MAX_FILES = 10_000;
/** Bytes read for one fingerprint. */
const MAX_BYTES = 1024 ** 3;
/** Files hashed at a time: the disk is the limit, not the processor. */
const AT_ONCE = 8;
/** Repositories inside repositories are followed so deep. */
const MAX_DEPTH = 3;

/** A folder's fingerprint, or why there is none. */
export type Fingerprint =
  | { readonly kind: "seen"; readonly hash: string }
  | { readonly kind: "blind"; readonly why: string; readonly words?: WordValue };

/** What is looked at. */
export interface FingerprintInput {
  readonly folder: string;
  /** Folders that are no work: flower's own. Absolute paths. */
  readonly exclude: readonly string[];
  readonly gitAt: (folder: string) => Git;
  readonly signal?: AbortSignal | undefined;
  /** Files looked at where git does not list them. @defaultValue 10,000: a minute of walking on a slow disk */
  readonly maxFiles?: number;
}

/** One look at a folder, with what is left of its bounds. */
interface Look extends FingerprintInput {
  readonly maxFiles: number;
  readonly left: { bytes: number };
}

/** Ends the looking; only its reason is told. */
function blind(why: Words): FlowerError {
  return new FlowerError(inEnglish(why), {
    code: "fingerprint_blind",
    hint: "rounds are then only bounded by their number",
    values: { why },
  });
}

function isExcluded(look: Look, path: string): boolean {
  return look.exclude.some((folder) => isInside(path, folder));
}

/** The name git gives this content, so that a file counts the same before and after it is committed. */
async function blobOf(path: string, size: number): Promise<string> {
  const hash = createHash("sha1").update(`blob ${size}\0`);
  for await (const part of createReadStream(path, { end: Math.max(0, size - 1) })) hash.update(part);
  return hash.digest("hex");
}

function linkOf(target: string): string {
  const bytes = Buffer.from(target);
  return createHash("sha1").update(`blob ${bytes.length}\0`).update(bytes).digest("hex");
}

async function contentOf(look: Look, path: string): Promise<string> {
  if (look.signal?.aborted) throw blind(wordsOf("error.stopped_on_request"));
  const found = await lstat(path).catch(() => undefined);
  if (found === undefined) return "gone";
  if (found.isSymbolicLink()) return linkOf(await readlink(path).catch(() => ""));
  // A pipe or a socket would be waited for; its content is no work.
  if (!found.isFile()) return "other";
  look.left.bytes -= found.size;
  if (look.left.bytes < 0) throw blind(wordsOf("blind.bytes"));
  return found.size === 0 ? linkOf("") : blobOf(path, found.size).catch(() => "unreadable");
}

async function hashAll(look: Look, paths: readonly string[]): Promise<Map<string, string>> {
  const hashes = new Map<string, string>();
  const waiting = [...paths];
  const take = async () => {
    for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
      hashes.set(path, await contentOf(look, path));
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, take));
  return hashes;
}

function namesIn(out: string): string[] {
  return out.split("\0").filter((name) => name !== "");
}

interface IndexEntry {
  readonly name: string;
  readonly hash: string;
  /** A submodule: a repository of its own, of which the index only knows a commit. */
  readonly isRepository: boolean;
}

/** `<mode> <hash> <stage>\t<path>`, as git lists its index. */
function parseIndex(out: string): IndexEntry[] {
  return namesIn(out).map((line) => {
    const tab = line.indexOf("\t");
    const [mode = "", hash = ""] = line.slice(0, tab).split(" ");
    return { name: line.slice(tab + 1), hash, isRepository: mode === "160000" };
  });
}

/** Files of a work tree with their content's hash; undefined where git has nothing to say. */
async function gitFiles(look: Look, folder: string, depth: number): Promise<Map<string, string> | undefined> {
  const git = look.gitAt(folder);
  const [index, changed, untracked] = await Promise.all([
    git.ask("ls-files", "-s", "-z"),
    git.ask("ls-files", "-m", "-d", "-z"),
    git.ask("ls-files", "-o", "--exclude-standard", "-z"),
  ]);
  if (!index.ok || !changed.ok || !untracked.ok) return undefined;
  const entries = parseIndex(index.out);
  const others = namesIn(untracked.out);
  const inside = [
    ...entries.filter((entry) => entry.isRepository).map((entry) => entry.name),
    ...others.filter((name) => name.endsWith("/")),
  ].map((name) => resolve(folder, name));
  const toRead = [...namesIn(changed.out), ...others.filter((name) => !name.endsWith("/"))]
    .map((name) => join(folder, name))
    .filter((path) => !isExcluded(look, path));
  const files = new Map(entries.map(({ name, hash }) => [join(folder, name), hash]));
  for (const [path, hash] of await hashAll(look, toRead)) files.set(path, hash);
  for (const path of depth < MAX_DEPTH ? inside : []) {
    const inner = isExcluded(look, path) ? undefined : await gitFiles(look, path, depth + 1);
    for (const [name, hash] of inner ?? []) files.set(name, hash);
  }
  return files;
}

async function walkedFiles(look: Look): Promise<Map<string, string>> {
  const paths: string[] = [];
  const folders = [look.folder];
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    if (look.signal?.aborted) throw blind(wordsOf("error.stopped_on_request"));
    for (const entry of await readdir(folder, { withFileTypes: true }).catch(() => [])) {
      const path = join(folder, entry.name);
      if (entry.name === ".git" || isExcluded(look, path)) continue;
      if (entry.isDirectory()) folders.push(path);
      else paths.push(path);
      if (paths.length > look.maxFiles) throw blind(wordsOf("blind.files", { count: look.maxFiles }));
    }
  }
  return hashAll(look, paths);
}

async function filesOf(look: Look): Promise<Map<string, string>> {
  const listed = await gitFiles(look, look.folder, 0);
  // A folder that is ignored as a whole has an empty list, whatever happens in it.
  return listed === undefined || listed.size === 0 ? walkedFiles(look) : listed;
}

/**
 * The files git tracks in a folder, by their path against it, with their content's hash. Whether a change was added
 * to the index makes no difference. Never throws.
 * @returns undefined where nothing can be said: without git, and with too much to read.
 */
export async function trackedFiles(
  input: FingerprintInput,
): Promise<ReadonlyMap<string, string> | undefined> {
  const look: Look = { ...input, maxFiles: MAX_FILES, left: { bytes: MAX_BYTES } };
  const git = look.gitAt(look.folder);
  try {
    const index = await git.ask("ls-files", "-s", "-z");
    const changed = await git.ask("ls-files", "-m", "-d", "-z");
    if (!index.ok || !changed.ok) return undefined;
    const files = new Map(parseIndex(index.out).map(({ name, hash }) => [name, hash]));
    const paths = [...new Set(namesIn(changed.out))].map((name) => join(look.folder, name));
    for (const [path, hash] of await hashAll(look, paths)) files.set(relative(look.folder, path), hash);
    return files;
  } catch {
    return undefined;
  }
}

/** Take the fingerprint of a folder's files: paths and content, nothing else. Never throws. */
export async function takeFingerprint(input: FingerprintInput): Promise<Fingerprint> {
  const look: Look = { ...input, maxFiles: input.maxFiles ?? MAX_FILES, left: { bytes: MAX_BYTES } };
  try {
    const lines = [...(await filesOf(look))]
      .filter(([path, hash]) => hash !== "gone" && !isExcluded(look, path))
      .map(([path, hash]) => `${relative(input.folder, path)}\0${hash}`);
    return { kind: "seen", hash: sha256(lines.sort().join("\n")) };
  } catch (error) {
    return { kind: "blind", why: errorText(error), words: reasonOf(error) };
  }
}
