import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { DiskError } from "../../src/core/errors.ts";
import { keepAside, readJson, writeAtomic } from "../../src/core/json.ts";
import { withLock } from "../../src/core/lock.ts";

const folder = () => mkdtempSync(join(tmpdir(), "flower-core-"));

function thrown(work: () => void): unknown {
  try {
    work();
  } catch (error) {
    return error;
  }
  return undefined;
}

describe("writeAtomic", () => {
  it("replaces a file whole and leaves nothing beside it", () => {
    const dir = folder();
    writeAtomic(join(dir, "a/b.json"), "1");
    writeAtomic(join(dir, "a/b.json"), "2");
    expect(readFileSync(join(dir, "a/b.json"), "utf8")).toBe("2");
    expect(readdirSync(join(dir, "a"))).toEqual(["b.json"]);
  });

  it("keeps the old text where the new one does not fit, instead of a part of it", () => {
    const path = join(folder(), "book.json");
    writeFileSync(path, "old");
    const child = fileURLToPath(new URL("children/replace-book.mjs", import.meta.url));
    // 8 blocks of 1,024 bytes: the first part of the text fits, and a write says so without an error.
    const line = `ulimit -f 8; exec "${process.execPath}" "${child}" "${path}"`;
    const done = spawnSync("bash", ["-c", line], { env: { PATH: process.env.PATH } });
    expect(done.status).toBe(0);
    expect(readFileSync(path, "utf8")).toBe("old");
    expect(readdirSync(dirname(path))).toEqual(["book.json"]);
  });

  it("names the path when it cannot write, also below something that is no folder", () => {
    const dir = folder();
    writeFileSync(join(dir, "file"), "x");
    const error = thrown(() => writeAtomic(join(dir, "file/inside.json"), "1"));
    expect(error).toBeInstanceOf(DiskError);
    expect(error).toMatchObject({ code: "write_failed", message: expect.stringContaining("inside.json") });
  });
});

describe("readJson and keepAside", () => {
  it("tells absent from damaged, and moves a damaged file aside without losing it", () => {
    const path = join(folder(), "x.json");
    expect(readJson(path)).toEqual({ kind: "absent" });
    writeFileSync(path, '{"a":');
    expect(readJson(path).kind).toBe("damaged");
    const aside = keepAside(path);
    expect(existsSync(path)).toBe(false);
    expect(readFileSync(aside ?? "", "utf8")).toBe('{"a":');
  });
});

describe("withLock", () => {
  it("gives the result and removes the lock, also when the work throws", () => {
    const path = join(folder(), "book.json");
    expect(withLock(path, () => 7)).toBe(7);
    thrown(() =>
      withLock(path, () => {
        throw new TypeError("x");
      }),
    );
    expect(existsSync(`${path}.lock`)).toBe(false);
  });

  it("takes over from a dead holder at once", () => {
    const path = join(folder(), "book.json");
    const dead = spawnSync(process.execPath, ["-e", ""]).pid;
    writeFileSync(`${path}.lock`, JSON.stringify({ pid: dead, start: "1" }));
    expect(withLock(path, () => "mine", 1_000)).toBe("mine");
  });

  it("gives up on a live holder after its bound and says which file it is", () => {
    const path = join(folder(), "book.json");
    const outer = thrown(() => withLock(path, () => withLock(path, () => 1, 50)));
    expect(outer).toMatchObject({ code: "lock_timeout", hint: expect.stringContaining(`${path}.lock`) });
  });

  it("says what is wrong when the folder cannot be", () => {
    const dir = folder();
    writeFileSync(join(dir, "file"), "x");
    expect(thrown(() => withLock(join(dir, "file/book.json"), () => 1))).toBeInstanceOf(DiskError);
  });
});
