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

/** The looks that newer ones have followed, by call id. */
function staleLooks(entries: readonly TranscriptEntry[], keepRecent: number): ReadonlyMap<string, string> {
  const looks: Array<readonly [string, string]> = [];
  // The same few commands come again and again, and reading one takes longer than all the rest.
  const known = new Map<string, boolean>();
  for (const [id, call] of callsOf(entries)) {
    const command = commandOf(call);
    if (command === undefined) continue;
    const isLook = known.get(command) ?? isEphemeral(command);
    known.set(command, isLook);
    if (isLook) looks.push([id, command]);
  }
  return new Map(looks.slice(0, Math.max(0, looks.length - keepRecent)));
}

/** Put the policy's note in place of results that are stale, short enough and all text. Changes nothing it is given. */
export function expire(entries: readonly TranscriptEntry[], policy: EphemeralPolicy): Expiry {
  const stale = staleLooks(entries, policy.keepRecent);
  if (stale.size === 0) return { entries, expiredIds: new Set(), expired: 0, charsSaved: 0 };
  const turns = turnsSoFar(entries);
  const total = turns.at(-1) ?? 0;
  const expiredIds = new Set<string>();
  let expired = 0;
  let charsSaved = 0;
  const lineFor = (entry: TranscriptEntry, at: number) => (block: ResultBlock) => {
    const command = stale.get(block.tool_use_id);
    if (command === undefined || !isAnswer(entry, block) || hasOtherBlocks(block)) return undefined;
    const text = resultText(block);
    const isOurs = noteMatcher(policy.text, command)(text);
    if (isOurs) expiredIds.add(block.tool_use_id);
    if (isOurs || text === "" || text.length > policy.maxChars) return undefined;
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
