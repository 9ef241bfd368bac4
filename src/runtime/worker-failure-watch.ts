// A worker that died of the API hands its error back in place of a report. The coordinator is told that it is none.

import { isRecord } from "../core/json.ts";
import { oneLine } from "../core/text.ts";
import type { ToolCall, ToolOutcome } from "../guards/decision.ts";
import type { CallWatch } from "../harness/hook-plan.ts";
import { asText, contentText } from "../harness/message.ts";
import { type Diagnosis, diagnose } from "./diagnose.ts";

/** A worker without a report. */
interface WorkerFailure {
  /** Role name, or the agent that was written to. */
  readonly worker: string;
  readonly diagnosis: Diagnosis;
  /** The error in one line: for people, not for the model. */
  readonly error: string;
}

const WORKER_TOOLS = ["Agent", "Task", "SendMessage"];
const MAX_ERROR = 300;

function concerns(call: ToolCall): boolean {
  return call.agentId === undefined && WORKER_TOOLS.includes(call.tool);
}

function workerOf(call: ToolCall): string {
  const input = isRecord(call.input) ? call.input : {};
  return asText(input.subagent_type) || asText(input.to) || "worker";
}

function reportOf(outcome: ToolOutcome): string {
  const { response } = outcome;
  return isRecord(response) ? contentText(response.content) : contentText(response);
}

function tell(worker: string): string {
  return (
    `Worker ${worker} FAILED: what came back is an error of the API, not a report. Part of its work may be on disk. ` +
    "Continue that worker if you are told how; else dispatch the task again, and have the next worker look at what " +
    "is already there first. " +
    "What other workers reported stands."
  );
}

/** Who hears of a session's workers. Neither must throw. */
export interface WorkerListeners {
  /** The failed call's result waits until this settles. */
  readonly onFailure: (failure: WorkerFailure) => Promise<void>;
  readonly onReport: () => void;
}

/** A watch over one session's workers. */
export function createWorkerFailureWatch({ onFailure, onReport }: WorkerListeners): CallWatch {
  const judge = async (call: ToolCall, text: string): Promise<string | undefined> => {
    const diagnosis = diagnose(text);
    if (diagnosis.kind === "none") onReport();
    if (diagnosis.kind === "none" || diagnosis.kind === "interrupted") return undefined;
    const worker = workerOf(call);
    await onFailure({ worker, diagnosis, error: oneLine(text, MAX_ERROR) });
    return tell(worker);
  };
  return {
    before: async () => {},
    after: async (outcome) => (concerns(outcome) ? await judge(outcome, reportOf(outcome)) : undefined),
    failed: async (call, error) => (concerns(call) ? await judge(call, error) : undefined),
  };
}
