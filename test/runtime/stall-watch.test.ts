import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { startStallWatch } from "../../src/runtime/stall-watch.ts";

describe("a watch over silence", () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it("calls after so much silence, again while it lasts, and not once something is heard in time", () => {
    let calls = 0;
    const watch = startStallWatch(10, () => {
      calls += 1;
    });
    vi.advanceTimersByTime(9_999);
    watch.touch();
    vi.advanceTimersByTime(9_999);
    expect(calls).toBe(0);
    vi.advanceTimersByTime(1);
    expect(calls).toBe(1);
    vi.advanceTimersByTime(10_000);
    expect(calls).toBe(2);
    watch.stop();
    vi.advanceTimersByTime(60_000);
    expect(calls).toBe(2);
  });

  it.each([0, -1, Number.POSITIVE_INFINITY, Number.NaN])("of %s seconds watches nothing", (seconds) => {
    const watch = startStallWatch(seconds, () => expect.unreachable());
    watch.touch();
    vi.advanceTimersByTime(3_600_000);
    watch.stop();
  });
});
