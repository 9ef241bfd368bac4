// Expiry: the result of an old look (`git status`, `ls`) says what was true then. The block stays, its text goes; it
// is kept nowhere, because nobody should read it again.

import { isRecord } from "../core/json.ts";
import { oneLine } from "../core/text.ts";
import { isEphemeral } from "../shell/is-ephemeral.ts";
import { type CallBlock, callsOf, messageId, type ResultBlock, type TranscriptEntry } from "./entry.ts";
import type { EphemeralPolicy } from "./ephemeral-policy.ts";
import { isAnswer } from "./outcome-mark.ts";
import { hasOtherBlocks, replaceResults, resultText } from "./result-text.ts";

/** As much of a command as its note shows. */
const COMMAND_CHARS = 120;

/** What expiry made of a transcript. */
export interface Expiry {
  readonly entries: readonly TranscriptEntry[];
  /** Ids of the calls whose results carry the note, from an earlier expiry too. */
  readonly expiredIds: ReadonlySet<string>;
  /** How many were expired now. */
  readonly expired: number;
  readonly charsSaved: number;
}

function commandOf(call: CallBlock): string | undefined {
  if (call.name !== "Bash" || !isRecord(call.input)) return undefined;
  const { command } = call.input;
  return typeof command === "string" ? command : undefined;
}

function noteFor(template: string, command: string, age: number | string): string {
  return template.replace(/\{(cmd|age)\}/g, (_found, name) =>
    name === "cmd" ? oneLine(command, COMMAND_CHARS) : String(age),
  );
}

/** Matches the note of a command whatever its age. The age stands as a NUL first: no command can contain one. */
function noteMatcher(template: string, command: string): (text: string) => boolean {
  const parts = noteFor(template, command, "\0").split("\0");
  const [head = ""] = parts;
  const escaped = parts.map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  const pattern = new RegExp(`^${escaped.join("\\d+")}$`);
  return (text) => text.startsWith(head) && pattern.test(text);
}

/** Number of model turns up to and with each entry; entries of one message count once. */
function turnsSoFar(entries: readonly TranscriptEntry[]): readonly number[] {
  const seen = new Set<string>();
  let turns = 0;
  return entries.map((entry) => {
    if (entry.type !== "assistant") return turns;
    const id = messageId(entry);
    if (id === undefined || !seen.has(id)) turns += 1;
    if (id !== undefined) seen.add(id);
    return turns;
  });
}

/** Answers whether a command is a look. The same few come again and again, and reading one takes long. */
function createLookTest(): (command: string) => boolean {
  const known = new Map<string, boolean>();
  return (command) => {
    const answer = known.get(command) ?? isEphemeral(command);
    known.set(command, answer);
    return answer;
  };
}

/** Ids of the last `count` looks. */
function newestLooks(
  calls: ReadonlyMap<string, CallBlock>,
  count: number,
  isLook: (command: string) => boolean,
): ReadonlySet<string> {
  const newest = new Set<string>();
  for (const [id, call] of [...calls].reverse()) {
    if (newest.size >= count) break;
    const command = commandOf(call);
    if (command !== undefined && isLook(command)) newest.add(id);
  }
  return newest;
}

/** Put the policy's note in place of results that are stale, short enough and all text. Changes nothing it is given. */
export function expire(entries: readonly TranscriptEntry[], policy: EphemeralPolicy): Expiry {
  const calls = callsOf(entries);
  const isLook = createLookTest();
  const newest = newestLooks(calls, policy.keepRecent, isLook);
  const turns = turnsSoFar(entries);
  const total = turns.at(-1) ?? 0;
  // Whatever is longer is neither to expire nor a note, and its command need not be read.
  const longest = Math.max(policy.maxChars, noteFor(policy.text, "x".repeat(COMMAND_CHARS + 1), 1e15).length);
  const expiredIds = new Set<string>();
  let expired = 0;
  let charsSaved = 0;
  const lineFor = (entry: TranscriptEntry, at: number) => (block: ResultBlock) => {
    const call = calls.get(block.tool_use_id);
    const command = call === undefined ? undefined : commandOf(call);
    if (command === undefined || newest.has(block.tool_use_id)) return undefined;
    if (!isAnswer(entry, block) || hasOtherBlocks(block)) return undefined;
    const text = resultText(block);
    if (text === "" || text.length > longest || !isLook(command)) return undefined;
    const isOurs = noteMatcher(policy.text, command)(text);
    if (isOurs) expiredIds.add(block.tool_use_id);
    if (isOurs || text.length > policy.maxChars) return undefined;
    const note = noteFor(policy.text, command, total - (turns[at] ?? 0));
    expiredIds.add(block.tool_use_id);
    expired += 1;
    charsSaved += text.length - note.length;
    return note;
  };
  const rewritten = entries.map((entry, at) =>
    entry.type === "user" ? replaceResults(entry, lineFor(entry, at)) : entry,
  );
  return { entries: rewritten, expiredIds, expired, charsSaved };
}
