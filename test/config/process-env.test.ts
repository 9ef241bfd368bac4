import { describe, expect, it } from "vitest";
import { configHome, homeFolder, readProcessEnv, userEnvPath } from "../../src/config/process-env.ts";

describe("readProcessEnv", () => {
  it("is a frozen copy without inherited names", () => {
    const env = readProcessEnv();
    expect(env.PATH).toBe(process.env.PATH);
    expect(env.toString).toBeUndefined();
    expect(Object.isFrozen(env)).toBe(true);
  });
});

describe("configuration folders", () => {
  it.each([
    [{ HOME: "/h" }, "/h/.config/flower/.env"],
    [{ HOME: "/h", XDG_CONFIG_HOME: "/x" }, "/x/flower/.env"],
    [{ HOME: "/h", XDG_CONFIG_HOME: "" }, "/h/.config/flower/.env"],
    [{ HOME: "/h", XDG_CONFIG_HOME: "rel" }, "/h/.config/flower/.env"],
  ])("%j keeps flower's own file at %s", (env, path) => {
    expect(userEnvPath(env)).toBe(path);
    expect(path.startsWith(configHome(env))).toBe(true);
  });

  it("finds a home folder without HOME", () => {
    expect(homeFolder({})).toMatch(/^\//);
  });

  it("never takes an empty HOME for a folder, which would be the current one", () => {
    const before = process.env.HOME;
    try {
      process.env.HOME = "";
      expect(homeFolder({ HOME: "" })).toMatch(/^\//);
    } finally {
      process.env.HOME = before;
    }
  });
});
