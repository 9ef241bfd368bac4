// One timer for any number of seconds: longer than a Node timer can hold is waited for in parts.

import { MAX_TIMER_MS } from "../core/clock.ts";

/** Call `done` after `seconds`; `Infinity` never fires. Returns what cancels it. */
export function startTimer(seconds: number, done: () => void): () => void {
  if (seconds === Number.POSITIVE_INFINITY) return () => {};
  let left = Math.max(0, seconds * 1000);
  let timer: NodeJS.Timeout;
  const arm = () => {
    const part = Math.min(left, MAX_TIMER_MS);
    left -= part;
    timer = setTimeout(left > 0 ? arm : done, part);
  };
  arm();
  return () => clearTimeout(timer);
}
