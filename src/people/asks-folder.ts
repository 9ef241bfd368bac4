// The layout of `asks/`, shared by the run that asks and by other processes that look and answer:
//   <id>.json               a question that waits
//   runs/<tag>/run.json     the run that hears this folder, and which process it is
//   runs/<tag>/<name>.json  a message for that run; <name>.receipt says what became of it

import { readdirSync, rmSync, statSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { isRecord, readJson } from "../core/json.ts";
import { isAlive, type ProcessMark, selfMark } from "../core/processes.ts";

/** A folder nobody owns is either being made or waits for its last receipt to be read; both take seconds. */
const OWNERLESS_AFTER_MS = 60_000;

/** Name of the file that says whose folder it is; never a message. */
export const OWNER_FILE = "run.json";

/** Who hears a folder: a process on one host, and its run. */
export interface Owner extends ProcessMark {
  readonly host: string;
  /** Run id, or empty. */
  readonly run: string;
}

/** This process as an owner. */
export function selfOwner(run: string): Owner {
  return { ...selfMark(), host: hostname(), run };
}

/** Whether the owner still lives. One on another host is taken to live: from here nobody can tell. */
export function ownerLives(owner: Owner): boolean {
  return owner.host !== hostname() || isAlive(owner);
}

/** An owner written by any process, or undefined when the value is none. */
export function readOwner(value: unknown): Owner | undefined {
  if (!isRecord(value)) return undefined;
  const { pid, start, host, run } = value;
  if (typeof pid !== "number" || !Number.isInteger(pid) || pid <= 0) return undefined;
  if (typeof start !== "string" || typeof host !== "string") return undefined;
  return { pid, start, host, run: typeof run === "string" ? run : "" };
}

/** The tag at the end of a question's id; undefined for what cannot be an id, path separators included. */
export function tagOf(id: string): string | undefined {
  return /^q\d{1,9}-([0-9a-z]{4})$/.exec(id)?.[1];
}

/** File of a waiting question. */
export function questionPath(dir: string, id: string): string {
  return join(dir, `${id}.json`);
}

/** Folder of the run with this tag. */
export function runPath(dir: string, tag: string): string {
  return join(dir, "runs", tag);
}

/** Names in a folder; none when it is absent. */
export function namesIn(dir: string): readonly string[] {
  try {
    return readdirSync(dir).sort();
  } catch {
    return [];
  }
}

/** Who hears the folder of a tag; undefined when nobody ever did, or its mark is unreadable. */
function ownerOf(dir: string, tag: string): Owner | undefined {
  const read = readJson(join(runPath(dir, tag), OWNER_FILE));
  return read.kind === "value" ? readOwner(read.value) : undefined;
}

/** Tags of the runs that live and listen. */
export function liveTags(dir: string): readonly string[] {
  return namesIn(join(dir, "runs")).filter((tag) => {
    const owner = ownerOf(dir, tag);
    return owner !== undefined && ownerLives(owner);
  });
}

/** Remove everything a run left in the folder. */
export function removeRun(dir: string, tag: string): void {
  for (const name of namesIn(dir)) {
    if (tagOf(name.replace(/\.json$/, "")) === tag) rmSync(join(dir, name), { force: true });
  }
  rmSync(runPath(dir, tag), { recursive: true, force: true });
}

function isOld(path: string): boolean {
  const stat = statSync(path, { throwIfNoEntry: false });
  return stat !== undefined && Date.now() - stat.mtimeMs > OWNERLESS_AFTER_MS;
}

/** Remove what dead runs left behind; what belongs to the living, or is nobody's, stays. */
export function removeDeadRuns(dir: string): void {
  for (const tag of namesIn(join(dir, "runs"))) {
    const owner = ownerOf(dir, tag);
    if (owner === undefined ? isOld(runPath(dir, tag)) : !ownerLives(owner)) removeRun(dir, tag);
  }
  for (const question of namesIn(dir)) {
    const read = question.endsWith(".json") ? readJson(join(dir, question)) : undefined;
    const owner = read?.kind === "value" ? readOwner(read.value) : undefined;
    if (owner !== undefined && !ownerLives(owner)) rmSync(join(dir, question), { force: true });
  }
}
