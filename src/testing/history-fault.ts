// What the real API refuses in a request, in its own words. Pure: a body in, one message or nothing out.

import { isRecord } from "../core/json.ts";
import { blockFault } from "./block-fault.ts";
import { pairingFault } from "./pairing-fault.ts";
import { surrogateFault } from "./surrogate-fault.ts";

function toolsFault(tools: unknown): string | undefined {
  if (tools === undefined) return undefined;
  if (!Array.isArray(tools)) return "tools: Input should be a valid list";
  const names = tools.filter(isRecord).map((tool) => tool.name);
  return new Set(names).size === names.length ? undefined : "tools: Tool names must be unique.";
}

function fieldFault(body: Readonly<Record<string, unknown>>): string | undefined {
  for (const field of ["model", "max_tokens", "messages"]) {
    if (body[field] === undefined) return `${field}: Field required`;
  }
  if (typeof body.model !== "string") return "model: Input should be a valid string";
  if (!Number.isInteger(body.max_tokens)) return "max_tokens: Input should be a valid integer";
  if (Number(body.max_tokens) < 1) return "max_tokens: must be greater than or equal to 1";
  if (!Array.isArray(body.messages)) return "messages: Input should be a valid list";
  if (body.messages.length === 0) return "messages: at least one message is required";
  return toolsFault(body.tools);
}

const ROLES: readonly unknown[] = ["user", "assistant", "system"];

function isEmpty(content: unknown): boolean {
  return content === "" || (Array.isArray(content) && content.length === 0);
}

function messageFault(message: unknown, at: number, isLast: boolean): string | undefined {
  if (!isRecord(message)) return `messages.${at}: Input should be a valid dictionary`;
  if (message.role === undefined) return `messages.${at}.role: Field required`;
  if (!ROLES.includes(message.role)) return `messages.${at}.role: Input should be 'user' or 'assistant'`;
  const { content } = message;
  if (content === undefined) return `messages.${at}.content: Field required`;
  if (isEmpty(content)) {
    if (isLast && message.role === "assistant") return undefined;
    return `messages.${at}: all messages must have non-empty content except for the optional final assistant message`;
  }
  if (typeof content === "string") {
    return content.trim() === ""
      ? "messages: text content blocks must contain non-whitespace text"
      : undefined;
  }
  if (!Array.isArray(content)) return `messages.${at}.content: Input should be a valid list`;
  for (const [i, block] of content.entries()) {
    const fault = blockFault(block, `messages.${at}.content.${i}`, String(message.role));
    if (fault !== undefined) return fault;
  }
  return undefined;
}

/**
 * What the real API would answer with 400 `invalid_request_error`, or undefined when it would accept the request.
 * Messages of one role in a row count as one, as they do there; `system` messages may stand between others, as the
 * harness sends them, but not first.
 * @param body - a request's body, parsed
 * @param raw - its text, for what parsing hides
 */
export function historyFault(body: unknown, raw: string = JSON.stringify(body)): string | undefined {
  const broken = surrogateFault(raw);
  if (broken !== undefined) return broken;
  if (!isRecord(body))
    return "The request body is not valid JSON: expected an object: line 1 column 1 (char 0)";
  const field = fieldFault(body);
  if (field !== undefined) return field;
  const messages: readonly unknown[] = Array.isArray(body.messages) ? body.messages : [];
  for (const [i, message] of messages.entries()) {
    const fault = messageFault(message, i, i === messages.length - 1);
    if (fault !== undefined) return fault;
  }
  const records = messages.filter(isRecord);
  if (records[0]?.role !== "user") return 'messages: first message must use the "user" role';
  return pairingFault(records);
}
