// The guards as hook matchers, for callers who drive the harness SDK themselves. A Runtime installs the same guards
// inside one callback an event; registered beside a hook of your own, the last one that rewrites wins.

import type { HookCallback, HookMatcher, Hooks } from "../agents/hooks.ts";
import { wantsIsolation } from "../agents/isolation.ts";
import type { Workers } from "../agents/worker-roster.ts";
import { OptionError } from "../core/errors.ts";
import { rejectUnknownKeys } from "../core/options.ts";
import { composePost, composePre } from "../guards/compose.ts";
import type { Decision, PostGuard, PreGuard, ToolCall } from "../guards/decision.ts";
import { type DelegateOptions, delegatePreGuard } from "../guards/delegate-guard.ts";
import { type GrantOptions, grantPreGuard } from "../guards/grant-guard.ts";
import { indexPostGuard } from "../guards/index-guard.ts";
import { type IsolateOptions, isolatePreGuard } from "../guards/isolate-guard.ts";
import { rosterPreGuard } from "../guards/roster-guard.ts";
import { type SpillOptions, spillPostGuard } from "../guards/spill-guard.ts";
import { type WhitelistOptions, whitelistPreGuard } from "../guards/whitelist-guard.ts";
import type { WorkbenchPort } from "../guards/workbench-port.ts";
import { toCall } from "./tool-call.ts";

function preAnswer(guard: PreGuard): HookCallback {
  const decide = composePre([guard]);
  return async (input) => {
    const decision = decide(toCall(input));
    if (decision.kind === "pass") return {};
    const own =
      decision.kind === "deny"
        ? { permissionDecision: "deny", permissionDecisionReason: decision.reason }
        : {
            permissionDecision: "allow",
            ...(decision.kind === "rewrite" ? { updatedInput: decision.input } : {}),
          };
    return { hookSpecificOutput: { hookEventName: "PreToolUse", ...own } };
  };
}

function postAnswer(guard: PostGuard): HookCallback {
  const review = composePost([guard]);
  return async (input) => {
    const decision = review({ ...toCall(input), response: input.tool_response });
    if (decision.kind === "keep") return {};
    return { hookSpecificOutput: { hookEventName: "PostToolUse", updatedToolOutput: decision.response } };
  };
}

function matcherOf(tools: readonly string[] | undefined): { matcher?: string } {
  if (tools === undefined) return {};
  const names = tools.includes("Agent") && !tools.includes("Task") ? [...tools, "Task"] : tools;
  return { matcher: names.join("|") };
}

function isToolName(name: unknown): boolean {
  return typeof name === "string" && name !== "";
}

function beforeCalls(guard: PreGuard): HookMatcher {
  return { ...matcherOf(guard.tools), hooks: [preAnswer(guard)] };
}

function afterCalls(guard: PostGuard): HookMatcher {
  return { ...matcherOf(guard.tools), hooks: [postAnswer(guard)] };
}

/** Options of {@link callGuard}. */
export interface CallGuardOptions {
  /** Tools it looks at, by their names. @defaultValue all */
  readonly tools?: readonly string[] | undefined;
  /** What it is called when it fails. @defaultValue "own guard" */
  readonly name?: string | undefined;
}

/**
 * A guard of your own: looks at a tool call about to run, the main thread's or a worker's, and decides. If `decide` throws
 * or answers with something else, the call is refused. One that has to wait for something is a `HookCallback`.
 * @param decide - must not change what it is given; `rewrite` lets the call run with another input
 * @throws OptionError `unknown_option`; `bad_option` for a `decide` that is no function or `tools` that are no names.
 * @example
 * ```ts
 * import { AgentSpec, callGuard } from "flower-agent";
 *
 * const noPush = callGuard(
 *   ({ input }) =>
 *     JSON.stringify(input).includes("git push")
 *       ? { kind: "deny", reason: "Nothing is pushed from here: commit, and say what is to be pushed." }
 *       : { kind: "pass" },
 *   { tools: ["Bash"] },
 * );
 * const coder = new AgentSpec({
 *   name: "coder",
 *   instructions: "You code.",
 *   allowedTools: ["Read", "Write", "Bash"],
 *   hooks: { PreToolUse: [noPush] },
 * });
 * ```
 */
export function callGuard(decide: (call: ToolCall) => Decision, options: CallGuardOptions = {}): HookMatcher {
  rejectUnknownKeys(options, ["tools", "name"], "callGuard");
  const { tools, name = "own guard" } = options;
  const isNames =
    tools === undefined || (Array.isArray(tools) && tools.length > 0 && tools.every(isToolName));
  if (typeof decide !== "function" || !isNames || typeof name !== "string") {
    throw new OptionError("callGuard takes a function, and tools as a list of names", {
      code: "bad_option",
      hint: 'callGuard((call) => ({ kind: "pass" }), { tools: ["Bash"] }); leave tools out for all of them',
    });
  }
  return beforeCalls({ name, tools, decide });
}

/**
 * Refuses, on the main thread, the hands-on tools that `allowed` does not name; null when there are none.
 * @param allowed - names of tools
 * @example
 * ```ts
 * import { AgentSpec, whitelistGuard } from "flower-agent";
 *
 * const guard = whitelistGuard(["Read", "Grep"], { role: "the reader" });
 * const hooks = guard === null ? {} : { PreToolUse: [guard] };
 * const reader = new AgentSpec({ name: "reader", instructions: "You read.", hooks });
 * ```
 */
