import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseEnvFile } from "../../src/config/env-file.ts";
import { mergeEnvText, writeUserEnv } from "../../src/config/user-env.ts";
import { FlowerError } from "../../src/core/errors.ts";

function fresh(): string {
  return mkdtempSync(join(tmpdir(), "flower-user-env-"));
}

function codeOf(action: () => void): string {
  try {
    action();
  } catch (error) {
    if (error instanceof FlowerError) return error.code;
    throw error;
  }
  return "none";
}

describe("mergeEnvText", () => {
  it.each([
    [
      "replaces in place and keeps every other line",
      "# mine\nA=1\nK=old # c\nB='2'\n",
      "# mine\nA=1\nK=new\nB='2'\n",
    ],
    ["appends what was not there, after a missing last newline", "A=1", "A=1\nK=new\n"],
    ["starts an empty file", "", "K=new\n"],
    ["leaves one of several assignments", "K=1\nA=1\nK=2\n", "A=1\nK=new\n"],
    ["replaces a value of several lines whole", 'K="x\ny"\nA=1\n', "K=new\nA=1\n"],
    ["drops a byte-order mark and carriage returns", "\ufeff# c\r\n", "# c\nK=new\n"],
    ["keeps an export", "export K=1\n", "export K=new\n"],
    ["keeps a line with a stray quote as a comment", 'A="x\nK=1\n', '# A="x\nK=new\n'],
  ])("%s", (_name, before, after) => {
    expect(mergeEnvText(before, { K: "new" })).toBe(after);
  });

  it("removes a key given as undefined, and leaves alone one that was not there", () => {
    expect(mergeEnvText("K=1\nA=2\nK=3\n", { K: undefined, Z: undefined })).toBe("A=2\n");
  });

  it("sets exactly what was asked and changes no other value, whatever stands in the file", () => {
    const bits = fc.constantFrom(
      '"',
      "'",
      "\n",
      "=",
      "#",
      " ",
      "A",
      "K",
      "B",
      "\\",
      "export ",
      "x",
      "A=",
      "K=",
      "\nB='",
    );
    const file = fc.array(bits, { maxLength: 40 }).map((parts) => parts.join(""));
    const value = fc.string({ unit: fc.constantFrom('"', "'", "\n", "\r", "#", " ", "\\", "a", "$", "=") });
    fc.assert(
      fc.property(file, value, fc.option(value, { nil: undefined }), (text, k, n) => {
        const after = parseEnvFile(mergeEnvText(text, { K: k, NEW: n }));
        const expected = { ...parseEnvFile(text), K: k, ...(n === undefined ? {} : { NEW: n }) };
        expect({ ...after }).toEqual(expected);
      }),
      { numRuns: 1000 },
    );
  });
});

describe("writeUserEnv", () => {
  it("makes folder and file for the owner alone, even where they were open before", () => {
    const folder = join(fresh(), "config", "flower");
    const path = join(folder, ".env");
    writeUserEnv(path, { ANTHROPIC_API_KEY: "k v" });
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    const open = join(fresh(), "flower");
    mkdirSync(open, { mode: 0o755 });
    writeFileSync(join(open, ".env"), "A=1\n", { mode: 0o644 });
    writeUserEnv(join(open, ".env"), { B: "2" });
    expect(statSync(open).mode & 0o777).toBe(0o700);
    expect(statSync(join(open, ".env")).mode & 0o777).toBe(0o600);
    expect(readFileSync(join(open, ".env"), "utf8")).toBe("A=1\nB=2\n");
    expect(readdirSync(open)).toEqual([".env"]);
  });

  it("round-trips any value a file can keep", () => {
    const path = join(fresh(), ".env");
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), (value) => {
        fc.pre(!value.includes("\0"));
        writeUserEnv(path, { KEY: value });
        expect(parseEnvFile(readFileSync(path, "utf8")).KEY).toBe(value);
      }),
      { numRuns: 30 },
    );
  });

  it("refuses to write through a symbolic link, and leaves link and target as they were", () => {
    const folder = fresh();
    const target = join(folder, "dotfiles");
    writeFileSync(target, "A=1\n");
    symlinkSync(target, join(folder, ".env"));
    expect(codeOf(() => writeUserEnv(join(folder, ".env"), { K: "secret" }))).toBe("env_is_symlink");
    expect(readFileSync(target, "utf8")).toBe("A=1\n");
  });

  it.each([
    ["a folder", (path: string) => mkdirSync(path)],
    ["binary", (path: string) => writeFileSync(path, "a\0b")],
  ])("refuses to replace what is %s", (_name, make) => {
    const path = join(fresh(), ".env");
    make(path);
    expect(codeOf(() => writeUserEnv(path, { K: "v" }))).toBe("env_unreadable");
  });

  it.each([
    ["bad_env_name", { "A B": "1" }],
    ["bad_env_name", { "": "1" }],
    ["bad_env_value", { A: "x\0" }],
    ["bad_env_value", { A: "\ud800" }],
  ])("refuses with %s before touching anything", (code, changes) => {
    const path = join(fresh(), "new", ".env");
    expect(codeOf(() => writeUserEnv(path, changes))).toBe(code);
    expect(() => statSync(join(path, ".."))).toThrow();
  });

  it("says so when the folder cannot be made", () => {
    const file = join(fresh(), "file");
    writeFileSync(file, "");
    expect(codeOf(() => writeUserEnv(join(file, "flower", ".env"), { K: "v" }))).toBe("write_failed");
  });
});
