// Gives every dispatch of a marked role a git worktree of its own. Whether one really came about is checked elsewhere.

import { isAbsolute, resolve } from "node:path";
import { wantsIsolation } from "../agents/isolation.ts";
import type { Workers } from "../agents/worker-roster.ts";
import { rejectUnknownKeys } from "../core/options.ts";
import { deny, inputOf, isMainThread, malformed, ownEntry, PASS } from "./call.ts";
import type { Decision, PreGuard, ToolCall } from "./decision.ts";
import { isInside, physicalPath } from "./physical-path.ts";
import { repositoryTop, worktreeObstacle } from "./worktree.ts";

/** Options of the isolate guard. */
export interface IsolateOptions {
  /** The session's workspace. @defaultValue the caller's working directory */
  readonly workspace?: string | undefined;
  /** Told the role each time a worktree is asked for; must not throw. */
  readonly onInject?: ((role: string) => void) | undefined;
}

/** A folder the model chose itself is respected, as long as it is one of the repository's. */
function decideChosenFolder(cwd: unknown, workspace: string): Decision {
  if (typeof cwd !== "string") return malformed("Agent", "cwd as a string, or none");
  const place = physicalPath(isAbsolute(cwd) ? cwd : resolve(workspace, cwd));
  if (place !== undefined && isInside(place, repositoryTop(workspace))) return PASS;
  return deny(`A worker cannot be sent to ${cwd}: it lies outside the workspace. Leave cwd out.`);
}

function decideIsolation(agents: Workers, options: IsolateOptions, call: ToolCall): Decision {
  if (!isMainThread(call)) return PASS;
  const input = inputOf(call);
  if (input === undefined) return malformed(call.tool, "an object with subagent_type and prompt");
  const role = input.subagent_type;
  if (typeof role !== "string" || !wantsIsolation(ownEntry(agents, role))) return PASS;
  const workspace = options.workspace ?? call.cwd;
  if (input.cwd !== undefined && input.cwd !== "") return decideChosenFolder(input.cwd, workspace);
  const obstacle = worktreeObstacle(workspace);
  if (obstacle !== undefined) {
    return deny(
      `The worker "${role}" works in a git worktree of its own, and none can be made: ${obstacle}.`,
    );
  }
  if (input.isolation === "worktree") return PASS;
  options.onInject?.(role);
  return { kind: "rewrite", input: { ...input, isolation: "worktree" } };
}

/**
 * Adds `isolation: "worktree"` to dispatches of marked roles. Refuses them where the worktree would lie outside the
 * repository or inside another worktree.
 */
export function isolatePreGuard(agents: Workers, options: IsolateOptions = {}): PreGuard {
  rejectUnknownKeys(options, ["workspace", "onInject"], "isolateGuard");
  return { name: "isolate", tools: ["Agent"], decide: (call) => decideIsolation(agents, options, call) };
}