export function whitelistGuard(
  allowed: readonly string[] | undefined,
  options: WhitelistOptions = {},
): HookMatcher | null {
  if (allowed !== undefined && allowed !== null && !Array.isArray(allowed)) {
    throw new OptionError("whitelistGuard takes a list of tool names", {
      code: "bad_option",
      hint: 'whitelistGuard(["Read", "Grep"])',
    });
  }
  const guard = whitelistPreGuard(allowed, options);
  return guard === null ? null : beforeCalls(guard);
}

/**
 * Refuses the main thread's hands and says to dispatch a worker; with `allowGlance`, read-only commands pass.
 * @example
 * ```ts
 * import { AgentSpec, delegateGuard } from "flower-agent";
 *
 * const hooks = { PreToolUse: [delegateGuard({ allowGlance: true })] };
 * const lead = new AgentSpec({ name: "lead", instructions: "You direct.", hooks });
 * ```
 */
export function delegateGuard(options: DelegateOptions = {}): HookMatcher {
  return beforeCalls(delegatePreGuard(options));
}

/** Sends calls to the declared workers only, in the foreground; with one worker, every other name means it. */
export function rosterGuard(agents: Workers): HookMatcher {
  return beforeCalls(rosterPreGuard(agents));
}

/**
 * Gives every dispatch of a role marked as isolated a git worktree of its own.
 * @example
 * ```ts
 * import { isolateGuard, worker } from "flower-agent";
 *
 * const coder = worker("Writes code.", "", { isolate: true });
 * const hooks = { PreToolUse: [isolateGuard({ coder })] };
 * ```
 */
export function isolateGuard(agents: Workers, options: IsolateOptions = {}): HookMatcher {
  return beforeCalls(isolatePreGuard(agents, options));
}

/** Grants workers the tools they declare and fences their writing to `roots`. */
export function grantGuard(agents: Workers, options: GrantOptions): HookMatcher {
  return beforeCalls(grantPreGuard(agents, options));
}

/**
 * Keeps the workbench's index up to date.
 * @example
 * ```ts
 * import { indexGuard, Workbench } from "flower-agent";
 *
 * const hooks = { PostToolUse: [indexGuard(new Workbench({ workspace: "." }))] };
 * ```
 */
export function indexGuard(workbench: WorkbenchPort): HookMatcher {
  return afterCalls(indexPostGuard(workbench));
}

/**
 * Puts long answers on disk and leaves a pointer in their place.
 * @example
 * ```ts
 * import { spillGuard, Workbench } from "flower-agent";
 *
 * const hooks = { PostToolUse: [spillGuard(new Workbench({ workspace: "." }), { threshold: 8_000 })] };
 * ```
 */
export function spillGuard(workbench: WorkbenchPort, options: SpillOptions = {}): HookMatcher {
  return afterCalls(spillPostGuard(workbench, options));
}

/** Options of {@link workbenchHooks}. */
export interface WorkbenchHooksOptions {
  /** The main thread only directs. @defaultValue true */
  readonly delegateOnly?: boolean | undefined;
  /** Characters above which an answer goes to disk; null or 0 for no limit. @defaultValue 4000 */
  readonly spillThreshold?: number | null | undefined;
  /** Workers by name; each dispatch of an isolated one gets a worktree. @defaultValue none */
  readonly agents?: Workers | undefined;
  /** Let read-only commands through on the main thread. @defaultValue false */
  readonly allowGlance?: boolean | undefined;
}

/**
 * The hooks a workbench needs, by event; events without a guard are left out.
 * @example
 * ```ts
 * import { AgentSpec, Workbench, workbenchHooks } from "flower-agent";
 *
 * const hooks = workbenchHooks(new Workbench({ workspace: "." }), { spillThreshold: 8_000 });
 * const lead = new AgentSpec({ name: "lead", instructions: "You direct.", hooks });
 * ```
 */
export function workbenchHooks(workbench: WorkbenchPort, options: WorkbenchHooksOptions = {}): Hooks {
  rejectUnknownKeys(options, ["delegateOnly", "spillThreshold", "agents", "allowGlance"], "workbenchHooks");
  const { delegateOnly = true, spillThreshold = 4_000, agents = {}, allowGlance = false } = options;
  const pre: HookMatcher[] = [];
  if (Object.values(agents).some(wantsIsolation)) pre.push(isolateGuard(agents));
  if (delegateOnly) pre.push(delegateGuard({ allowGlance }));
  const post = [indexGuard(workbench)];
  if (spillThreshold !== null && spillThreshold > 0) {
    post.push(spillGuard(workbench, { threshold: spillThreshold }));
  }
  return { ...(pre.length === 0 ? {} : { PreToolUse: pre }), PostToolUse: post };
}

/**
 * Join groups of hooks by event, in order; null groups are skipped, nothing is dropped as a duplicate.
 * @param groups - hooks that run in this order
 * @example
 * ```ts
 * import { delegateGuard, mergeHooks, Workbench, workbenchHooks } from "flower-agent";
 *
 * const workbench = new Workbench({ workspace: "." });
 * const hooks = mergeHooks({ PreToolUse: [delegateGuard()] }, workbenchHooks(workbench, { delegateOnly: false }));
 * ```
 */
export function mergeHooks(...groups: readonly (Hooks | null | undefined)[]): Hooks {
  const merged: Record<string, HookMatcher[]> = {};
  for (const group of groups) {
    for (const [event, matchers] of Object.entries(group ?? {})) {
      merged[event] = [...(merged[event] ?? []), ...matchers];
    }
  }
  return merged;
}
