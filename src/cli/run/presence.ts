// Is anybody there to answer? Decided once, before the channel is made.

import type { LineSource } from "./line-source.ts";

/** Time a pipe gets to show its lines and its end; one that is at its end shows it at once. */
const LOOK_MS = 150;
/** A question waits this long for a pipe that is open and says nothing: nobody may be behind it, as in most CI. */
const PIPE_PATIENCE_S = 5;
/** Answers piped in beforehand are given the moment a question is put; past them nobody is there. */
const BUFFERED_S = 0.05;

/** Who is there. */
export interface Presence {
  /** For the channel; undefined leaves its own default. */
  readonly timeoutS: number | undefined;
  /** True when no person will answer, so that the run says how to change that. */
  readonly nobody: boolean;
}

/** Pure part: from what is known to how long a question waits. */
export function presenceOf(input: {
  readonly isTty: boolean;
  readonly timeout: number | undefined;
  readonly ended: boolean;
  readonly lines: number;
}): Presence {
  const { timeout } = input;
  if (timeout !== undefined) return { timeoutS: timeout, nobody: timeout <= 0 };
  if (input.isTty) return { timeoutS: undefined, nobody: false };
  if (!input.ended) return { timeoutS: PIPE_PATIENCE_S, nobody: input.lines === 0 };
  return input.lines === 0 ? { timeoutS: 0, nobody: true } : { timeoutS: BUFFERED_S, nobody: false };
}

/** Look at standard input and decide. */
export async function lookForPerson(
  lines: LineSource,
  input: { readonly isTty: boolean; readonly timeout: number | undefined },
): Promise<Presence> {
  if (!input.isTty) await lines.settle(LOOK_MS);
  return presenceOf({ ...input, ended: lines.ended, lines: lines.waiting });
}
