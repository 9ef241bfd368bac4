// Who may be dispatched: the declared workers, in the foreground, by the main thread alone.

import { wantsIsolation } from "../agents/isolation.ts";
import type { Workers } from "../agents/worker-roster.ts";
import { deny, inputOf, isMainThread, malformed, ownEntry } from "./call.ts";
import type { Decision, PreGuard, ToolCall } from "./decision.ts";

/** What a worker that tries to dispatch is told. */
export const WORKERS_DO_NOT_DELEGATE =
  "Workers do not delegate. Do the task yourself, or put what else is needed in your report.";

/** The declared worker this dispatch means; with a single one there is no doubt, whatever the model wrote. */
function chooseWorker(agents: Workers, wanted: unknown): string | undefined {
  if (ownEntry(agents, wanted) !== undefined) return wanted as string;
  const names = Object.keys(agents);
  return names.length === 1 ? names[0] : undefined;
}

function decideDispatch(agents: Workers, call: ToolCall): Decision {
  if (!isMainThread(call)) return deny(WORKERS_DO_NOT_DELEGATE);
  const input = inputOf(call);
  if (input === undefined) return malformed(call.tool, "an object with subagent_type and prompt");
  const worker = chooseWorker(agents, input.subagent_type);
  if (worker === undefined) {
    const names = Object.keys(agents).join(", ");
    return deny(
      names === ""
        ? "This session has no workers to dispatch."
        : `There is no such worker here. Dispatch one of these by subagent_type: ${names}.`,
    );
  }
  // Isolation belongs to the role: work that ends in a worktree nobody expects is work nobody finds.
  const { isolation, ...rest } = input;
  const kept = isolation === "worktree" && wantsIsolation(agents[worker]) ? { isolation } : {};
  return { kind: "rewrite", input: { ...rest, ...kept, subagent_type: worker, run_in_background: false } };
}

/**
 * Holds dispatches to the declared workers. An unknown type becomes the only worker there is, or is refused with the
 * names; every dispatch is made to wait for its report; a subagent that dispatches is refused.
 */
export function rosterPreGuard(agents: Workers): PreGuard {
  return { name: "roster", tools: ["Agent"], decide: (call) => decideDispatch(agents, call) };
}
