// The text of a tool result, and putting a line in its place: in the block the model reads and in the copy that the
// harness keeps beside it for the screen.

import { isRecord } from "../core/json.ts";
import {
  type Block,
  isResult,
  openBlocks,
  type ResultBlock,
  type TranscriptEntry,
  withBlocks,
} from "./entry.ts";

/** How every line begins that a rewrite puts in place of something; such a line is never replaced again. */
export const NOTE_START = "[flower: ";

/** Fields under which the harness keeps copies of a result's text. */
const COPY_FIELDS = ["stdout", "stderr", "content", "text", "output", "result"];

/** A copy under a name not listed above is known by its length. */
const LONG_CHARS = 200;

function isText(block: unknown): block is Block & { readonly text: string } {
  return isRecord(block) && block.type === "text" && typeof block.text === "string";
}

function isNote(text: string): boolean {
  return text.startsWith(NOTE_START);
}

function textsOf(content: unknown): readonly string[] {
  if (typeof content === "string") return [content];
  return Array.isArray(content) ? content.filter(isText).map((block) => block.text) : [];
}

/** The result's own text, without lines that a rewrite has put there; "" when there is none. */
export function resultText(block: ResultBlock): string {
  if (typeof block.content === "string") return isNote(block.content) ? "" : block.content;
  return textsOf(block.content)
    .filter((text) => !isNote(text))
    .join("\n");
}

/** Whether anything but text is in the result. */
export function hasOtherBlocks(block: ResultBlock): boolean {
  return Array.isArray(block.content) && !block.content.every(isText);
}

/** The content with one line in place of all its text; other blocks, and lines put there before, stay. */
function replaceText(content: unknown, line: string): unknown {
  if (!Array.isArray(content)) return line;
  const at = content.findIndex((block) => isText(block) && !isNote(block.text));
  return content.flatMap((block, i) => {
    if (!isText(block) || isNote(block.text)) return [block];
    return i === at ? [{ type: "text", text: line }] : [];
  });
}

function withoutCopies(value: unknown, line: string, field: string): unknown {
  if (typeof value === "string") {
    const isCopy = value !== "" && (COPY_FIELDS.includes(field) || value.length > LONG_CHARS);
    return isCopy ? line : value;
  }
  if (Array.isArray(value))
    return value.map((item) => withoutCopies(item, line, field === "content" ? "" : field));
  if (!isRecord(value) || value.type === "image" || value.type === "document") return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [name, withoutCopies(item, line, name)]),
  );
}

/** The harness's own copy of a result, with a line in place of its text; the shape stays, screens rely on it. */
function replaceCopy(copy: unknown, line: string): unknown {
  return typeof copy === "string" ? line : withoutCopies(copy, line, "");
}

/**
 * The entry with `lineFor` in place of the text of its results; the entry itself when `lineFor` answers undefined for
 * all of them.
 */
export function replaceResults(
  entry: TranscriptEntry,
  lineFor: (block: ResultBlock) => string | undefined,
): TranscriptEntry {
  const lines = new Map<unknown, string>();
  let lastLine: string | undefined;
  for (const block of openBlocks(entry)) {
    const line = isResult(block) ? lineFor(block) : undefined;
    if (line === undefined) continue;
    lines.set(block, line);
    lastLine = line;
  }
  if (lastLine === undefined) return entry;
  const blocks = openBlocks(entry).map((block) => {
    const line = lines.get(block);
    return line === undefined || !isResult(block)
      ? block
      : { ...block, content: replaceText(block.content, line) };
  });
  const changed = withBlocks(entry, blocks);
  if (entry.toolUseResult === undefined) return changed;
  return { ...changed, toolUseResult: replaceCopy(entry.toolUseResult, lastLine) };
}
