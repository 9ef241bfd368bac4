// What a worker may do: the tools it was declared with, and writing only where this run's files are.
// Bash is granted as a whole: what a command writes cannot be fenced here.

import { isAbsolute, resolve } from "node:path";
import type { WorkerDefinition } from "../agents/worker-definition.ts";
import type { Workers } from "../agents/worker-roster.ts";
import { OptionError } from "../core/errors.ts";
import { rejectUnknownKeys } from "../core/options.ts";
import { deny, inputOf, isDispatch, isMainThread, malformed, ownEntry, PASS } from "./call.ts";
import type { Decision, PreGuard, ToolCall } from "./decision.ts";
import { isInside, physicalPath } from "./physical-path.ts";
import { WORKERS_DO_NOT_DELEGATE } from "./roster-guard.ts";
import { worktreeOf } from "./worktree.ts";
import { WRITERS, writtenPlaces } from "./written-file.ts";

/** Options of the grant guard. */
export interface GrantOptions {
  /** Folders workers may write in: the workspace first, then workbench and added folders. At least one. */
  readonly roots: readonly string[];
  /** The session's workspace. @defaultValue the first of `roots` */
  readonly workspace?: string | undefined;
}

/** Whether a worker's list covers `tool`: by name, or a whole server as `mcp__name` or `mcp__name__*`. */
function declares(worker: WorkerDefinition, tool: string): boolean {
  if (tool === "Skill" && (worker.skills?.length ?? 0) > 0) return true;
  return worker.tools.some((name) => {
    if (name === tool) return true;
    if (!name.startsWith("mcp__")) return false;
    const server = name.endsWith("__*") ? name.slice(0, -3) : name;
    return server.split("__").length === 2 && tool.startsWith(`${server}__`);
  });
}

function rootsFor(call: ToolCall, options: GrantOptions, workspace: string): readonly string[] {
  const worktree = isAbsolute(call.cwd) ? worktreeOf(call.cwd, workspace) : undefined;
  const real = (path: string) => physicalPath(resolve(path)) ?? path;
  const home = real(workspace);
  const others = options.roots.map(real).filter((root) => root !== home);
  // An isolated worker has its worktree instead of the shared checkout, not beside it.
  return [worktree ?? home, ...others];
}

function fence(call: ToolCall, field: string, options: GrantOptions, workspace: string): Decision {
  const path = inputOf(call)?.[field];
  if (typeof path !== "string" || path === "") return malformed(call.tool, `${field} as a string`);
  if (path !== path.trim() || path.startsWith("~") || path.includes("\0")) {
    return deny(`${call.tool} needs a plain absolute path, without ~ or blanks around it.`);
  }
  if (!isAbsolute(path) && !isAbsolute(call.cwd)) return deny(`${call.tool} needs an absolute path here.`);
  const roots = rootsFor(call, options, workspace);
  const inside = (place: string | undefined) =>
    place !== undefined && roots.some((root) => isInside(place, root));
  if (writtenPlaces(path, call.cwd).every(inside)) return { kind: "allow" };
  return deny(
    `${path} leads outside the places you may write: ${roots.join(", ")}. Write there, or report that the task needs another place.`,
  );
}

function decideGrant(agents: Workers, options: GrantOptions, workspace: string, call: ToolCall): Decision {
  if (isMainThread(call)) return PASS;
  if (isDispatch(call.tool)) return deny(WORKERS_DO_NOT_DELEGATE);
  const worker = ownEntry(agents, call.agentType);
  if (worker === undefined) {
    return deny(
      `"${call.agentType ?? "unknown"}" is not one of this session's workers, so it may do nothing here.`,
    );
  }
  if (!declares(worker, call.tool)) {
    return deny(
      `Your role does not have ${call.tool}. This is intended: use ${worker.tools.join(", ") || "no tools"}, or put what is missing in your report.`,
    );
  }
  const field = WRITERS.get(call.tool);
  return field === undefined ? { kind: "allow" } : fence(call, field, options, workspace);
}

/**
 * Grants workers their declared tools, which nobody else would: there is no person to approve a call. Writing is
 * fenced to `roots`, links followed; an isolated worker has its worktree in place of the workspace.
 * @throws OptionError `no_roots` when `roots` is empty.
 */
export function grantPreGuard(agents: Workers, options: GrantOptions): PreGuard {
  rejectUnknownKeys(options, ["roots", "workspace"], "grantGuard");
  const workspace = options.workspace ?? options.roots[0];
  if (workspace === undefined) {
    throw new OptionError("a grant guard needs at least one folder to write in", {
      code: "no_roots",
      hint: "pass roots: [workspace]",
    });
  }
  return {
    name: "grant",
    tools: undefined,
    decide: (call) => decideGrant(agents, options, workspace, call),
  };
}
