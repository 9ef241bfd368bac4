// `flower run` finds a person's workflow: a file or a package, an export, a function that makes it.

import { existsSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { createJiti } from "jiti";
import { errorText, FlowerError, WorkflowError } from "../../core/errors.ts";
import { nearestName } from "../../core/options.ts";
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

function refuse(message: string, code: string, hint: string, cause?: unknown): WorkflowError {
  return new WorkflowError(message, { code, hint, ...(cause === undefined ? {} : { cause }) });
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
  const what = existsSync(path) ? "is not a file" : "does not exist";
  throw refuse(
    `the workflow file ${path} ${what}`,
    "workflow_not_found",
    "name a file, as in path/file.ts:name",
  );
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
    throw refuse(
      `${target.module} cannot be loaded: ${errorText(error).split("\n", 1)[0]}`,
      "workflow_load_failed",
      target.kind === "package"
        ? "install it in the folder you start flower in"
        : "correct the file; -v shows more",
      error,
    );
  }
}

function exportOf(module: Readonly<Record<string, unknown>>, target: WorkflowTarget): unknown {
  const { name } = target;
  if (name in module) return module[name];
  const names = Object.keys(module).filter((key) => key !== "module.exports");
  const near = nearestName(name, names);
  const known = names.length === 0 ? "it exports nothing" : `it exports ${names.join(", ")}`;
  throw refuse(
    `${target.module} has no export "${name}"`,
    "workflow_no_export",
    near === undefined ? known : `did you mean "${near}"? ${known}`,
  );
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
    throw refuse(
      `${target.module}:${target.name} threw: ${errorText(error).split("\n", 1)[0]}`,
      "workflow_threw",
      "correct the function that makes the workflow; -v shows more",
      error,
    );
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
  throw refuse(
    `${target.module}:${target.name} is ${what}, not a Workflow`,
    "not_a_workflow",
    'export new Workflow([…]) from "flower-agent", or a function that returns one',
  );
}
