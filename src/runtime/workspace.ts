// The folders of a run, checked before anything is spent: the workspace, the run dir, the workbench.

import { mkdirSync, realpathSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join, resolve, sep } from "node:path";
import { DiskError, errorText } from "../core/errors.ts";
import { Workbench } from "../workbench/workbench.ts";

/** Name of the workbench folder; a workspace inside one would nest a run in another run's papers. */
const WORKBENCH_NAME = ".flower";

function refuse(message: string, code: string, hint: string, cause?: unknown): DiskError {
  return new DiskError(message, { code, hint, ...(cause === undefined ? {} : { cause }) });
}

function makeFolder(path: string, what: string): void {
  try {
    mkdirSync(path, { recursive: true });
  } catch (error) {
    throw refuse(
      `the ${what} ${path} cannot be created: ${errorText(error)}`,
      "folder_unusable",
      "name a folder that can be created and written",
      error,
    );
  }
}

/**
 * The workspace as a real path; created when absent.
 * @throws DiskError `workspace_is_file`, `workspace_nested`, `folder_unusable`.
 */
export function openWorkspace(path: string): string {
  const wanted = resolve(path);
  const found = statSync(wanted, { throwIfNoEntry: false });
  if (found !== undefined && !found.isDirectory()) {
    throw refuse(`the workspace ${wanted} is a file`, "workspace_is_file", "name a folder with -w");
  }
  makeFolder(wanted, "workspace");
  const real = realpathSync(wanted);
  if (real.split(sep).includes(WORKBENCH_NAME)) {
    throw refuse(
      `the workspace ${real} lies inside another flower's ${WORKBENCH_NAME} folder`,
      "workspace_nested",
      "start flower in the project folder itself",
    );
  }
  return real;
}

/**
 * The run dir, resolved against the workspace; created, and proved writable by writing.
 * @throws DiskError `folder_unusable`.
 */
export function openRunDir(workspace: string, runDir: string): string {
  const path = resolve(workspace, runDir);
  makeFolder(path, "run folder");
  const trial = join(path, `.writable-${process.pid}`);
  try {
    writeFileSync(trial, "x");
    rmSync(trial);
  } catch (error) {
    rmSync(trial, { force: true });
    throw refuse(
      `the run folder ${path} cannot be written: ${errorText(error)}`,
      "folder_unusable",
      "free some space or make it writable, or name another one with -r",
      error,
    );
  }
  return path;
}

/**
 * The workbench a Runtime was given, or one of its own in the run folder; its folders are there afterwards.
 * @throws DiskError.
 */
export function openWorkbench(
  wanted: Workbench | boolean,
  place: { readonly workspace: string; readonly runDir: string },
): Workbench | undefined {
  if (wanted === false) return undefined;
  const { workspace, runDir } = place;
  const workbench = wanted === true ? new Workbench({ workspace, home: join(runDir, "workbench") }) : wanted;
  workbench.ensure();
  return workbench;
}
