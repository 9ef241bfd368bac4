import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { within } from "../../src/core/clock.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it("what comes in time counts, what comes late does not, and no timer is left behind either way", async () => {
  const late = vi.fn(() => "late");
  await expect(within(1000, Promise.resolve("in time"), late)).resolves.toBe("in time");
  expect(vi.getTimerCount()).toBe(0);
  await vi.advanceTimersByTimeAsync(1000);
  expect(late).not.toHaveBeenCalled();
  const waiting = within(1000, new Promise<string>(() => {}), late);
  await vi.advanceTimersByTimeAsync(1000);
  await expect(waiting).resolves.toBe("late");
  expect(vi.getTimerCount()).toBe(0);
});

it("a fault is passed on, its own and that of being late, and no timer is left behind", async () => {
  await expect(within(1000, Promise.reject(new TypeError("own")), () => "late")).rejects.toThrow("own");
  expect(vi.getTimerCount()).toBe(0);
  const waiting = expect(
    within(1000, new Promise<string>(() => {}), () => {
      throw new TypeError("late");
    }),
  ).rejects.toThrow("late");
  await vi.advanceTimersByTimeAsync(1000);
  await waiting;
});
