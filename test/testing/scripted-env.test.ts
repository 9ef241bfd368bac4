import { describe, expect, it } from "vitest";
import { DUMMY_KEY, scriptedEnv } from "../../src/testing/scripted-env.ts";

const BASE = { home: "/tmp/h", apiUrl: "http://127.0.0.1:9", path: "/bin" };

describe("scriptedEnv", () => {
  it("is complete, quiet, and carries nothing but what it was given", () => {
    expect(scriptedEnv(BASE)).toEqual({
      PATH: "/bin",
      HOME: "/tmp/h",
      LANG: "C.UTF-8",
      TZ: "UTC",
      ANTHROPIC_BASE_URL: "http://127.0.0.1:9",
      ANTHROPIC_API_KEY: DUMMY_KEY,
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
      CLAUDE_CODE_ENABLE_TASKS: "0",
      CLAUDE_CODE_MAX_RETRIES: "2",
      DISABLE_AUTOUPDATER: "1",
      DISABLE_ERROR_REPORTING: "1",
      DISABLE_TELEMETRY: "1",
    });
  });

  it("lets added variables win and refuses options it does not know", () => {
    const env = scriptedEnv({ ...BASE, apiKey: "k", extra: { LANG: "pt_PT.UTF-8", FLOWER_LANG: "pt" } });
    expect(env).toMatchObject({ ANTHROPIC_API_KEY: "k", LANG: "pt_PT.UTF-8", FLOWER_LANG: "pt" });
    expect(() => scriptedEnv({ ...BASE, url: "x" } as never)).toThrow(
      expect.objectContaining({ code: "unknown_option" }),
    );
  });
});
