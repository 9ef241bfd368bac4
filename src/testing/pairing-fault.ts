// Tool calls and their results in a history: every call answered at once, every answer called for, every id once.

import { isRecord } from "../core/json.ts";

interface Placed {
  readonly message: number;
  readonly at: number;
  readonly type: unknown;
  readonly id: string;
}

interface Group {
  readonly role: unknown;
  readonly blocks: Placed[];
}

function placed(block: unknown, message: number, at: number): Placed {
  if (!isRecord(block)) return { message, at, type: undefined, id: "" };
  const id = block.type === "tool_result" ? block.tool_use_id : block.id;
  return { message, at, type: block.type, id: String(id) };
}

/** Messages of one role in a row are one to the API; system messages are not part of the dialogue. */
function groupsOf(messages: readonly Readonly<Record<string, unknown>>[]): readonly Group[] {
  const groups: Group[] = [];
  for (const [i, { role, content }] of messages.entries()) {
    if (role === "system") continue;
    const blocks = Array.isArray(content)
      ? content.map((block, at) => placed(block, i, at))
      : [{ message: i, at: 0, type: "text", id: "" }];
    const last = groups.at(-1);
    if (last !== undefined && last.role === role) last.blocks.push(...blocks);
    else groups.push({ role, blocks });
  }
  return groups;
}

function callsOf(group: Group | undefined): readonly Placed[] {
  return group?.blocks.filter((block) => block.type === "tool_use") ?? [];
}

/** Results count only where they lead the reply: prose before a result leaves its call unanswered. */
function leadingResults(group: Group | undefined): readonly Placed[] {
  if (group === undefined) return [];
  const end = group.blocks.findIndex((block) => block.type !== "tool_result");
  return end === -1 ? group.blocks : group.blocks.slice(0, end);
}

function unanswered(group: Group, next: Group | undefined): string | undefined {
  const answered = new Set(leadingResults(next).map((block) => block.id));
  const open = callsOf(group).filter((call) => !answered.has(call.id));
  const [first] = open;
  if (first === undefined) return undefined;
  const ids = open.map((call) => call.id).join(", ");
  return (
    `messages.${first.message}: \`tool_use\` ids were found without \`tool_result\` blocks immediately after: ${ids}. ` +
    "Each `tool_use` block must have a corresponding `tool_result` block in the next message."
  );
}

function uncalled(group: Group, previous: Group | undefined): string | undefined {
  const called = new Set(callsOf(previous).map((call) => call.id));
  const seen = new Set<string>();
  for (const block of group.blocks) {
    if (block.type !== "tool_result") continue;
    const where = `messages.${block.message}.content.${block.at}`;
    if (!called.has(block.id)) {
      return (
        `${where}: unexpected \`tool_use_id\` found in \`tool_result\` blocks: ${block.id}. ` +
        "Each `tool_result` block must have a corresponding `tool_use` block in the previous message."
      );
    }
    if (seen.has(block.id)) {
      return `${where}: each tool_use must have a single result. Found multiple \`tool_result\` blocks with id: ${block.id}`;
    }
    seen.add(block.id);
  }
  return undefined;
}

/** What the API refuses in how calls and results are paired, or undefined. */
export function pairingFault(messages: readonly Readonly<Record<string, unknown>>[]): string | undefined {
  const groups = groupsOf(messages);
  const ids = new Set<string>();
  for (const [i, group] of groups.entries()) {
    for (const call of callsOf(group)) {
      if (ids.has(call.id)) {
        return `messages.${call.message}.content.${call.at}: \`tool_use\` ids must be unique`;
      }
      ids.add(call.id);
    }
    const fault = uncalled(group, groups[i - 1]) ?? unanswered(group, groups[i + 1]);
    if (fault !== undefined) return fault;
  }
  return undefined;
}
