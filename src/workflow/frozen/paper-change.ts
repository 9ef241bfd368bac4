// What it means that a frozen document is not what it was. Pure: texts and moments in, a decision out.

import { sha256 } from "../../core/ids.ts";
import { oneLine } from "../../core/text.ts";

/** What was found in place of a frozen document. */
export type PaperChange = "same" | "removed" | "changed" | "by_flower";

/** A frozen document against what stands in its file. */
export interface PaperFound {
  readonly frozen: string;
  /** Undefined when the file is not there. */
  readonly found: string | undefined;
  /** Hash that whichever flower works in this folder wrote down last. */
  readonly recorded: string | undefined;
}

/** Compare a file with what was frozen. */
export function compareFrozen({ frozen, found, recorded }: PaperFound): PaperChange {
  if (found === undefined) return "removed";
  if (found === frozen) return "same";
  return sha256(found) === recorded ? "by_flower" : "changed";
}

/**
 * What follows: `accept` the file, put back what was frozen (`restore`), or `ask` the person. Who changed a file cannot
 * be known, so the moment decides: while an agent works it is asked about, at any other time it is a person's edit.
 */
export type PaperMove = "none" | "accept" | "restore" | "ask";

/** Decide about a change. A text that is no complete document cannot be worked with, whoever wrote it. */
export function moveFor(
  change: PaperChange,
  at: { readonly isWorking: boolean; readonly isComplete: boolean },
): PaperMove {
  if (change === "same" || change === "by_flower") return "none";
  if (change === "removed" || !at.isComplete) return "restore";
  return at.isWorking ? "ask" : "accept";
}

const SHOWN_LINES = 8;
const SHOWN_CHARS = 160;

/** The lines only one of two texts has, as a person reads them: `- ` before what is gone, `+ ` before what is new. */
export function changedLines(before: string, after: string): string {
  const lines = (text: string) => text.split("\n").filter((line) => line.trim() !== "");
  const [old, now] = [lines(before), lines(after)];
  const gone = old.filter((line) => !now.includes(line)).map((line) => `- ${oneLine(line, SHOWN_CHARS)}`);
  const added = now.filter((line) => !old.includes(line)).map((line) => `+ ${oneLine(line, SHOWN_CHARS)}`);
  const all = [...gone, ...added];
  return [...all.slice(0, SHOWN_LINES), ...(all.length > SHOWN_LINES ? ["…"] : [])].join("\n");
}
