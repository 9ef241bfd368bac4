// StepResult: the books of one step. While the step runs it is a draft that only the loop writes to.

import { epochS } from "../core/clock.ts";
import { isRecord } from "../core/json.ts";
import type { FailureFacts } from "../core/words.ts";
import { NO_USAGE, type Usage } from "../harness/turn-result.ts";

/** What one worker did. */
export interface SubagentRecord {
  /** Id it can be continued by. */
  readonly agentId: string;
  /** Role name. */
  readonly type: string;
  /** What the dispatch was called. */
  readonly description: string;
  /** All it used. */
  readonly tokens: number;
  /** Calls it made. */
  readonly toolUses: number;
  /** Seconds it took. */
  readonly durationS: number;
  /** Whether it came to its end. */
  readonly ok: boolean;
}

/** Everything the books know of one step. Money in USD, times in epoch seconds. */
export interface StepResult {
  /** Step name with its attempt suffix, as in the manifest. */
  readonly step: string;
  /** The session that took over last; null before one was announced. */
  readonly sessionId: string | null;
  /** Whether the agent came to its end; a gate may still say no. */
  readonly ok: boolean;
  /** What this step added, workers included; never counts a resumed session's past again. */
  readonly costUsd: number;
  /** Turns of the main thread. */
  readonly numTurns: number;
  /** Prose of the main thread in the turn that ended the step. */
  readonly text: string;
  /** Prose of that turn's last message alone: where a document is looked for first. */
  readonly lastText: string;
  /** Why the step is not ok, in English; null when it is. */
  readonly error: string | null;
  /** What a person can do about `error`, in English; empty when there is nothing to say. */
  readonly hint: string;
  /** The same as `error`, for programs and other languages; null when the step is ok. */
  readonly failure: FailureFacts | null;
  /** Epoch seconds. */
  readonly startedAt: number;
  /** Epoch seconds. */
  readonly endedAt: number;
  /** Processes it took; 1 when nothing failed. */
  readonly attempts: number;
  /** Synthetic API errors and degradation reasons: for people, never for the model. */
  readonly errors: readonly string[];
  /** True when the step went on with a session after a failure. */
  readonly resumed: boolean;
  /** Sessions used up by handoffs, in order. */
  readonly retired: readonly string[];
  /** Context of the main thread's last turn, in tokens. */
  readonly context: number;
  /** Tokens of all its models. */
  readonly usage: Usage;
  /** What each worker did. */
  readonly subagents: readonly SubagentRecord[];
  /** Tool calls that were refused. */
  readonly denials: number;
  /** Seconds from start to end. */
  readonly durationS: number;
}

/** A StepResult being written. */
export type StepDraft = { -readonly [K in keyof StepResult]: StepResult[K] } & {
  errors: string[];
  retired: string[];
  subagents: SubagentRecord[];
  /** Cumulative total each session of this step stands at, by session id: where the next charge counts from. */
  totals: Map<string, number>;
};

/** An empty draft. */
export function startDraft(step: string): StepDraft {
  const now = epochS();
  return {
    step,
    sessionId: null,
    ok: false,
    costUsd: 0,
    numTurns: 0,
    text: "",
    lastText: "",
    error: null,
    hint: "",
    failure: null,
    startedAt: now,
    endedAt: 0,
    attempts: 1,
    errors: [],
    resumed: false,
    retired: [],
    context: 0,
    usage: NO_USAGE,
    subagents: [],
    denials: 0,
    durationS: 0,
    totals: new Map(),
  };
}

/** Close a draft: end time and duration. */
export function endDraft(draft: StepDraft): StepResult {
  draft.endedAt = epochS();
  draft.durationS = draft.endedAt - draft.startedAt;
  return draft;
}

/** A row of the manifest, in the field names every version has written. */
export interface ManifestRow {
  readonly run: string;
  readonly step: string;
  readonly session_id: string | null;
  readonly ok: boolean;
  readonly cost_usd: number;
  readonly [field: string]: unknown;
}

function round(value: number, digits: number): number {
  const factor = 10 ** digits;
  return Math.round(value * factor) / factor;
}

/** The manifest row of a result; money to six decimals, so that sums of small turns stay right. */
export function toManifestRow(result: StepResult | StepDraft, run: string): ManifestRow {
  const totals = "totals" in result ? Object.fromEntries(result.totals) : {};
  return {
    run,
    step: result.step,
    session_id: result.sessionId,
    ok: result.ok,
    cost_usd: round(result.costUsd, 6),
    num_turns: result.numTurns,
    text: result.text,
    error: result.error,
    ...(result.failure === null ? {} : { failure: result.failure }),
    started_at: result.startedAt,
    ended_at: result.endedAt,
    attempts: result.attempts,
    errors: [...result.errors],
    resumed: result.resumed,
    retired: [...result.retired],
    context: result.context,
    duration_s: round(result.durationS, 3),
    usage: {
      input: result.usage.input,
      output: result.usage.output,
      cache_read: result.usage.cacheRead,
      cache_creation: result.usage.cacheCreation,
    },
    subagents: result.subagents.map((worker) => ({
      agent_id: worker.agentId,
      type: worker.type,
      description: worker.description,
      tokens: worker.tokens,
      tool_uses: worker.toolUses,
      duration_s: round(worker.durationS, 3),
      ok: worker.ok,
    })),
    denials: result.denials,
    session_totals: totals,
  };
}

/** Whether something read from a manifest is a row at all. */
export function isManifestRow(value: unknown): value is ManifestRow {
  return isRecord(value) && typeof value.run === "string" && typeof value.step === "string";
}
