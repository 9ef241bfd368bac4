// Blocks that the API refuses on every later request: thoughts without a signature, text with half a character in it,
// pictures beyond its limits.

import { isRecord } from "../core/json.ts";
import type { Draft } from "./draft.ts";
import { isProtected, isResult, messageOf, openBlocks, type TranscriptEntry } from "./entry.ts";
import { imageFault } from "./image-limit.ts";
import { NOTE_START } from "./result-text.ts";

/** The value with U+FFFD for every lone surrogate, or the very same value when there is none. */
function wellFormed(value: unknown): unknown {
  if (typeof value === "string") return value.isWellFormed() ? value : value.toWellFormed();
  if (Array.isArray(value)) {
    const items = value.map(wellFormed);
    return items.some((item, i) => item !== value[i]) ? items : value;
  }
  if (!isRecord(value)) return value;
  let isChanged = false;
  const fields = Object.entries(value).map(([name, item]) => {
    const mended = wellFormed(item);
    const mendedName = name.isWellFormed() ? name : name.toWellFormed();
    if (mended !== item || mendedName !== name) isChanged = true;
    return [mendedName, mended] as const;
  });
  return isChanged ? Object.fromEntries(fields) : value;
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
  const { message } = entry;
  const mended = wellFormed(message);
  return mended === message ? entry : { ...entry, message: mended };
}

/** Mend or take out what the API would refuse by itself; how many blocks and texts that were. */
export function mendBlocks(draft: Draft): number {
  let mended = 0;
  for (const [at, entry] of draft.remaining()) {
    if (messageOf(entry) === undefined || isProtected(entry)) continue;
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
  }
  return mended;
}
