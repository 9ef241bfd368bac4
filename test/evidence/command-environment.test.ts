import { describe, expect, it } from "vitest";
import { commandEnvironment } from "../../src/evidence/command-environment.ts";

describe("where a command finds its programs", () => {
  it.each([
    [
      "relative folders and those of the work are left out",
      { PATH: ".::bin:/w:/w/bin:/wide/bin:/usr/bin" },
      "/wide/bin:/usr/bin",
    ],
    [
      "a virtual environment the person has chosen stays",
      { PATH: "/w/.venv/bin:/w/bin:/bin", VIRTUAL_ENV: "/w/.venv" },
      "/w/.venv/bin:/bin",
    ],
    ["no PATH is none", {}, ""],
  ])("%s", (_, env, path) => {
    expect(commandEnvironment(env, "/w").PATH).toBe(path);
  });

  it("is all of PATH where the work is the whole machine", () => {
    expect(commandEnvironment({ PATH: "bin:/usr/bin:/bin" }, "/").PATH).toBe("/usr/bin:/bin");
  });

  it("holds what toolchains and a display need and speaks one language", () => {
    const env = { HOME: "/h", CARGO_HOME: "/c", DISPLAY: ":0", LANG: "pt_BR.UTF-8", CI: "1", TOKEN: "x" };
    expect(commandEnvironment(env, "/w")).toEqual({
      ...{ HOME: "/h", CARGO_HOME: "/c", DISPLAY: ":0", PATH: "", TERM: "dumb" },
      ...{ LANG: expect.stringContaining("UTF-8"), LC_ALL: expect.stringContaining("UTF-8") },
    });
  });
});
