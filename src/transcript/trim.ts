// Trimming: old, long results give way to a line that says in which file they are. The files are handed out as data;
// whoever calls writes them, and only then uses the entries.

import { shortHash } from "../core/ids.ts";
import { callsOf, isResult, openBlocks, type ResultBlock, type TranscriptEntry } from "./entry.ts";
import { isAnswer } from "./outcome-mark.ts";
import { NOTE_START, replaceResults, resultText } from "./result-text.ts";
import type { TrimPolicy } from "./trim-policy.ts";

/** A file that has to exist before the trimmed entries are used. */
export interface SpillFile {
  /** Name inside the policy's folder: 16 hex digits of the content's hash, and `.txt`. */
  readonly name: string;
  readonly content: string;
}

/** What trimming made of a transcript. */
export interface Trimming {
  readonly entries: readonly TranscriptEntry[];
  readonly files: readonly SpillFile[];
  /** Results that were replaced. */
  readonly cleared: number;
  /** Results that were left as they are. */
  readonly kept: number;
  readonly charsSaved: number;
}

function pointer(path: string, chars: number): string {
  return `${NOTE_START}this result of ${chars} characters was moved to ${path} to save room. Read that file if you need it]`;
}

function countResults(entries: readonly TranscriptEntry[]): number {
  let count = 0;
  for (const entry of entries)
    if (entry.type === "user") for (const block of openBlocks(entry)) if (isResult(block)) count += 1;
  return count;
}

/**
 * Put a pointer in place of results of at least `minChars` whose calls are not among the last `keepRecent`. Only text
 * goes; pictures and documents stay. `spared` names calls whose results are left alone. Changes nothing it is given.
 */
export function trim(
  entries: readonly TranscriptEntry[],
  policy: TrimPolicy,
  spared: ReadonlySet<string> = new Set(),
): Trimming {
  const calls = [...callsOf(entries).keys()];
  const old = new Set(calls.slice(0, Math.max(0, calls.length - policy.keepRecent)));
  const files = new Map<string, string>();
  let cleared = 0;
  let charsSaved = 0;
  const lineFor = (entry: TranscriptEntry) => (block: ResultBlock) => {
    const id = block.tool_use_id;
    if (!old.has(id) || spared.has(id) || !isAnswer(entry, block)) return undefined;
    const text = resultText(block);
    if (text === "" || text.length < policy.minChars) return undefined;
    const name = `${shortHash(text)}.txt`;
    const line = pointer(`${policy.spillDirname}/${name}`, text.length);
    if (line.length >= text.length) return undefined;
    files.set(name, text);
    cleared += 1;
    charsSaved += text.length - line.length;
    return line;
  };
  const rewritten = entries.map((entry) =>
    entry.type === "user" ? replaceResults(entry, lineFor(entry)) : entry,
  );
  return {
    entries: rewritten,
    files: [...files].map(([name, content]) => ({ name, content })),
    cleared,
    kept: countResults(entries) - cleared,
    charsSaved,
  };
}
