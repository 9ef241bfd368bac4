// Watches isolated workers: a `Bash` can still write into the shared checkout, and some versions of the harness drop
// the isolation that was asked for. Both are seen by their effect, reported, and told to the coordinator.

import { basename } from "node:path";
import { sha256 } from "../core/ids.ts";
import { isRecord } from "../core/json.ts";
import type { ToolCall, ToolOutcome } from "../guards/decision.ts";
import type { CallWatch } from "../harness/hook-plan.ts";
import { asText } from "../harness/message.ts";
import type { Git } from "./git.ts";
import type { Integration } from "./worktrees/integration.ts";
import type { IntegrationReport } from "./worktrees/report.ts";
import { leftOutLines, obstaclesIn } from "./worktrees/report-words.ts";

/** What was noticed. */
export type IsolationFault =
  | {
      readonly kind: "checkout_changed";
      readonly agentId: string;
      readonly agentType: string;
      readonly files: readonly string[];
    }
  | { readonly kind: "not_isolated"; readonly agentType: string }
  | { readonly kind: "wrong_commit"; readonly agentType: string; readonly path: string };

/** What the watch needs. */
export interface IsolationWatchOptions {
  /** Bound to the shared checkout. */
  readonly git: Git;
  readonly gitAt: (path: string) => Git;
  /** Brings in what a worker left once its dispatch is over. */
  readonly integration: Pick<Integration, "startOf" | "takeIn">;
  /** Whether that role is isolated. */
  readonly isIsolated: (role: string) => boolean;
  /** Why worktrees could not be made since it was asked last. */
  readonly failures: () => readonly string[];
  /** Must not throw. */
  readonly onFault: (fault: IsolationFault) => void;
  /** Told when a worker's work does not go in; must not throw. */
  readonly onObstacle: (report: IntegrationReport) => void;
}

type Tree = ReadonlyMap<string, string>;

/** Paths that are changed or untracked in the checkout, each with a hash of its content. */
async function treeOf(git: Git): Promise<Tree> {
  const status = await git.ask("status", "--porcelain=v1", "-z", "--untracked-files=all", "--no-renames");
  const entries = status.out.split("\0").filter((entry) => entry !== "");
  const paths = entries.map((entry) => entry.slice(3));
  const present = entries
    .filter((entry) => !entry.startsWith(" D") && !entry.startsWith("D "))
    .map((e) => e.slice(3));
  const hashes =
    present.length === 0 ? { ok: true, out: "" } : await git.ask("hash-object", "--", ...present);
  const lines = hashes.out.split("\n");
  const tree = new Map(paths.map((path) => [path, "gone"]));
  for (const [i, path] of present.entries()) tree.set(path, lines[i] ?? "");
  const head = await git.ask("rev-parse", "HEAD");
  return tree.set("(HEAD)", sha256(head.out));
}

function changedPaths(before: Tree, after: Tree): string[] {
  const paths = new Set([...before.keys(), ...after.keys()]);
  return [...paths].filter((path) => before.get(path) !== after.get(path)).sort();
}

function inputOf(call: ToolCall): Readonly<Record<string, unknown>> {
  return isRecord(call.input) ? call.input : {};
}

function responseOf(outcome: ToolOutcome): Readonly<Record<string, unknown>> {
  return isRecord(outcome.response) ? outcome.response : {};
}

function isDispatch(call: ToolCall): boolean {
  return call.agentId === undefined && (call.tool === "Agent" || call.tool === "Task");
}

/** The isolated worker whose turn has ended with this call of the main thread, by its worktree's name. */
function endedWorker(outcome: ToolOutcome): string | undefined {
  if (outcome.agentId !== undefined) return undefined;
  if (outcome.tool === "SendMessage") return `agent-${asText(inputOf(outcome).to)}`;
  const { worktreePath } = responseOf(outcome);
  return isDispatch(outcome) && typeof worktreePath === "string" ? basename(worktreePath) : undefined;
}

function lineFor(fault: IsolationFault): string {
  switch (fault.kind) {
    case "checkout_changed":
      return `- worker ${fault.agentType} (${fault.agentId}) changed the shared checkout through Bash: ${fault.files.join(", ")}`;
    case "not_isolated":
      return `- worker ${fault.agentType} was to be isolated and got no worktree: its changes are in the shared checkout`;
    case "wrong_commit":
      return `- the worktree ${fault.path} of worker ${fault.agentType} does not start from the commit it was to start from`;
  }
}

/** Words for the coordinator about what its workers did to the shared checkout, and what of their work does not go in. */
function tellCoordinator(lines: readonly string[]): string | undefined {
  if (lines.length === 0) return undefined;
  return `flower noticed, and you must take it into account:\n${lines.join("\n")}`;
}

/** A watch over one session's isolated workers. */
export function createIsolationWatch(options: IsolationWatchOptions): CallWatch {
  const before = new Map<string, Tree>();
  const untold: IsolationFault[] = [];
  const report = (fault: IsolationFault) => {
    untold.push(fault);
    options.onFault(fault);
  };
  const concerns = (call: ToolCall) =>
    call.tool === "Bash" &&
    call.agentType !== undefined &&
    call.agentId !== undefined &&
    options.isIsolated(call.agentType);

  const verifyDispatch = async (outcome: ToolOutcome): Promise<void> => {
    const response = responseOf(outcome);
    const agentType = asText(response.agentType);
    if (response.status !== "completed") return;
    const path = response.worktreePath;
    if (typeof path !== "string" || path === "") return report({ kind: "not_isolated", agentType });
    const start =
      options.integration.startOf(path) ?? (await options.git.ask("rev-parse", "HEAD")).out.trim();
    const contains = await options.gitAt(path).ask("merge-base", "--is-ancestor", start, "HEAD");
    if (!contains.ok) report({ kind: "wrong_commit", agentType, path });
  };

  /** @returns lines about what does not go in. */
  const takeIn = async (outcome: ToolOutcome): Promise<readonly string[]> => {
    const name = endedWorker(outcome);
    if (name === undefined) return [];
    const subject = asText(inputOf(outcome).description) || asText(inputOf(outcome).summary);
    const taken = await options.integration.takeIn({ name, subject });
    if (taken === undefined) return [];
    const obstacles = obstaclesIn(taken);
    if (obstacles.length > 0) options.onObstacle(taken);
    return [...obstacles, ...leftOutLines(taken)].map((line) => `- ${line}`);
  };

  return {
    async before(call) {
      if (concerns(call) && call.toolUseId !== undefined)
        before.set(call.toolUseId, await treeOf(options.git));
    },
    async after(outcome) {
      if (concerns(outcome) && outcome.toolUseId !== undefined) {
        const earlier = before.get(outcome.toolUseId);
        before.delete(outcome.toolUseId);
        const files = earlier === undefined ? [] : changedPaths(earlier, await treeOf(options.git));
        if (files.length > 0) {
          const who = { agentId: outcome.agentId ?? "", agentType: outcome.agentType ?? "" };
          report({ kind: "checkout_changed", ...who, files });
        }
      }
      if (isDispatch(outcome) && inputOf(outcome).isolation === "worktree") await verifyDispatch(outcome);
      const taken = await takeIn(outcome);
      const faults = isDispatch(outcome) ? untold.splice(0).map(lineFor) : [];
      return tellCoordinator([...faults, ...taken]);
    },
    async failed(call) {
      return isDispatch(call) ? tellCoordinator(options.failures().map((why) => `- ${why}`)) : undefined;
    },
  };
}
