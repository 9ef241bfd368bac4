// One live run a folder: active.json says who holds it. Two runs would resume the same work session and tangle it.

import { rmSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { wordsOf } from "../config/locale/words.ts";
import { epochS } from "../core/clock.ts";
import { LeaseError } from "../core/errors.ts";
import { isRecord, readJson, writeAtomic } from "../core/json.ts";
import { withLock } from "../core/lock.ts";
import { isAlive, selfMark } from "../core/processes.ts";

/** How often the holder says it is alive. */
const HEARTBEAT_MS = 5_000;
/** A holder on another host that has been silent this long is taken for dead: twelve heartbeats. */
const SILENT_S = 60;

/** What active.json says. */
export interface LeaseRecord {
  readonly host: string;
  readonly pid: number;
  /** Start time of that process in its kernel's unit. */
  readonly start: string;
  /** Run id. */
  readonly run: string;
  /** Step in progress; empty before the first. */
  readonly step: string;
  /** Epoch seconds of the last sign of life. */
  readonly heartbeat: number;
}

/** A lease that is held. */
export interface Lease {
  /** Name the step in progress. */
  setStep(step: string): void;
  release(): void;
}

/** Where a run folder says who holds it. */
export function leasePath(runDir: string): string {
  return join(runDir, "active.json");
}

/** Who holds the folder according to the file; undefined when it is absent or unreadable. */
export function readLease(path: string): LeaseRecord | undefined {
  const read = readJson(path);
  if (read.kind !== "value" || !isRecord(read.value)) return undefined;
  const { host, pid, start, run, step, heartbeat } = read.value;
  if (typeof host !== "string" || typeof pid !== "number" || typeof heartbeat !== "number") return undefined;
  const text = (value: unknown) => (typeof value === "string" ? value : "");
  return { host, pid, start: text(start), run: text(run), step: text(step), heartbeat };
}

/** Whether the holder still lives: on this host by its process, elsewhere by its heartbeat. */
export function isLeaseAlive(lease: LeaseRecord): boolean {
  if (lease.host === hostname()) return isAlive({ pid: lease.pid, start: lease.start });
  return epochS() - lease.heartbeat < SILENT_S;
}

function refusal(holder: LeaseRecord): LeaseError {
  const where = holder.host === hostname() ? "" : ` on ${holder.host}`;
  const step = holder.step === "" ? "" : `, in step "${holder.step}"`;
  return new LeaseError(
    `another flower is at work here: run ${holder.run}, process ${holder.pid}${where}${step}`,
    {
      code: "lease_held",
      values: { holder: wordsOf("said.lease.at", { run: holder.run, pid: holder.pid, host: holder.host }) },
      hint: "wait for it, talk to it with `flower say`, or run beside it without continuity with --parallel",
    },
  );
}

/**
 * Check that no other process works in the folder, without taking it.
 * @throws LeaseError `lease_held`, naming the holder.
 */
export function requireNoLease(path: string): void {
  const holder = readLease(path);
  const isOwn = holder?.host === hostname() && holder.pid === process.pid;
  if (holder !== undefined && !isOwn && isLeaseAlive(holder)) throw refusal(holder);
}

/**
 * Take the folder for this process; a dead holder is taken over.
 * @throws LeaseError `lease_held`, naming the holder. DiskError when the file cannot be written.
 */
export function takeLease(path: string, run: string): Lease {
  let step = "";
  const write = () => {
    const record: LeaseRecord = { host: hostname(), ...selfMark(), run, step, heartbeat: epochS() };
    writeAtomic(path, `${JSON.stringify(record)}\n`);
  };
  withLock(path, () => {
    const holder = readLease(path);
    if (holder !== undefined && isLeaseAlive(holder)) throw refusal(holder);
    write();
  });
  const isMine = () => readLease(path)?.run === run;
  const beat = () => {
    try {
      if (isMine()) write();
    } catch {
      // A heartbeat that cannot be written (full disk) must not end the run it speaks for.
    }
  };
  const timer = setInterval(beat, HEARTBEAT_MS);
  timer.unref();
  return {
    setStep(name) {
      step = name;
      beat();
    },
    release() {
      clearInterval(timer);
      try {
        if (isMine()) rmSync(path, { force: true });
      } catch {
        // A disk that is read-only now must not spoil a run that is over: the lease of the dead holds nobody up.
      }
    },
  };
}
