// The isolation mark of a worker: a real field, so that copying a definition cannot lose it.

import type { WorkerDefinition } from "./worker-definition.ts";

/**
 * A copy of `worker` that gets a git worktree of its own at every dispatch, or with `flag` false no longer does.
 * @param flag - false takes it back
 * @example
 * ```ts
 * import { isolated, wantsIsolation, worker } from "flower-agent";
 *
 * const coder = isolated(worker("Writes code.", ""));
 * console.log(wantsIsolation(coder)); // true
 * ```
 */
export function isolated(worker: WorkerDefinition, flag = true): WorkerDefinition {
  return Object.freeze({ ...worker, isolate: flag });
}

/**
 * Whether dispatches of this worker are isolated; false for an unknown worker.
 * @example
 * ```ts
 * import { wantsIsolation, worker } from "flower-agent";
 *
 * console.log(wantsIsolation(worker("Writes code.", ""))); // false
 * ```
 */
export function wantsIsolation(worker: WorkerDefinition | undefined): boolean {
  return worker?.isolate === true;
}
