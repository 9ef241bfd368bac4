import { describe, expect, it } from "vitest";
import { HandoffPolicy } from "../../src/agents/handoff-policy.ts";
import { HandoffWindows } from "../../src/runtime/handoff-windows.ts";

describe("HandoffWindows", () => {
  it("guesses by the model an agent asks for, else by the configured one", () => {
    const windows = new HandoffWindows(new HandoffPolicy(), { ANTHROPIC_MODEL: "claude-haiku-4-5" });
    expect(windows.of(undefined).window).toBe(200_000);
    expect(windows.of("claude-opus-4-5").window).toBe(1_000_000);
  });

  it("keeps what it learned of one model from counting for another", () => {
    const windows = new HandoffWindows(new HandoffPolicy({ headroom: 30_000 }), {});
    expect(windows.learn("claude-opus-4-5", 200_000)).toMatchObject({ window: 200_000, headroom: 30_000 });
    expect(windows.learn("claude-opus-4-5", 200_000)).toBeUndefined();
    expect(windows.of("claude-opus-4-5").at).toBe(170_000);
    expect(windows.of("claude-opus-5-5").window).toBe(1_000_000);
    expect(windows.of(undefined).window).toBe(1_000_000);
    expect(windows.learn("claude-opus-4-5", 500_000)?.window).toBe(500_000);
  });

  it("never replaces a window that a person set, whatever the model", () => {
    const windows = new HandoffWindows(new HandoffPolicy({ window: 60_000 }), {});
    expect(windows.of("claude-haiku-4-5").window).toBe(60_000);
    expect(windows.learn("claude-haiku-4-5", 200_000)).toBeUndefined();
  });
});
