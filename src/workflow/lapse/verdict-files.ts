// Where verdicts are kept, and which was the last. A file counts only if the books know it: anybody can write a file.

import { readdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { fileSafe, sha256 } from "../../core/ids.ts";
import { isRecord, readText } from "../../core/json.ts";
import type { Fingerprint } from "../../evidence/fingerprint.ts";
import type { WorkTree } from "../../evidence/work-tree.ts";
import { manifestPath, readManifest } from "../../runtime/manifest.ts";
import type { ManifestRow } from "../../runtime/step-result.ts";
import { parseRecord, type VerdictRecord } from "./verdict-record.ts";

/** Newest files looked at; names sort by time. */
const MAX_FILES = 50;

/** The last verdict of a folder, with what can be said of it without looking at the work. */
export interface LastVerdict
  extends Pick<
    VerdictRecord,
    "state" | "judged" | "run" | "step" | "round" | "rounds" | "at" | "reason" | "failed"
  > {
  /** Its file. */
  readonly path: string;
  /** Folder with what flower saw; null where it ran no commands. */
  readonly evidence: string | null;
  /** The tree it holds for, and what that is made of: what it has to be compared with. */
  readonly tree: Fingerprint;
  readonly work: WorkTree;
  /** Documents it was ruled by that are not what they were, by their path relative to the workspace. */
  readonly changedDocuments: readonly string[];
  /** Whether agents have worked on after it. */
  readonly workedOn: boolean;
}

/** Where to look. */
export interface VerdictPlace {
  readonly workspace: string;
  readonly runDir: string;
  /** Notes of the workbench; the verdicts are in the run folder where there is none. */
  readonly notes?: string | undefined;
  /** Names of the steps that lead to a verdict: when one of them began after it, it is not the last word. */
  readonly steps: readonly string[];
}

/** Where the verdicts of a run's steps are kept. */
export function verdictFolder(runDir: string, notes: string | undefined): string {
  return join(notes ?? runDir, "verdicts");
}

/** Name of a verdict's file; names sort by the time their run began. */
export function verdictName(record: VerdictRecord): string {
  return `${record.run}-${fileSafe(record.step)}-round-${record.round}.md`;
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder).filter((name) => name.endsWith(".md"));
  } catch {
    return [];
  }
}

function isBooked(record: VerdictRecord, text: string, rows: readonly ManifestRow[]): boolean {
  const hash = sha256(text);
  return rows.some((row) => {
    const { verdict } = row;
    return (
      row.run === record.run && row.step === record.judge && isRecord(verdict) && verdict.sha256 === hash
    );
  });
}

/** Whether a step of these began after a moment, by the books. */
function beganAfter(at: number, names: readonly string[], rows: readonly ManifestRow[]): boolean {
  return rows.some((row) => {
    const name = row.step.replace(/[:#].*$/, "");
    return typeof row.started_at === "number" && row.started_at > at && names.includes(name);
  });
}

/**
 * The last verdict that the books of the folder confirm; undefined when there is none. Writes nothing, and does not look
 * at the work.
 */
export function readLastVerdict(place: VerdictPlace): LastVerdict | undefined {
  const { workspace, runDir, notes, steps } = place;
  const folder = verdictFolder(runDir, notes);
  const names = namesIn(folder).sort().slice(-MAX_FILES);
  if (names.length === 0) return undefined;
  const { rows } = readManifest(manifestPath(runDir));
  const found = names
    .map((name) => {
      const path = join(folder, name);
      const text = readText(path) ?? "";
      return { path, text, record: parseRecord(text) };
    })
    .flatMap(({ path, text, record }) =>
      record !== undefined && isBooked(record, text, rows) ? [{ path, record }] : [],
    )
    .sort((a, b) => a.record.at - b.record.at)
    .at(-1);
  if (found === undefined) return undefined;
  const { path, record } = found;
  const { documents, work, judge, evidence, ...said } = record;
  const changedDocuments = Object.entries(documents)
    .filter(([name, hash]) => sha256(readText(resolve(workspace, name)) ?? "") !== hash)
    .map(([name]) => name);
  return {
    ...said,
    path,
    evidence: evidence === null ? null : resolve(workspace, evidence),
    work: {
      folder: resolve(workspace, work.folder),
      workspace,
      exclude: work.exclude.map((name) => resolve(workspace, name)),
      isIsolated: work.isolated,
    },
    changedDocuments,
    workedOn: beganAfter(record.at, steps, rows),
  };
}
