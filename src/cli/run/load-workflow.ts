// `flower run` finds a person's workflow: a file or a package, an export, a function that makes it.

import { existsSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { createJiti } from "jiti";
import { inEnglish, wordsOf } from "../../config/locale/words.ts";
import { errorText, FlowerError, WorkflowError } from "../../core/errors.ts";
import { nearestName } from "../../core/options.ts";
import type { Words } from "../../core/words.ts";
import { Workflow } from "../../workflow/workflow.ts";

/** A target taken apart. */
export interface WorkflowTarget {
  readonly kind: "file" | "package";
  readonly module: string;
  /** Export; `default` when none was named. */
  readonly name: string;
}

/** Read `path/file.ts:name`, `package:name`, either without its name. */
export function parseTarget(target: string): WorkflowTarget {
  const [, module = target, name = ""] = /^(.+?):([\p{ID_Start}$_][\p{ID_Continue}$]*)?$/u.exec(target) ?? [];
  const isFile = /^[./~]|^[A-Za-z]:|\.[cm]?[jt]s$/.test(module);
  return { kind: isFile ? "file" : "package", module, name: name === "" ? "default" : name };
}

function refuse(code: string, what: Words, next: Words, cause?: unknown): WorkflowError {
  const init = { code, hint: inEnglish(next), values: { what, next } };
  return new WorkflowError(inEnglish(what), cause === undefined ? init : { ...init, cause });
}

/** This package, as a workflow file must see it: the very classes the command itself uses. */
function aliases(): Record<string, string> {
  const own = (path: string) => fileURLToPath(new URL(path, import.meta.url));
  return {
    "flower-agent/testing": own("../../testing/index.js"),
    "flower-agent": own("../../index.js"),
  };
}

function checkFile(path: string): void {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found?.isFile() === true) return;
  const what = wordsOf(existsSync(path) ? "said.workflow.not_a_file" : "said.workflow.absent", { path });
  throw refuse("workflow_not_found", what, wordsOf("said.workflow.file_next"));
}

async function importModule(target: WorkflowTarget, cwd: string): Promise<Readonly<Record<string, unknown>>> {
  const path = target.kind === "file" ? resolve(cwd, target.module) : target.module;
  if (target.kind === "file") checkFile(path);
  const jiti = createJiti(pathToFileURL(join(cwd, "flower-run.js")).href, {
    alias: aliases(),
    // Nothing of the person's is cached outside the folders of the run.
    fsCache: false,
    interopDefault: false,
  });
  try {
    return await jiti.import(path);
  } catch (error) {
    if (error instanceof FlowerError) throw error;
    const reason = errorText(error).split("\n", 1)[0] ?? "";
    const what = wordsOf("said.workflow.not_loaded", { module: target.module, reason });
    const next = target.kind === "package" ? "said.workflow.install_next" : "said.workflow.correct_next";
    throw refuse("workflow_load_failed", what, wordsOf(next), error);
  }
}

function exportOf(module: Readonly<Record<string, unknown>>, target: WorkflowTarget): unknown {
  const { name } = target;
  if (name in module) return module[name];
  const names = Object.keys(module).filter((key) => key !== "module.exports");
  const near = nearestName(name, names);
  const known =
    names.length === 0
      ? wordsOf("said.workflow.exports_nothing")
      : wordsOf("said.workflow.exports", { names: names.join(", ") });
  const what = wordsOf("said.workflow.no_export", { module: target.module, name });
  const next = near === undefined ? known : wordsOf("said.workflow.near", { name: near, known });
  throw refuse("workflow_no_export", what, next);
}

function isWorkflow(value: unknown): value is Workflow {
  return value instanceof Workflow;
}

async function made(value: unknown, input: unknown, target: WorkflowTarget): Promise<unknown> {
  if (typeof value !== "function") return value;
  try {
    return await value(input);
  } catch (error) {
    if (error instanceof FlowerError) throw error;
    const reason = errorText(error).split("\n", 1)[0] ?? "";
    const what = wordsOf("said.workflow.threw", { module: target.module, name: target.name, reason });
    throw refuse("workflow_threw", what, wordsOf("said.workflow.threw_next"), error);
  }
}

/**
 * Load a person's workflow; a function is called with `input` and may be async.
 * @throws WorkflowError `workflow_not_found`, `workflow_load_failed`, `workflow_no_export`, `workflow_threw`,
 * `not_a_workflow`, and what the workflow itself is refused with (`duplicate_step`, …).
 */
export async function loadWorkflow(text: string, input: unknown, cwd: string): Promise<Workflow> {
  const target = parseTarget(text);
  const module = await importModule(target, cwd);
  const value = await made(exportOf(module, target), input, target);
  if (isWorkflow(value)) return value;
  const what = value === null || value === undefined ? String(value) : `a ${typeof value}`;
  const { module: from, name } = target;
  const words = wordsOf("said.workflow.not_one", { module: from, name, what });
  throw refuse("not_a_workflow", words, wordsOf("said.workflow.not_one_next"));
}
