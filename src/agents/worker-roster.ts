// What a set of workers must look like before a session may have it: names nobody else answers to, tools a worker can hold.

import { OptionError } from "../core/errors.ts";
import { isRecord } from "../core/json.ts";
import { rejectUnknownKeys } from "../core/options.ts";
import { oneLine } from "../core/text.ts";
import { DISPATCH_TOOLS } from "./tool-groups.ts";
import type { WorkerDefinition } from "./worker-definition.ts";

/** Workers by the name the coordinator calls them with. */
export type Workers = Readonly<Record<string, WorkerDefinition>>;

/** Agent types the harness brings itself; a worker of the same name would be mistaken for one. */
const BUILT_IN_TYPES: readonly string[] = Object.freeze([
  "general-purpose",
  "fork",
  "explore",
  "plan",
  "claude",
  "main",
  "teammate",
  "statusline-setup",
  "output-style-setup",
  "claude-code-guide",
  "comment-thread-analyst",
]);

const DEFINITION_KEYS = [
  "description",
  "prompt",
  "tools",
  "model",
  "effort",
  "maxTurns",
  "permissionMode",
  "skills",
  "isolate",
] as const satisfies readonly (keyof WorkerDefinition)[];

function refuse(code: string, message: string, hint: string): never {
  throw new OptionError(message, { code, hint });
}

/**
 * Refuse tool names a worker cannot have.
 * @throws OptionError `worker_delegates` for the dispatching tool, `bad_tool` for a name with a pattern in it.
 */
export function checkWorkerTools(tools: readonly string[], owner: string): void {
  for (const tool of tools) {
    if (DISPATCH_TOOLS.includes(tool.split("(")[0]?.trim() ?? "")) {
      refuse(
        "worker_delegates",
        `${owner}: workers do not delegate, so "${tool}" cannot be among its tools`,
        `remove ${tool}; only the coordinator dispatches`,
      );
    }
    if (!/^[\p{L}\p{N}_-]+(__\*)?$/u.test(tool)) {
      refuse(
        "bad_tool",
        `${owner}: "${oneLine(tool, 60)}" is not a tool name`,
        "name whole tools, e.g. Bash, without patterns",
      );
    }
  }
}

function checkName(name: string, owner: string, taken: string | undefined): void {
  if (name !== oneLine(name, 80) || name === "") {
    refuse(
      "worker_name",
      `${owner}: ${JSON.stringify(name.slice(0, 80))} cannot be a worker's name`,
      "use one short word, e.g. coder",
    );
  }
  if (BUILT_IN_TYPES.includes(name.toLowerCase())) {
    refuse(
      "worker_name_built_in",
      `${owner}: "${name}" is an agent type of the harness itself`,
      "give the worker another name, e.g. coder or researcher",
    );
  }
  if (taken !== undefined && name.toLowerCase() === taken.toLowerCase()) {
    refuse(
      "worker_name_taken",
      `${owner}: a worker cannot have the coordinator's own name "${taken}"`,
      "rename the worker or the coordinator",
    );
  }
}

function checkDefinition(name: string, worker: unknown, owner: string): void {
  const shaped =
    isRecord(worker) &&
    typeof worker.description === "string" &&
    typeof worker.prompt === "string" &&
    Array.isArray(worker.tools) &&
    worker.tools.every((tool) => typeof tool === "string");
  if (!shaped) {
    refuse(
      "bad_worker",
      `${owner}: worker "${name}" needs description, prompt and a list of tools`,
      "make it with worker(description, prompt, { … })",
    );
  }
  rejectUnknownKeys(worker as object, DEFINITION_KEYS, `${owner}: worker "${name}"`);
  checkWorkerTools((worker as unknown as WorkerDefinition).tools, `${owner}: worker "${name}"`);
}

/**
 * Refuse workers that could not be dispatched as meant, and hand back a frozen copy of the set.
 * `taken` is the name the session's own main thread uses up.
 * @throws OptionError `worker_name`, `worker_name_built_in`, `worker_name_taken`, `bad_worker`, `worker_delegates`, `bad_tool`.
 */
export function checkWorkers(workers: Workers, owner: string, taken?: string): Workers {
  for (const [name, definition] of Object.entries(workers)) {
    checkName(name, owner, taken);
    checkDefinition(name, definition, owner);
  }
  return Object.freeze({ ...workers });
}
