// Messages of the harness become events: any message, known or not, gives at least one event and never a throw.

import { inEnglish, wordsOf } from "../config/locale/words.ts";
import { isRecord } from "../core/json.ts";
import { cut } from "../core/text.ts";
import { createEvent, type Event, type Speaker } from "../events/event.ts";
import {
  asNumber,
  asText,
  type Block,
  blocksOf,
  contentText,
  contextTokens,
  type HarnessMessage,
  innerMessage,
  isSubagent,
  isSynthetic,
} from "./message.ts";
import { workerReport } from "./worker-report.ts";

/** Longest `text` of a tool call; enough for a path or a command line. */
const CALL_CHARS = 200;
/** Longest `text` of a tool result. */
const RESULT_CHARS = 500;
/** Input fields that say best what a call is about, in order. */
const TELLING_FIELDS = ["file_path", "notebook_path", "command", "pattern", "path", "url", "query"];

function speakerOf(message: HarnessMessage): Speaker {
  const parent = asText(message.parent_tool_use_id);
  const agent = asText(message.subagent_type);
  const context = contextTokens(innerMessage(message).usage);
  return {
    subagent: isSubagent(message),
    ...(parent === "" ? {} : { parent_tool_use_id: parent }),
    ...(agent === "" ? {} : { agent }),
    ...(context === 0 ? {} : { context }),
  };
}

function callText(input: unknown): string {
  if (!isRecord(input)) return "";
  for (const field of [...TELLING_FIELDS, "description", "question", "prompt"]) {
    const value = input[field];
    if (typeof value === "string" && value !== "") return cut(value, CALL_CHARS);
  }
  return "";
}

function fromAssistantBlock(block: Block, speaker: Speaker, raw: unknown): Event {
  switch (block.type) {
    case "text":
      return createEvent("text", { text: asText(block.text), payload: speaker, raw });
    case "thinking":
    case "redacted_thinking":
      return createEvent("thinking", { text: asText(block.thinking), payload: speaker, raw });
    case "tool_use":
    case "server_tool_use":
    case "mcp_tool_use":
      return createEvent("tool_call", {
        text: callText(block.input),
        tool: asText(block.name),
        payload: { ...speaker, id: asText(block.id), input: block.input ?? null },
        raw,
      });
    default:
      return createEvent("unknown", { text: asText(block.type), payload: {}, raw });
  }
}

function fromAssistant(message: HarnessMessage): Event[] {
  const speaker = speakerOf(message);
  const blocks = blocksOf(innerMessage(message).content);
  if (isSynthetic(message)) {
    const text = blocks.map((block) => asText(block.text)).join("\n");
    return [createEvent("error", { text, payload: speaker, raw: message })];
  }
  return blocks.map((block) => fromAssistantBlock(block, speaker, message));
}

function fromUserBlock(block: Block, speaker: Speaker, raw: unknown): Event {
  if (block.type === "tool_result") {
    return createEvent("tool_result", {
      text: cut(workerReport(contentText(block.content)), RESULT_CHARS),
      payload: { ...speaker, tool_use_id: asText(block.tool_use_id), is_error: block.is_error === true },
      raw,
    });
  }
  if (block.type === "text")
    return createEvent("prompt", { text: asText(block.text), payload: speaker, raw });
  return createEvent("unknown", { text: asText(block.type), payload: {}, raw });
}

function fromUser(message: HarnessMessage): Event[] {
  const speaker = speakerOf(message);
  return blocksOf(innerMessage(message).content).map((block) => fromUserBlock(block, speaker, message));
}

function plain(message: HarnessMessage): Record<string, unknown> {
  const { type: _type, uuid: _uuid, ...rest } = message;
  try {
    return JSON.parse(JSON.stringify(rest)) as Record<string, unknown>;
  } catch {
    return {};
  }
}

function fromTask(message: HarnessMessage, subtype: string): Event {
  const text = asText(message.summary) || asText(message.description);
  return createEvent("task", {
    text: cut(text, RESULT_CHARS),
    payload: { ...plain(message), notice: subtype },
    raw: message,
  });
}

function fromSystem(message: HarnessMessage): Event {
  const subtype = asText(message.subtype);
  if (subtype === "compact_boundary" || subtype === "conversation_reset") {
    const words = wordsOf(`reset.${subtype}`);
    return createEvent("reset", { text: subtype, payload: { ...plain(message), words }, raw: message });
  }
  if (subtype.startsWith("task_")) return fromTask(message, subtype);
  if (subtype === "mirror_error") {
    const text = asText(message.error);
    const words = wordsOf("notice.mirror_failed", { reason: text });
    return createEvent("task", {
      text,
      payload: { ...plain(message), notice: "store", words },
      raw: message,
    });
  }
  if (subtype === "api_retry") {
    const { error_status: code } = message;
    const status = code === null ? wordsOf("retry.no_connection") : String(code);
    const words = wordsOf("retry.harness", {
      status,
      attempt: asNumber(message.attempt),
      max: asNumber(message.max_retries),
    });
    return createEvent("system", {
      text: inEnglish(words),
      payload: { ...plain(message), words },
      raw: message,
    });
  }
  return createEvent("system", { text: subtype, payload: { ...plain(message), subtype }, raw: message });
}

function fromResult(message: HarnessMessage): Event {
  return createEvent("result", {
    text: asText(message.result),
    payload: {
      session_id: asText(message.session_id),
      cost_usd: asNumber(message.total_cost_usd),
      num_turns: asNumber(message.num_turns),
      is_error: message.is_error === true,
      subtype: asText(message.subtype),
      terminal_reason: asText(message.terminal_reason),
    },
    raw: message,
  });
}

/** Messages about the harness's own workings: shown to nobody, kept in the log. */
const WORKINGS = ["command_lifecycle", "tool_progress", "auth_status", "stream_event", "prompt_suggestion"];

function fromKnown(message: HarnessMessage): Event[] {
  switch (message.type) {
    case "assistant":
      return fromAssistant(message);
    case "user":
      return fromUser(message);
    case "system":
      return [fromSystem(message)];
    case "result":
      return [fromResult(message)];
    case "rate_limit_event":
      return [createEvent("task", { payload: { ...plain(message), notice: "limit" }, raw: message })];
    default: {
      const type = asText(message.type);
      if (!WORKINGS.includes(type)) return [];
      return [createEvent("system", { text: type, payload: { subtype: type }, raw: message })];
    }
  }
}

/**
 * Turn one message of the harness into events; an unknown or malformed one becomes a single `unknown`.
 * @param message - a message as the harness's SDK gives it
 * @example
 * ```ts
 * import { normalize } from "flower-agent";
 *
 * for (const event of normalize({ type: "something new" })) console.log(event.kind); // unknown
 * ```
 */
export function normalize(message: unknown): Event[] {
  if (!isRecord(message)) return [createEvent("unknown", { payload: {}, raw: message })];
  const events = fromKnown(message);
  if (events.length > 0) return events;
  return [createEvent("unknown", { text: asText(message.type), payload: {}, raw: message })];
}
