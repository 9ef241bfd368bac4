import { describe, expect, it } from "vitest";
import { defaultWindow, windowOfAgent } from "../../src/agents/default-window.ts";
import { HandoffPolicy } from "../../src/agents/handoff-policy.ts";
import { OptionError } from "../../src/core/errors.ts";

describe("defaultWindow", () => {
  it.each([
    [{}, 1_000_000],
    [{ ANTHROPIC_MODEL: "claude-opus-4" }, 1_000_000],
    [{ ANTHROPIC_MODEL: "claude-haiku-4-5" }, 200_000],
    [{ ANTHROPIC_MODEL: "Claude-HAIKU" }, 200_000],
    [{ ANTHROPIC_MODEL: "claude-haiku-4[1m]" }, 1_000_000],
    [{ ANTHROPIC_MODEL: "haiku-1m-preview" }, 1_000_000],
    [{ ANTHROPIC_MODEL: "haiku-11m" }, 200_000],
    [{ ANTHROPIC_MODEL: "haiku-1max" }, 200_000],
    [{ ANTHROPIC_MODEL: "", ANTHROPIC_DEFAULT_OPUS_MODEL: "haiku" }, 200_000],
    [{ ANTHROPIC_MODEL: "opus", ANTHROPIC_DEFAULT_OPUS_MODEL: "haiku" }, 1_000_000],
  ])("reads %j as %i tokens", (env, window) => {
    expect(defaultWindow(env)).toBe(window);
  });
});

describe("windowOfAgent", () => {
  const configured = { ANTHROPIC_MODEL: "claude-haiku-4-5", ANTHROPIC_DEFAULT_HAIKU_MODEL: "big-1m" };
  it.each([
    [undefined, {}, 1_000_000],
    [undefined, configured, 200_000],
    ["claude-opus-4-5", configured, 1_000_000],
    ["claude-haiku-4-5", {}, 200_000],
    ["haiku", {}, 200_000],
    ["haiku", configured, 1_000_000],
    ["haiku[1m]", { ANTHROPIC_DEFAULT_HAIKU_MODEL: "claude-haiku-4-5" }, 1_000_000],
    ["haiku-like", configured, 200_000],
    ["opus", configured, 1_000_000],
    ["Sonnet", { ANTHROPIC_DEFAULT_SONNET_MODEL: "a-haiku" }, 200_000],
  ])("gives an agent on %s beside %j %i tokens", (model, variables, window) => {
    expect(windowOfAgent(model, variables)).toBe(window);
  });
});

describe("HandoffPolicy", () => {
  it("is on, with a window nobody set, unless told otherwise", () => {
    const policy = new HandoffPolicy();
    expect({ ...policy }).toEqual({
      enabled: true,
      window: 1_000_000,
      headroom: 50_000,
      maxGenerations: 8,
      windowIsExplicit: false,
    });
    expect([policy.at, policy.warnAt]).toEqual([950_000, 930_000]);
  });

  it.each([
    [{ window: 200_000 }, 150_000, 130_000],
    [{ window: 20_000 }, 10_000, 1_000],
    [{ window: 40_000 }, 10_000, 1_000],
    [{ window: 100_000, headroom: 75_000 }, 25_000, 5_000],
    [{ window: 100_000, headroom: 0 }, 100_000, 80_000],
  ])("with %j hands over at %i and warns at %i", (options, at, warnAt) => {
    const policy = new HandoffPolicy(options);
    expect([policy.at, policy.warnAt, policy.windowIsExplicit]).toEqual([at, warnAt, true]);
  });

  it("learns the reported window only in place of a guess", () => {
    const learned = new HandoffPolicy({ headroom: 10_000 }).learnWindow(200_000);
    expect([learned.window, learned.at, learned.windowIsExplicit]).toEqual([200_000, 190_000, false]);
    expect(learned).toBeInstanceOf(HandoffPolicy);
    expect(learned.learnWindow(300_000).window).toBe(300_000);
    const fixed = new HandoffPolicy({ window: 100_000 });
    expect(fixed.learnWindow(200_000)).toBe(fixed);
    expect(learned.learnWindow(Number.NaN)).toBe(learned);
    expect(() => Object.assign(learned, { window: 1 })).toThrow(TypeError);
  });

  it.each([
    { window: 0 },
    { window: -1 },
    { headroom: -1 },
    { maxGenerations: 0.5 },
    { enabled: 1 },
    { windows: 1 },
  ])("refuses %j", (options) => {
    expect(() => new HandoffPolicy(options as never)).toThrow(OptionError);
  });
});
