// The worker: does one task in its own transcript and reports. Its rules, its tools, its factory.

import { checkRoleOptions, createOptionReader } from "../option-reader.ts";
import { WORKER_TOOLS } from "../tool-groups.ts";
import {
  EFFORTS,
  type Effort,
  PERMISSION_MODES,
  type PermissionMode,
  type WorkerDefinition,
} from "../worker-definition.ts";
import { checkWorkerTools } from "../worker-roster.ts";
import { composeInstructions } from "./compose.ts";

/**
 * What a worker is told. It names no fixed place for output: a worker may run in a worktree of its own, so only the
 * task brief knows where things go.
 */
export const WORKER_RULES = `# Role: worker

You do one task and report. Your transcript stays with you: whoever sent you sees only your last message.

## While you work
- Look in the workbench's \`scripts/\` first, if the task names a workbench: the tool you need may be there.
- A script that will run twice goes there too, with a first line \`# desc: what it does\`.
- Long output goes to a file where the task says; keep its path.
- Wait for long commands in the foreground, with a time limit. Leave nothing running when you report.
- For each check of the goal you ran, file a raw record: the command, its exit code, the tail of its output, the time. Name its path. A check without a record counts as not run.
- Never write a record of something you did not run.
- Stay inside the task. You cannot dispatch others or ask a person. A question or a second task belongs in the report.
- Refused twice for the same reason: stop trying other wordings and report it.

## Your last message
At most 30 lines, in these four parts:

**Conclusion**: done, partly done or blocked, and what is now true.
**Evidence**: the path of each record, with one line on what it shows.
**Output**: the paths you made or changed.
**Unverified**: what you did not check and why; "(none)" if nothing.

No pasted files, output, logs or diffs. No story of attempts.

Answer in the language of the person's request; headings stay in English.`;

/** Options of {@link worker}. */
export interface WorkerOptions {
  /** Tools it has; no other exists for it. @defaultValue Read, Write, Edit, Bash, Glob, Grep, WebFetch, WebSearch */
  readonly tools?: readonly string[] | undefined;
  /** Model id or alias. @defaultValue "inherit": what `CLAUDE_CODE_SUBAGENT_MODEL` names, else the coordinator's */
  readonly model?: string | undefined;
  /** Reasoning effort. Left out: the coordinator's. */
  readonly effort?: Effort | number | undefined;
  /** Turns one dispatch may take. Left out: no limit. */
  readonly maxTurns?: number | undefined;
  /** What becomes of a tool call nobody granted. Left out: the coordinator's. */
  readonly permissionMode?: PermissionMode | undefined;
  /** Names of skills it begins with. */
  readonly skills?: readonly string[] | undefined;
  /** Append WORKER_RULES to the prompt. @defaultValue true */
  readonly discipline?: boolean | undefined;
  /** A git worktree of its own for every dispatch. @defaultValue false */
  readonly isolate?: boolean | undefined;
}

const KEYS = [
  "tools",
  "model",
  "effort",
  "maxTurns",
  "permissionMode",
  "skills",
  "discipline",
  "isolate",
] as const satisfies readonly (keyof WorkerOptions)[];

/** The entry `key: value`, or nothing when there is no value. */
function given<K extends string, T>(key: K, value: T | undefined): Partial<Record<K, T>> {
  return value === undefined ? {} : ({ [key]: value } as Record<K, T>);
}

/**
 * A worker: `description` tells the coordinator when to use it, `prompt` tells it what it is.
 * @param description - what the coordinator reads when it chooses a worker
 * @param prompt - what the worker is told; its rules follow
 * @throws OptionError `worker_delegates` when its tools name Agent or Task; `bad_tool`, `bad_option`, `unknown_option`.
 * @example
 * ```ts
 * import { worker } from "flower-agent";
 *
 * const reviewer = worker("Reads code and finds mistakes.", "Name file and line.", { tools: ["Read", "Grep"] });
 * const coder = worker("Writes code.", "Verify after every change.", { isolate: true });
 * ```
 */
export function worker(description: string, prompt: string, options: WorkerOptions = {}): WorkerDefinition {
  checkRoleOptions(options, KEYS, "worker");
  const read = createOptionReader("worker", { ...options, description, prompt });
  const tools = read.names("tools", WORKER_TOOLS);
  checkWorkerTools(tools, "worker");
  const effort =
    typeof options.effort === "number"
      ? read.optionalCount("effort", 1)
      : read.optionalChoice("effort", EFFORTS);
  return Object.freeze({
    description: read.name("description"),
    prompt: read.flag("discipline", true) ? joinPrompt(read.text("prompt")) : read.text("prompt"),
    tools,
    model: read.optionalName("model") ?? "inherit",
    ...given("effort", effort),
    ...given("maxTurns", read.optionalCount("maxTurns", 1)),
    ...given("permissionMode", read.optionalChoice("permissionMode", PERMISSION_MODES)),
    ...(options.skills === undefined ? {} : { skills: read.names("skills", []) }),
    isolate: read.flag("isolate", false),
  });
}

function joinPrompt(own: string): string {
  return own.trim() === "" ? WORKER_RULES : composeInstructions(own.trim(), WORKER_RULES);
}
