// Time: epoch seconds for records, bounded sleeping for everything that waits.

/** Longest delay a Node timer can hold; a longer one would fire at once. */
export const MAX_TIMER_MS = 2_147_483_647;

/** Epoch seconds, as the books record them. */
export function epochS(): number {
  return Date.now() / 1000;
}

/** Milliseconds of `seconds`, clamped to what a timer can hold. */
export function timerMs(seconds: number): number {
  return Math.max(0, Math.min(seconds * 1000, MAX_TIMER_MS));
}

/** Wait; resolves early (never rejects) when the signal aborts. */
export function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted) return resolve();
    const done = () => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", done);
      resolve();
    };
    const timer = setTimeout(done, Math.min(ms, MAX_TIMER_MS));
    signal?.addEventListener("abort", done, { once: true });
  });
}

/**
 * What a promise gives, or what `late` gives or throws once it has taken too long. No timer is left behind: one that was
 * would keep a program alive that has nothing else to do.
 */
export async function within<T, L>(ms: number, promise: Promise<T>, late: () => L): Promise<T | L> {
  let timer: NodeJS.Timeout | undefined;
  const over = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, Math.min(ms, MAX_TIMER_MS));
  });
  try {
    return await Promise.race([promise, over.then(late)]);
  } finally {
    clearTimeout(timer);
  }
}
