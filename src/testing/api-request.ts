// One request as the server saw it, and the questions a test asks of it. Pure reading, tolerant of any body.

import { isRecord } from "../core/json.ts";

/** A request before anyone said whose it is. */
export interface IncomingRequest {
  /** Counted from 1 over everything the server was asked. */
  readonly index: number;
  /** Epoch seconds of its last byte. */
  readonly at: number;
  /** HTTP method. */
  readonly method: string;
  /** With the query string, as sent. */
  readonly path: string;
  /** HTTP headers. */
  readonly headers: Readonly<Record<string, string>>;
  /** The JSON body; empty when there was none or it was not an object. */
  readonly body: Readonly<Record<string, unknown>>;
  /** Size of the body as sent. */
  readonly bytes: number;
  /** Session of the harness that asks. */
  readonly sessionId: string | undefined;
  /** The harness's id of the subagent that asks; undefined on the main thread. */
  readonly agentId: string | undefined;
}

/** Whose request it was. `main` is a main thread without one of the five roles, `probe` anything but a message. */
export type SpeakerRole =
  | "coordinator"
  | "clarifier"
  | "judge"
  | "oracle"
  | "main"
  | "worker"
  | "custom"
  | "side"
  | "probe";

/** A request and its speaker. */
export interface ApiRequest extends IncomingRequest {
  /** Who asked, as recognised. */
  readonly role: SpeakerRole;
  /** Name of the worker, of the custom speaker, or kind of the side request; undefined for the rest. */
  readonly agent: string | undefined;
}

/** A tool result that came back in a request. */
export interface SeenToolResult {
  /** Id of the call it answers. */
  readonly id: string;
  /** Tool that was called; undefined when the call is not in the history. */
  readonly tool: string | undefined;
  /** Its prose. */
  readonly text: string;
  /** Whether it says that the call failed. */
  readonly isError: boolean;
}

/** A message of a request, its content always a list. */
export interface SeenMessage {
  /** `user` or `assistant`. */
  readonly role: string;
  /** Its blocks, as the API takes them. */
  readonly blocks: readonly Readonly<Record<string, unknown>>[];
}

function blocksOf(content: unknown): Readonly<Record<string, unknown>>[] {
  if (typeof content === "string") return [{ type: "text", text: content }];
  return Array.isArray(content) ? content.filter(isRecord) : [];
}

function textOf(content: unknown): string {
  return blocksOf(content)
    .map((block) => (typeof block.text === "string" ? block.text : ""))
    .filter((words) => words !== "")
    .join("\n");
}

/** The messages of a request, in order. */
export function messagesOf(request: IncomingRequest): readonly SeenMessage[] {
  const messages = request.body.messages;
  if (!Array.isArray(messages)) return [];
  return messages.filter(isRecord).map((message) => ({
    role: String(message.role),
    blocks: blocksOf(message.content),
  }));
}

/** The system prompt, its blocks joined by line breaks. */
export function systemText(request: IncomingRequest): string {
  return textOf(request.body.system);
}

/** Prose blocks of the first message that is the user's: reminders of the harness and the prompt. */
export function firstUserTexts(request: IncomingRequest): readonly string[] {
  const first = messagesOf(request).find((message) => message.role === "user");
  return (first?.blocks ?? []).flatMap((block) => (typeof block.text === "string" ? [block.text] : []));
}

/** Prose of the last message that is the user's, without the harness's reminders; empty when it is only results. */
export function lastUserText(request: IncomingRequest): string {
  const last = messagesOf(request).findLast((message) => message.role === "user");
  return textOf(last?.blocks.filter((block) => !String(block.text).startsWith("<system-reminder>")));
}

/**
 * Every tool result in the history, oldest first; only those of `tool` (a name or a call's id) when given.
 * @param tool - name of the tool; any when left out
 */
export function toolResults(request: IncomingRequest, tool?: string): readonly SeenToolResult[] {
  const names = new Map<string, string>();
  const results: SeenToolResult[] = [];
  for (const { blocks } of messagesOf(request)) {
    for (const block of blocks) {
      if (block.type === "tool_use") names.set(String(block.id), String(block.name));
      if (block.type !== "tool_result") continue;
      const id = String(block.tool_use_id);
      results.push({
        id,
        tool: names.get(id),
        text: textOf(block.content),
        isError: block.is_error === true,
      });
    }
  }
  return tool === undefined
    ? results
    : results.filter((result) => result.tool === tool || result.id === tool);
}

/** Ids of all tool calls in the history. */
export function toolCallIds(request: IncomingRequest): ReadonlySet<string> {
  const calls = messagesOf(request).flatMap(({ blocks }) =>
    blocks.filter((block) => block.type === "tool_use"),
  );
  return new Set(calls.map((call) => String(call.id)));
}

/**
 * Text of the newest tool result (of `tool`, a name or a call's id); empty when there is none.
 * @param tool - name of the tool; any when left out
 */
export function lastToolResult(request: IncomingRequest, tool?: string): string {
  return toolResults(request, tool).at(-1)?.text ?? "";
}

/** Names of the tools offered. */
export function toolNames(request: IncomingRequest): readonly string[] {
  const tools = request.body.tools;
  return Array.isArray(tools) ? tools.filter(isRecord).map((tool) => String(tool.name)) : [];
}

/** Everything the model would read, as one text: system prompt, prose, tool calls and their results. */
export function allText(request: IncomingRequest): string {
  const said = messagesOf(request).flatMap(({ blocks }) =>
    blocks.map((block) => {
      if (block.type === "tool_result") return textOf(block.content);
      if (block.type === "tool_use") return `${String(block.name)} ${JSON.stringify(block.input)}`;
      return String(block.text ?? block.thinking ?? "");
    }),
  );
  return [systemText(request), ...said].join("\n");
}
