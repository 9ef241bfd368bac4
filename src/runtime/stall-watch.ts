// Notices silence: calls back when nothing has been heard for a while, and again while it lasts.

import { timerMs } from "../core/clock.ts";

/** A running watch. */
export interface StallWatch {
  /** Something was heard. */
  touch(): void;
  stop(): void;
}

/** Watch for `seconds` of silence; 0 watches nothing. `onSilence` must not throw. */
export function startStallWatch(seconds: number, onSilence: () => void): StallWatch {
  if (seconds <= 0 || !Number.isFinite(seconds)) return { touch: () => {}, stop: () => {} };
  let timer: NodeJS.Timeout | undefined;
  const arm = () => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      onSilence();
      arm();
    }, timerMs(seconds));
  };
  arm();
  return { touch: arm, stop: () => clearTimeout(timer) };
}
