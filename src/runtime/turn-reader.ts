// Reads the messages of one process into the draft of a step: prose, context, workers, denials, and when it is over.

import { isRecord } from "../core/json.ts";
import {
  asNumber,
  asText,
  blocksOf,
  contextTokens,
  type HarnessMessage,
  innerMessage,
  isSubagent,
  isSynthetic,
} from "../harness/message.ts";
import { readTurnResult, type TurnResult, type Usage } from "../harness/turn-result.ts";
import { diagnose } from "./diagnose.ts";
import type { StepDraft, SubagentRecord } from "./step-result.ts";

function addUsage(a: Usage, b: Usage): Usage {
  return {
    input: a.input + b.input,
    output: a.output + b.output,
    cacheRead: a.cacheRead + b.cacheRead,
    cacheCreation: a.cacheCreation + b.cacheCreation,
  };
}

/** A worker that was dispatched and has not reported. */
export interface RunningWorker {
  readonly taskId: string;
  readonly type: string;
  readonly description: string;
  readonly background: boolean;
}

/** Follows one process of the harness through its turns. */
export class TurnReader {
  readonly #draft: StepDraft;
  readonly #running = new Map<string, RunningWorker>();
  #prose: string[] = [];
  #lastMessageId = "";
  #lastProse: string[] = [];
  /** Tool calls of anyone that have no result yet. */
  readonly #openCalls = new Set<string>();
  #progressed = false;
  #callsTools = false;
  /** Of the main thread, as the process named it when it began. */
  #model = "";

  constructor(draft: StepDraft) {
    this.#draft = draft;
  }

  /** Workers under way, foreground and background. */
  running(): readonly RunningWorker[] {
    return [...this.#running.values()];
  }

  /** True while something in the background could still wake the main thread. */
  hasBackground(): boolean {
    return this.running().some((worker) => worker.background);
  }

  /** True while a tool, a worker or a question to a person runs: then silence is no sign of being stuck. */
  isWaitingForTool(): boolean {
    return this.#openCalls.size > 0 || this.#running.size > 0;
  }

  /** True once the model said or did anything at all. */
  hasProgressed(): boolean {
    return this.#progressed;
  }

  /** True when the main thread's last message calls tools: the turn goes on after it. */
  callsTools(): boolean {
    return this.#callsTools;
  }

  /** Read one message; a `result` is returned as a value. */
  read(message: HarnessMessage): TurnResult | undefined {
    switch (message.type) {
      case "assistant":
        this.#readAssistant(message);
        return undefined;
      case "user":
        this.#readUser(message);
        return undefined;
      case "system":
        this.#readSystem(message);
        return undefined;
      case "result":
        return this.#readResult(message);
      default:
        return undefined;
    }
  }

  /** Forget the prose so far: the turn it belonged to did not end the step. */
  startTurn(): void {
    this.#prose = [];
    this.#lastProse = [];
    this.#lastMessageId = "";
  }

  #readUser(message: HarnessMessage): void {
    for (const block of blocksOf(innerMessage(message).content)) {
      if (block.type === "tool_result") this.#openCalls.delete(asText(block.tool_use_id));
    }
  }

  #readAssistant(message: HarnessMessage): void {
    const inner = innerMessage(message);
    const calls = blocksOf(inner.content).filter((block) => block.type === "tool_use");
    for (const call of calls) this.#openCalls.add(asText(call.id));
    if (isSubagent(message)) return;
    const prose = blocksOf(inner.content)
      .filter((block) => block.type === "text")
      .map((block) => asText(block.text));
    if (isSynthetic(message)) {
      this.#draft.errors.push(...prose.filter((text) => text !== ""));
      return;
    }
    this.#progressed = true;
    this.#callsTools = calls.length > 0;
    const context = contextTokens(inner.usage);
    if (context > 0) this.#draft.context = context;
    // One model message arrives as several, one a block: they share an id.
    const id = asText(inner.id);
    if (id === "" || id !== this.#lastMessageId) this.#lastProse = [];
    this.#lastMessageId = id;
    this.#prose.push(...prose);
    this.#lastProse.push(...prose);
  }

  #readSystem(message: HarnessMessage): void {
    if (message.subtype === "init") this.#model = asText(message.model);
    const taskId = asText(message.task_id);
    if (message.subtype === "task_started" && taskId !== "") {
      this.#running.set(taskId, {
        taskId,
        type: asText(message.subagent_type),
        description: asText(message.description),
        background: message.is_backgrounded === true,
      });
    }
    if (
      message.subtype === "task_updated" &&
      isRecord(message.patch) &&
      message.patch.is_backgrounded === true
    ) {
      const worker = this.#running.get(taskId);
      if (worker !== undefined) this.#running.set(taskId, { ...worker, background: true });
    }
    if (message.subtype === "task_notification") this.#endWorker(message, taskId);
  }

  #endWorker(message: HarnessMessage, taskId: string): void {
    const worker = this.#running.get(taskId);
    this.#running.delete(taskId);
    if (worker === undefined || worker.type === "") return;
    const usage = isRecord(message.usage) ? message.usage : {};
    const record: SubagentRecord = {
      agentId: taskId,
      type: worker.type,
      description: worker.description,
      tokens: asNumber(usage.total_tokens),
      toolUses: asNumber(usage.tool_uses),
      durationS: asNumber(usage.duration_ms) / 1000,
      // Older versions hand an error of the API back as if it were a report.
      ok: message.status === "completed" && diagnose(asText(message.summary)).kind === "none",
    };
    this.#draft.subagents.push(record);
  }

  #readResult(message: HarnessMessage): TurnResult {
    this.#openCalls.clear();
    this.#callsTools = false;
    const result = readTurnResult(message, this.#model);
    this.#draft.usage = addUsage(this.#draft.usage, result.usage);
    this.#draft.numTurns += result.numTurns;
    this.#draft.denials += result.denials;
    this.#draft.text = this.#prose.filter((text) => text !== "").join("\n\n");
    this.#draft.lastText = this.#lastProse.filter((text) => text !== "").join("\n\n");
    return result;
  }
}
