// The folders of a run, checked before anything is spent: the workspace, the run dir, the workbench.

import { mkdirSync, realpathSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join, resolve, sep } from "node:path";
import { inEnglish, wordsOf } from "../config/locale/words.ts";
import { DiskError, errorText } from "../core/errors.ts";
import type { Words } from "../core/words.ts";
import { Workbench } from "../workbench/workbench.ts";

/** Name of the workbench folder; a workspace inside one would nest a run in another run's papers. */
const WORKBENCH_NAME = ".flower";

function refuse(code: string, what: Words, next: Words, cause?: unknown): DiskError {
  const init = { code, hint: inEnglish(next), values: { what, next } };
  return new DiskError(inEnglish(what), cause === undefined ? init : { ...init, cause });
}

function makeFolder(path: string, what: "workspace" | "run"): void {
  try {
    mkdirSync(path, { recursive: true });
  } catch (error) {
    const words = wordsOf(`said.folder.${what}`, { path, reason: errorText(error) });
    throw refuse("folder_unusable", words, wordsOf("said.folder.next"), error);
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
    throw refuse(
      "workspace_is_file",
      wordsOf("said.folder.is_file", { path: wanted }),
      wordsOf("said.folder.is_file_next"),
    );
  }
  makeFolder(wanted, "workspace");
  const real = realpathSync(wanted);
  if (real.split(sep).includes(WORKBENCH_NAME)) {
    const words = wordsOf("said.folder.nested", { path: real, name: WORKBENCH_NAME });
    throw refuse("workspace_nested", words, wordsOf("said.folder.nested_next"));
  }
  return real;
}

/**
 * The run dir, resolved against the workspace; created, and proved writable by writing.
 * @throws DiskError `folder_unusable`.
 */
export function openRunDir(workspace: string, runDir: string): string {
  const path = resolve(workspace, runDir);
  makeFolder(path, "run");
  const trial = join(path, `.writable-${process.pid}`);
  try {
    writeFileSync(trial, "x");
    rmSync(trial);
  } catch (error) {
    rmSync(trial, { force: true });
    const words = wordsOf("said.folder.run_unwritable", { path, reason: errorText(error) });
    throw refuse("folder_unusable", words, wordsOf("said.folder.run_next"), error);
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
