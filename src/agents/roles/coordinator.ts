// The coordinator: splits, dispatches, reads reports, decides; touches nothing. Its rules, its tools, its factory.

import { OptionError } from "../../core/errors.ts";
import { isRecord } from "../../core/json.ts";
import { AgentSpec } from "../agent-spec.ts";
import { type AskChannel, requireChannel } from "../ask-channel.ts";
import type { CompactPolicy } from "../compact-policy.ts";
import type { Hooks } from "../hooks.ts";
import { checkRoleOptions, createOptionReader } from "../option-reader.ts";
import { COORDINATOR_TOOLS, WEB_TOOLS } from "../tool-groups.ts";
import type { Effort, PermissionMode } from "../worker-definition.ts";
import type { Workers } from "../worker-roster.ts";
import { composeInstructions } from "./compose.ts";

/** What a coordinator is told. */
export const COORDINATOR_RULES = `# Role: coordinator

You direct; you do not type. You cannot write, edit or run tests. That is on purpose, not a missing setting: whatever changes or proves something is done by a worker you dispatch with Agent. A shell, where you have one, only glances (\`git status\`, \`ls\`), and what it shows goes stale: look again instead of remembering.

Your context is a record of decisions. Keep raw material out of it, or there will be no room for the last decision.

## Dispatch
- A task brief holds only what is particular to this task: goal, how it will be accepted, where to start, what to leave alone. Workers already know how to work and report.
- Give paths, not contents.
- Pass on the one convention workers cannot see: the absolute path of the workbench; long output goes to files in its \`artifacts/\`; reply with paths and conclusions.
- Dispatch independent tasks together: several Agent calls in one message. Two workers on the same files are not independent.
- A report is a claim. What matters without a record at a path gets checked by another worker. A limit or API error text in place of a report is no result: dispatch again.
- Turned down or stuck twice the same way: change the task, not the wording.

## Decide
- A decision that later work rests on goes to the workbench's \`notes/\`, one file each: let the worker whose task it shapes write it.
- \`ask\`, where you have it, stops everything until a person replies. Use it only at a real fork: the answer changes the work and nothing at hand settles it. Otherwise decide and name the assumption.
- \`inbox\`, where you have it: check it after every milestone. The person's newer words beat older ones.

## Finish
You are finished when every check of the goal has a record a worker filed. Before that, have them run as written. Say what was done, where the records are, and what nobody could verify. If you stop early, say what is missing.

Answer in the language of the person's request; headings stay in English.`;

/** Options of {@link coordinator}. */
export interface CoordinatorOptions {
  /** Gives it `ask` and `inbox`. */
  readonly channel?: AskChannel | undefined;
  /** May use Read, Glob and Grep. @defaultValue true */
  readonly canRead?: boolean | undefined;
  /** May run read-only commands itself. @defaultValue true: else every look costs a dispatch */
  readonly glance?: boolean | undefined;
  /** Model id or alias. Left out: the harness's own choice. */
  readonly model?: string | undefined;
  /** Reasoning effort. Left out: the model's own. */
  readonly effort?: Effort | undefined;
  /** Turns one process may take. Left out: no limit. */
  readonly maxTurns?: number | undefined;
  /** US dollars one step may cost. */
  readonly maxBudgetUsd?: number | undefined;
  /** What becomes of a tool call nobody granted, its workers' included. @defaultValue "acceptEdits" */
  readonly permissionMode?: PermissionMode | undefined;
  /** What the harness may do to a full context. Left out: flower hands over instead. */
  readonly compact?: CompactPolicy | undefined;
  /** Hooks of its own, beside the guards of its role. */
  readonly hooks?: Hooks | undefined;
  /** Extra environment of the harness process. */
  readonly env?: Readonly<Record<string, string>> | undefined;
}

const KEYS = [
  "channel",
  "canRead",
  "glance",
  "model",
  "effort",
  "maxTurns",
  "maxBudgetUsd",
  "permissionMode",
  "compact",
  "hooks",
  "env",
] as const satisfies readonly (keyof CoordinatorOptions)[];

function requireWorkers(workers: Workers, name: string): void {
  if (isRecord(workers) && Object.keys(workers).length > 0) return;
  throw new OptionError(`coordinator "${name}" has no workers, and it cannot do anything itself`, {
    code: "no_workers",
    hint: 'pass at least one, e.g. { coder: worker("writes code", "…") }',
  });
}

/** Pre-approval is session-wide: a worker's web tool that is missing here would wait for a click nobody makes. */
function webToolsOf(workers: Workers): string[] {
  const named = new Set(Object.values(workers).flatMap((worker) => worker?.tools ?? []));
  return WEB_TOOLS.filter((tool) => named.has(tool));
}

/**
 * A coordinator over `workers`: an agent that directs and touches nothing.
 * @param name - what it is called in the books
 * @param instructions - added below the rules; may be empty
 * @throws OptionError `no_workers`, `worker_name_taken`, `worker_name_built_in`, `worker_delegates`, `unknown_option`, `bad_option`.
 * @example
 * ```ts
 * import { coordinator, worker } from "flower-agent";
 *
 * const coder = worker("Writes code and runs it.", "Verify after every change.");
 * const lead = coordinator("lead", "Keep to the plan.", { coder }, { maxBudgetUsd: 5 });
 * ```
 */
export function coordinator(
  name: string,
  instructions: string,
  workers: Workers,
  options: CoordinatorOptions = {},
): AgentSpec {
  checkRoleOptions(options, KEYS, "coordinator");
  requireWorkers(workers, name);
  const { channel, canRead: _canRead, permissionMode = "acceptEdits", ...rest } = options;
  if (channel !== undefined) requireChannel(channel, "coordinator");
  const read = createOptionReader("coordinator", { ...options, instructions });
  const glance = read.flag("glance", true);
  const looking = [...(read.flag("canRead", true) ? ["Read"] : []), ...(glance ? ["Bash"] : [])];
  const people = channel === undefined ? [] : [channel.toolName, channel.inboxToolName];
  return new AgentSpec({
    ...rest,
    name,
    instructions: composeInstructions(COORDINATOR_RULES, read.text("instructions")),
    allowedTools: [...COORDINATOR_TOOLS, ...looking, ...people, ...webToolsOf(workers)],
    permissionMode,
    agents: workers,
    mcpServers: channel === undefined ? {} : channel.mcpServers(),
    glance,
    delegateOnly: true,
  });
}
