// Exit codes, in one place.

import { constants } from "node:os";

/** Done: achieved, or accepted by the person. */
export const EXIT_DONE = 0;
/** Stopped: standard error says what and what to do next. */
export const EXIT_STOPPED = 1;
/** A command line that cannot be. */
export const EXIT_USAGE = 2;
/** Left by a second Ctrl-C. */
export const EXIT_INTERRUPTED = 130;

/** Exit code of a process ended by a signal: 128 and its number. */
export function exitCodeOfSignal(signal: NodeJS.Signals): number {
  return 128 + constants.signals[signal];
}
