// Where things are and what is already there: the single definition, read-only, writing not one byte.

import { existsSync, realpathSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { rejectUnknownKeys } from "../core/options.ts";
import { Brief } from "../documents/brief.ts";
import { Goal } from "../documents/goal.ts";
import { type LastVerdict, readLastVerdict } from "./lapse/verdict-files.ts";
import { readLineage } from "./lineage.ts";
import { standingDocument } from "./original-folder.ts";

/** Options of {@link wakeState}. */
export interface WakeStateOptions {
  /** Resolved against the workspace. @defaultValue "runs" */
  readonly runDir?: string | undefined;
  /** Whether workers are isolated: the workbench is then outside the repository. @defaultValue false */
  readonly isolate?: boolean | undefined;
  /** Name of the brief in `notes/`. @defaultValue "brief.md" */
  readonly briefName?: string | undefined;
  /** Name of the goal in `notes/`. @defaultValue "goal.md" */
  readonly goalName?: string | undefined;
}

/** What a run in this folder would find. */
export interface WakeState {
  /** True when there is something to go on with: a complete brief, or a session of an earlier run. */
  readonly waking: boolean;
  /** Path of the brief, there or not. */
  readonly brief: string;
  /** True when it is complete. */
  readonly briefReady: boolean;
  /** Path of the goal, there or not. */
  readonly goal: string;
  /** Number of checks; 0 without a complete goal. */
  readonly checks: number;
  /** How often the folder was woken. */
  readonly woke: number;
  /** Step -> session, a copy. */
  readonly steps: Readonly<Record<string, string>>;
  /** The last verdict that is written down; whether the work has changed since is not looked at here. */
  readonly verdict: LastVerdict | undefined;
}

/** The steps of the starter that lead to its verdict. */
const STARTER_STEPS = ["clarify", "goal", "work"];

/** The workspace as the runtime will know it: its real path once it exists. */
function workspacePath(workspace: string): string {
  const path = resolve(workspace);
  return existsSync(path) ? realpathSync(path) : path;
}

/** Root of the starter's workbench: `<ws>/.flower`, or beside the repository for isolated workers. */
export function workbenchRoot(workspace: string, isolate: boolean): string {
  const path = workspacePath(workspace);
  return isolate ? join(dirname(path), `.flower-${basename(path)}`) : join(path, ".flower");
}

/** What a run would find, but for the verdict: that one costs the books and many files. */
export type FolderState = Omit<WakeState, "verdict">;

function placesOf(workspace: string, options: WakeStateOptions) {
  const path = workspacePath(workspace);
  const notes = join(workbenchRoot(workspace, options.isolate ?? false), "notes");
  return { workspace: path, notes, runDir: resolve(path, options.runDir ?? "runs") };
}

/** Look at a folder before a run, without its verdict. */
export function folderState(workspace: string, options: WakeStateOptions): FolderState {
  const { workspace: path, notes, runDir } = placesOf(workspace, options);
  const brief = join(notes, options.briefName ?? "brief.md");
  const goal = join(notes, options.goalName ?? "goal.md");
  const lineage = readLineage(runDir, path);
  const briefReady = Brief.load(standingDocument(brief))?.complete() === true;
  const loaded = Goal.load(standingDocument(goal));
  return {
    waking: briefReady || lineage.steps.size > 0,
    brief,
    briefReady,
    goal,
    checks: loaded?.complete() === true ? loaded.checks.length : 0,
    woke: lineage.woke,
    steps: Object.assign(Object.create(null), Object.fromEntries(lineage.steps)),
  };
}

/** The last verdict of the starter that is written down. */
export function starterVerdict(workspace: string, options: WakeStateOptions): LastVerdict | undefined {
  return readLastVerdict({ ...placesOf(workspace, options), steps: STARTER_STEPS });
}

/**
 * Look at a folder before a run: is this a wake, and what is there?
 * @param workspace - the folder
 * @example
 * ```ts
 * import { wakeState } from "flower-agent";
 *
 * const { waking, checks, verdict } = wakeState(".");
 * console.log(waking ? `goes on: ${checks} checks, last verdict ${verdict?.state ?? "none"}` : "begins");
 * ```
 */
export function wakeState(workspace = ".", options: WakeStateOptions = {}): WakeState {
  rejectUnknownKeys(options, ["runDir", "isolate", "briefName", "goalName"], "wakeState");
  return { ...folderState(workspace, options), verdict: starterVerdict(workspace, options) };
}
