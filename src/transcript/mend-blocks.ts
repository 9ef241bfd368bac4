// Blocks that the API refuses on every later request: thoughts without a signature, text with half a character in it,
// pictures beyond its limits.

import { isRecord } from "../core/json.ts";
import type { Draft } from "./draft.ts";
import { isProtected, isResult, messageOf, openBlocks, type TranscriptEntry } from "./entry.ts";
import { imageFault } from "./image-limit.ts";
import { NOTE_START } from "./result-text.ts";

function isWellFormed(value: unknown): boolean {
  if (typeof value === "string") return value.isWellFormed();
  if (typeof value !== "object" || value === null) return true;
  if (Array.isArray(value)) return value.every(isWellFormed);
  const fields = value as Readonly<Record<string, unknown>>;
  for (const name in fields) if (!name.isWellFormed() || !isWellFormed(fields[name])) return false;
  return true;
}

/** The value with U+FFFD for every lone surrogate. */
function wellFormed(value: unknown): unknown {
  if (typeof value === "string") return value.toWellFormed();
  if (Array.isArray(value)) return value.map(wellFormed);
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [name.toWellFormed(), wellFormed(item)]),
  );
}

function isUnsignedThought(block: unknown): boolean {
  if (!isRecord(block) || block.type !== "thinking") return false;
  return typeof block.signature !== "string" || block.signature === "";
}

/** A note in the place of a picture the API refuses, in the block itself or in a result. */
function withoutRefusedImage(block: unknown): unknown {
  const fault = imageFault(block);
  if (fault !== undefined)
    return { type: "text", text: `${NOTE_START}a picture stood here that cannot be sent: ${fault}]` };
  if (!isResult(block) || !Array.isArray(block.content)) return block;
  const content = block.content.map(withoutRefusedImage);
  return content.some((part, i) => part !== (block.content as unknown[])[i]) ? { ...block, content } : block;
}

function mendText(entry: TranscriptEntry): TranscriptEntry {
  const message = messageOf(entry);
  if (message === undefined || isWellFormed(message.content)) return entry;
  return { ...entry, message: { ...message, content: wellFormed(message.content) } };
}

/** Mend or take out what the API would refuse by itself; how many blocks and texts that were. */
export function mendBlocks(draft: Draft): number {
  let mended = 0;
  draft.visit((entry, at) => {
    if (messageOf(entry) === undefined || isProtected(entry)) return;
    const sound = mendText(entry);
    if (sound !== entry) {
      draft.replace(at, sound);
      mended += 1;
    }
    const blocks = openBlocks(sound);
    const left = entry.type === "assistant" ? blocks.filter((block) => !isUnsignedThought(block)) : blocks;
    const light = left.map(withoutRefusedImage);
    const replaced = light.filter((block, i) => block !== left[i]).length;
    if (replaced > 0 && entry.toolUseResult !== undefined)
      draft.replace(at, { ...sound, toolUseResult: `${NOTE_START}a picture that cannot be sent]` });
    if (replaced > 0 || left.length < blocks.length) draft.keepBlocks(at, light);
    mended += replaced + blocks.length - left.length;
  });
  return mended;
}
