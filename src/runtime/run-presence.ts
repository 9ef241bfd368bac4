// Which runs left their events in a folder, and which of them are still at work. A run says so itself in the first and
// last line of its events; the lease speaks for the run that holds the folder. Reads only.

import { closeSync, fstatSync, openSync, readdirSync, readSync, statSync } from "node:fs";
import { hostname } from "node:os";
import { epochS } from "../core/clock.ts";
import { isRecord } from "../core/json.ts";
import { isAlive, type ProcessMark } from "../core/processes.ts";
import { eventLogPaths, RUN_NOTICE } from "./event-log.ts";
import { isLeaseAlive, leasePath, readLease } from "./lease.ts";

/** Enough for a line about the run itself. */
const EDGE_BYTES = 4_096;
/** A process on another host cannot be looked at: its run counts as at work while it wrote within this. */
const SILENT_ELSEWHERE_S = 3_600;

/** A process that carries out a run. */
export interface RunOwner extends ProcessMark {
  readonly host: string;
  readonly run: string;
  /** Epoch seconds of its first event in the file that was read. */
  readonly at: number;
}

/** Ids of the runs that left events, oldest first: ids begin with the time. */
export function runsWithEvents(runDir: string): readonly string[] {
  let names: string[];
  try {
    names = readdirSync(runDir);
  } catch {
    return [];
  }
  const runs = names.map((name) => /^events-(.+?)(?:\.older)?\.jsonl$/.exec(name)?.[1]);
  return [...new Set(runs.filter((run) => run !== undefined))].sort();
}

/** The first and the last whole line of a file, each only if it is short. */
function edgeLines(path: string): { readonly first: string; readonly last: string } | undefined {
  let file: number;
  try {
    file = openSync(path, "r");
  } catch {
    return undefined;
  }
  try {
    const { size } = fstatSync(file);
    const read = (at: number) => {
      const bytes = Buffer.alloc(EDGE_BYTES);
      return bytes.subarray(0, readSync(file, bytes, 0, EDGE_BYTES, at)).toString("utf8");
    };
    const head = read(0).split("\n");
    const tail = read(Math.max(0, size - EDGE_BYTES)).split("\n");
    return { first: head.length > 1 ? (head[0] ?? "") : "", last: tail.at(-2) ?? "" };
  } finally {
    closeSync(file);
  }
}

/** What a line says about the run itself; undefined for an event. */
export function readRunLine(line: string): (RunOwner & { readonly state: string }) | undefined {
  // Most lines are events, and long: they are told apart before they are parsed.
  if (!line.includes(`"notice":"${RUN_NOTICE}"`)) return undefined;
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return undefined;
  }
  if (!isRecord(value) || !isRecord(value.payload) || value.payload.notice !== RUN_NOTICE) return undefined;
  const { state, run, host, pid, start } = value.payload;
  if (typeof run !== "string" || typeof host !== "string" || typeof pid !== "number") return undefined;
  const text = (field: unknown) => (typeof field === "string" ? field : "");
  return {
    ...{ run, host, pid, start: text(start), state: text(state) },
    at: typeof value.at === "number" ? value.at : 0,
  };
}

function ownerLives(owner: RunOwner, path: string): boolean {
  if (owner.host === hostname()) return isAlive(owner);
  const written = statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  return epochS() - written / 1000 < SILENT_ELSEWHERE_S;
}

/** Who carries out this run now; undefined when it is over, or when nothing tells. */
export function findRunOwner(runDir: string, run: string): RunOwner | undefined {
  const holder = findHolder(runDir);
  return holder?.run === run ? holder : findWriter(runDir, run);
}

/** Who holds the folder now. */
function findHolder(runDir: string): RunOwner | undefined {
  const lease = readLease(leasePath(runDir));
  if (lease === undefined || !isLeaseAlive(lease)) return undefined;
  const { run, host, pid, start, heartbeat } = lease;
  return { run, host, pid, start, at: heartbeat };
}

/** Who carries out a run, by its events. */
function findWriter(runDir: string, run: string): RunOwner | undefined {
  const { path } = eventLogPaths(runDir, run);
  const edges = edgeLines(path);
  if (edges === undefined) return undefined;
  const owner = readRunLine(edges.first);
  if (owner === undefined || readRunLine(edges.last)?.state === "ended") return undefined;
  return ownerLives(owner, path) ? owner : undefined;
}

/** Ids of the runs that are at work in a folder now, beside which nothing of theirs may be removed; oldest first. */
export function liveRuns(runDir: string): readonly string[] {
  const holder = findHolder(runDir)?.run;
  const others = runsWithEvents(runDir).filter((run) => run !== holder);
  const live = others.filter((run) => findWriter(runDir, run) !== undefined);
  return [...live, ...(holder === undefined ? [] : [holder])].sort();
}
