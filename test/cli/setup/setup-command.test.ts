import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { setupCommand } from "../../../src/cli/commands/setup.ts";
import { userEnvPath } from "../../../src/config/process-env.ts";
import { type } from "../screen-io.ts";

let home = "";
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "flower-setup-"));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

function pipe(input: string) {
  return type(setupCommand, ["setup", "--kind", "token", "--offline"], { HOME: home }, input);
}

describe("flower setup without a terminal", () => {
  it("stores what the lines of standard input say", async () => {
    const { code, err } = await pipe("made-up\nhttp://gw.example\n");
    expect({ code, err }).toEqual({ code: 0, err: "" });
    expect(readFileSync(userEnvPath({ HOME: home }), "utf8")).toContain("ANTHROPIC_AUTH_TOKEN=made-up");
  });

  it.each([
    ["nothing at all", "", "x the key or token: "],
    ["more than it takes", "y".repeat(1_000_001), "x standard input is larger than 1 MB\n"],
  ])("says what is wrong with %s, and stores nothing", async (_name, input, words) => {
    const { code, out, err } = await pipe(input);
    expect({ code, out }).toEqual({ code: 1, out: "" });
    expect(err).toContain(words);
    expect(err).toMatch(/\n {2}next: /);
    expect(existsSync(userEnvPath({ HOME: home }))).toBe(false);
  });
});
