// Where a path really leads, link by link, and whether that is inside a folder.

import { type BigIntStats, readlinkSync, statSync } from "node:fs";
import { dirname, isAbsolute, join, parse, relative, resolve, sep } from "node:path";

/** Links followed before a path counts as a loop; the limit Linux itself uses. */
const MAX_LINKS = 40;

function linkTarget(path: string): string | undefined {
  try {
    return readlinkSync(path);
  } catch {
    // Not a link, or not there yet: either way the name stands for itself.
    return undefined;
  }
}

function partsOf(path: string): string[] {
  return path.split(sep).filter((part) => part !== "" && part !== ".");
}

/**
 * The absolute path with every link in it followed, as the kernel would: `..` after a link leaves the link's target.
 * The end need not exist; a link that points to nothing yet still counts. Undefined for a loop of links.
 */
export function physicalPath(path: string): string | undefined {
  let resolved = parse(path).root;
  const pending = partsOf(path.slice(resolved.length)).reverse();
  let links = 0;
  for (let part = pending.pop(); part !== undefined; part = pending.pop()) {
    if (part === "..") {
      resolved = dirname(resolved);
      continue;
    }
    const next = join(resolved, part);
    const target = linkTarget(next);
    if (target === undefined) {
      resolved = next;
      continue;
    }
    links += 1;
    if (links > MAX_LINKS) return undefined;
    if (isAbsolute(target)) resolved = parse(target).root;
    pending.push(...partsOf(target).reverse());
  }
  return resolved;
}

/** Whether `path` is `folder` or below it, by whole segments. */
export function isInside(path: string, folder: string): boolean {
  const way = relative(folder, path);
  return way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

function identity(path: string): BigIntStats | undefined {
  try {
    return statSync(path, { bigint: true });
  } catch {
    return undefined;
  }
}

/** Whether two names are the same place, or the same file. */
export function isSameFile(a: string, b: string): boolean {
  return physicalPath(resolve(a)) === physicalPath(resolve(b)) || isSameEntry(a, b);
}

/** Whether two names lead to one file that is there: a hard link, or another case where case does not count. */
export function isSameEntry(a: string, b: string): boolean {
  const one = identity(a);
  const other = identity(b);
  return one !== undefined && other !== undefined && one.dev === other.dev && one.ino === other.ino;
}
