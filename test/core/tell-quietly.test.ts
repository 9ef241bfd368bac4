import { describe, expect, it } from "vitest";
import { tellQuietly } from "../../src/core/tell-quietly.ts";

describe("telling a listener", () => {
  it("collects what it throws, now or later, and goes on", async () => {
    const errors: unknown[] = [];
    tellQuietly(() => {
      throw new TypeError("now");
    }, errors);
    tellQuietly(async () => {
      throw new TypeError("later");
    }, errors);
    tellQuietly(() => "fine", errors);
    await Promise.resolve();
    expect(errors.map(String)).toEqual(["TypeError: now", "TypeError: later"]);
  });
});
