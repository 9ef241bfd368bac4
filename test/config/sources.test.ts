import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { gatherSources, type SourcePlaces } from "../../src/config/sources.ts";
import { CredentialsError } from "../../src/core/errors.ts";
import { places, write } from "./cases.ts";

function sourceNamed(where: SourcePlaces, name: string) {
  const found = gatherSources(where).find((each) => each.name === name);
  if (found === undefined) throw new Error(`no source ${name}`);
  return found;
}

describe("gatherSources", () => {
  it("lists every source in order of precedence, with its trust, absent ones too", () => {
    const where = places();
    const cwd = join(where.home, "elsewhere");
    const named = write(join(where.home, "keys", "work.env"), "ANTHROPIC_API_KEY=k\n");
    const all = gatherSources({ ...where, cwd, processEnv: { FLOWER_ENV: named } });
    expect(all.map(({ name, trust, status }) => [name, trust, status])).toEqual([
      ["Runtime.env", 3, "read"],
      ["process environment", 3, "read"],
      ["$FLOWER_ENV (~/keys/work.env)", 3, "read"],
      ["~/project/.env", 1, "absent"],
      ["~/elsewhere/.env", 1, "absent"],
      ["~/.config/flower/.env", 2, "absent"],
      ["~/.claude/settings.json", 2, "absent"],
      ["~/.claude/settings.local.json", 2, "absent"],
    ]);
  });

  it("asks the workspace once when flower was started there", () => {
    const where = places();
    const names = gatherSources({ ...where, cwd: `${where.workspace}/` }).map(({ name }) => name);
    expect(names.filter((name) => name === "~/project/.env")).toHaveLength(1);
  });

  it("takes from a project only credentials, address and models, and says what it left", () => {
    const where = places();
    write(
      join(where.workspace, ".env"),
      "NODE_OPTIONS=x\nPATH=y\nLD_PRELOAD=z\nAWS_PROFILE=p\nHTTPS_PROXY=http://evil\nFLOWER_DIRECT=1\n" +
        "CLAUDE_CODE_USE_BEDROCK=1\nANTHROPIC_CUSTOM_HEADERS=h\nCLAUDE_CODE_OAUTH_TOKEN=o\nANTHROPIC_MODEL=m\n",
    );
    const { values, notes } = sourceNamed(where, "~/project/.env");
    expect({ ...values }).toEqual({ CLAUDE_CODE_OAUTH_TOKEN: "o", ANTHROPIC_MODEL: "m" });
    expect(notes).toEqual([
      "CLAUDE_CODE_USE_BEDROCK is not read from here",
      "ANTHROPIC_CUSTOM_HEADERS is not read from here",
    ]);
  });

  it("takes a cloud's switch and variables from the user's own file", () => {
    const where = places();
    const text = "CLAUDE_CODE_USE_VERTEX=1\nCLOUD_ML_REGION=r\nPATH=y\n";
    write(join(where.home, ".config/flower/.env"), text);
    expect({ ...sourceNamed(where, "~/.config/flower/.env").values }).toEqual({
      CLAUDE_CODE_USE_VERTEX: "1",
      CLOUD_ML_REGION: "r",
    });
  });

  it("takes only the nine keys from the harness's settings", () => {
    const where = places();
    const env = {
      ANTHROPIC_API_KEY: "k",
      CLAUDE_CODE_EFFORT_LEVEL: "high",
      CLAUDE_CODE_OAUTH_TOKEN: "o",
      CLAUDE_CODE_USE_BEDROCK: "1",
      NODE_OPTIONS: "x",
      ANTHROPIC_MODEL: 5,
      ANTHROPIC_BASE_URL: null,
    };
    write(join(where.home, ".claude/settings.json"), `\ufeff${JSON.stringify({ env })}`);
    expect({ ...sourceNamed(where, "~/.claude/settings.json").values }).toEqual({
      ANTHROPIC_API_KEY: "k",
      CLAUDE_CODE_EFFORT_LEVEL: "high",
      ANTHROPIC_MODEL: "5",
    });
  });

  it("follows CLAUDE_CONFIG_DIR and XDG_CONFIG_HOME, and ignores a relative XDG_CONFIG_HOME", () => {
    const where = places();
    const processEnv = { CLAUDE_CONFIG_DIR: "~/cc", XDG_CONFIG_HOME: join(where.home, "xdg") };
    const names = gatherSources({ ...where, processEnv }).map(({ name }) => name);
    expect(names).toEqual(
      expect.arrayContaining(["~/xdg/flower/.env", "~/cc/settings.json", "~/cc/settings.local.json"]),
    );
    expect(
      gatherSources({ ...where, processEnv: { XDG_CONFIG_HOME: "xdg" } }).map(({ name }) => name),
    ).toContain("~/.config/flower/.env");
  });

  it.each([
    ["not JSON", "{", "not JSON"],
    ["a list", "[]", "no object of settings"],
    ["an env that is a list", '{"env": []}', "no object of settings"],
  ])("skips settings that are %s", (_name, text, note) => {
    const where = places();
    write(join(where.home, ".claude/settings.json"), text);
    expect(sourceNamed(where, "~/.claude/settings.json")).toMatchObject({ status: "skipped", notes: [note] });
  });

  const STRANGE: readonly (readonly [string, (path: string) => void, string])[] = [
    ["a folder", (path) => mkdirSync(path), "a folder"],
    ["binary", (path) => writeFileSync(path, "ANTHROPIC_API_KEY=k\0\n"), "not text"],
    ["a named pipe nobody writes to", (path) => execFileSync("mkfifo", [path]), "not a regular file"],
    ["a link to a device", (path) => symlinkSync("/dev/zero", path), "not a regular file"],
    ["a link to itself", (path) => symlinkSync(path, path), "a loop of links"],
    [
      "larger than any configuration",
      (path) => writeFileSync(path, "#".repeat(1_000_001)),
      "larger than 1 MB",
    ],
  ];

  it.each(STRANGE)("skips with a note a file that is %s", (_name, make, note) => {
    const where = places();
    make(join(where.workspace, ".env"));
    expect(sourceNamed(where, "~/project/.env")).toMatchObject({
      status: "skipped",
      notes: [note],
      values: {},
    });
  });

  it("skips with a note a file it may not read", (context) => {
    if (process.getuid?.() === 0) context.skip();
    const where = places();
    chmodSync(write(join(where.workspace, ".env"), "ANTHROPIC_API_KEY=k\n"), 0o000);
    expect(sourceNamed(where, "~/project/.env")).toMatchObject({
      status: "skipped",
      notes: ["not readable"],
    });
  });

  it("notes the line it did not understand, without its value", () => {
    const where = places();
    write(join(where.workspace, ".env"), '\nANTHROPIC_API_KEY="sk-secret\nANTHROPIC_MODEL=m\n');
    const source = sourceNamed(where, "~/project/.env");
    expect(source.notes).toEqual(["line 2: ANTHROPIC_API_KEY: unmatched quote"]);
    expect({ ...source.values }).toEqual({ ANTHROPIC_MODEL: "m" });
  });

  it("leaves out blank values and trims the white space a copied key brings along", () => {
    const where = places({ processEnv: { ANTHROPIC_API_KEY: " k\r\n", ANTHROPIC_AUTH_TOKEN: "  " } });
    expect({ ...sourceNamed(where, "process environment").values }).toEqual({ ANTHROPIC_API_KEY: "k" });
  });

  it.each([
    ["does not exist", undefined, "it does not exist"],
    ["is a folder", "folder", "a folder"],
  ])("refuses to go on when the file named by FLOWER_ENV %s", (_name, kind, why) => {
    const where = places();
    if (kind === "folder") mkdirSync(join(where.home, "named"));
    const gather = () => gatherSources({ ...where, processEnv: { FLOWER_ENV: "~/named" } });
    expect(gather).toThrow(CredentialsError);
    expect(gather).toThrow(`${join(where.home, "named")}: ${why}`);
  });

  it("reads a relative FLOWER_ENV from the folder flower was started in, and an empty one not at all", () => {
    const where = places();
    write(join(where.cwd, "my.env"), "ANTHROPIC_API_KEY=k\n");
    const processEnv = { FLOWER_ENV: "my.env" };
    expect({ ...sourceNamed({ ...where, processEnv }, "$FLOWER_ENV (~/project/my.env)").values }).toEqual({
      ANTHROPIC_API_KEY: "k",
    });
    expect(gatherSources({ ...where, processEnv: { FLOWER_ENV: "" } })[2]?.name).toBe("~/project/.env");
  });
});
