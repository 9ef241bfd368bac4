import { spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import Database from "libsql";
import { describe, expect, it } from "vitest";
import { StoreFolder } from "./store-folder.ts";

const folder = new StoreFolder();
const MAIN = { projectKey: "-w", sessionId: "s" };

interface Told {
  readonly failure?: {
    readonly name: string;
    readonly code: string;
    readonly message: string;
    readonly hint: string;
  };
  readonly stored: number;
  readonly kept: number;
  readonly incomplete: boolean;
}

function entries(from: number, count: number) {
  return Array.from({ length: count }, (_, i) => ({
    type: "user",
    uuid: `${from + i}`,
    text: "z".repeat(1_000),
  }));
}

/** A closed store with some data; written by a process of its own, so that no handle of this one is left on it. */
async function filled(): Promise<string> {
  const path = folder.file();
  const child = folder.child("append", [path, "s", "a", "20", "5"]);
  child.release();
  await child.ended;
  return path;
}

/** An error naming the file and the code, with a next step. */
function failure(code: string, path: string) {
  return expect.objectContaining({
    name: "StoreError",
    code,
    message: expect.stringContaining(path),
    hint: expect.stringContaining(path),
  });
}

function expectUntouched(path: string, code: string): void {
  const before = readFileSync(path);
  expect(() => folder.open({ path })).toThrow(failure(code, path));
  expect(readFileSync(path).equals(before)).toBe(true);
}

describe("a damaged file is named, and left byte for byte as it is", () => {
  it.each([
    ["full of garbage", Buffer.alloc(8_192, 7)],
    ["too short for a header", Buffer.from("hello")],
    ["text", Buffer.from("SQLite format 3 is what this is not. ".repeat(50))],
  ])("when it is %s", (_name, bytes) => {
    const path = folder.file();
    writeFileSync(path, bytes);
    expectUntouched(path, "store_corrupt");
  });

  it("when it is cut off", async () => {
    const path = await filled();
    truncateSync(path, Math.floor(statSync(path).size / 2));
    expectUntouched(path, "store_corrupt");
    truncateSync(path, 4_096);
    expectUntouched(path, "store_corrupt");
  });

  it("when a page in the middle is overwritten, which shows on reading it", async () => {
    const path = await filled();
    const bytes = readFileSync(path);
    bytes.fill(9, 4_096 * 12, bytes.length - 4_096);
    writeFileSync(path, bytes);
    const store = folder.open({ path });
    await expect(store.load(MAIN)).rejects.toEqual(failure("store_corrupt", path));
  });

  it("when a row is not JSON, and says in which transcript", async () => {
    const path = await filled();
    const db = new Database(path);
    db.exec("UPDATE entries SET payload = '{\"type\":' WHERE seq = 3");
    db.close();
    const store = folder.open({ path });
    await expect(store.load(MAIN)).rejects.toMatchObject({
      code: "store_corrupt",
      message: expect.stringMatching(/transcript -w\/s/),
    });
    expect(store.lastContext("-w", "s")).toBe(0);
  });
});

describe("a file that is not for this version or not a store", () => {
  it("is refused before it is touched when a newer flower wrote it", async () => {
    const path = await filled();
    const db = new Database(path);
    db.exec("PRAGMA journal_mode = DELETE");
    db.exec("PRAGMA user_version = 1");
    db.close();
    expectUntouched(path, "store_newer_schema");
  });

  it("is refused when another program's tables have the names, and is not added to", () => {
    const path = folder.file();
    const db = new Database(path);
    db.exec("CREATE TABLE entries (id INTEGER PRIMARY KEY, title TEXT)");
    db.close();
    expect(() => folder.open({ path })).toThrow(failure("store_cannot_open", path));
    const again = new Database(path);
    expect(again.prepare("SELECT name FROM sqlite_master WHERE type = 'table'").all()).toEqual([
      { name: "entries" },
    ]);
    again.close();
  });
});

describe("a path where no file can be", () => {
  it("is named: a folder, or below a file", () => {
    const inAFile = join(folder.file(), "sessions.db");
    writeFileSync(join(inAFile, ".."), "a file");
    expect(() => folder.open({ path: inAFile })).toThrow(failure("store_cannot_open", inAFile));
    const isAFolder = folder.file();
    mkdirSync(isAFolder);
    expect(() => folder.open({ path: isAFolder })).toThrow(failure("store_cannot_open", isAFolder));
  });

  it("is made when only folders are missing", async () => {
    const store = folder.open({ path: join(folder.path, "new", "deep", "sessions.db") });
    await store.append(MAIN, entries(0, 1));
    expect(await store.load(MAIN)).toHaveLength(1);
  });
});

/** Root may write whatever the mode bits say, so as root the child is somebody else, if that one can read the code. */
const isRoot = process.getuid?.() === 0;
const NOBODY = 65_534;
const fill = fileURLToPath(new URL("children/fill.mjs", import.meta.url));
const canBeNobody =
  isRoot &&
  spawnSync(process.execPath, ["-e", `require("fs").readFileSync(${JSON.stringify(fill)})`], {
    uid: NOBODY,
    gid: NOBODY,
    env: { PATH: process.env.PATH ?? "" },
  }).status === 0;

describe.skipIf(process.platform === "win32" || (isRoot && !canBeNobody))(
  "a store that may only be read",
  () => {
    async function tell(path: string): Promise<Told> {
      return folder.child("fill", [path], isRoot ? { uid: NOBODY } : {}).answer<Told>();
    }

    it.each([
      ["file", 0o444, 0o777],
      ["folder", 0o666, 0o555],
      ["file and folder", 0o444, 0o555],
    ])(
      "because of its %s is named when it is opened, not at the first append",
      async (_what, fileMode, folderMode) => {
        const place = folder.file();
        mkdirSync(place);
        chmodSync(folder.path, 0o755);
        const path = join(place, "sessions.db");
        const child = folder.child("append", [path, "s", "a", "2", "5"]);
        child.release();
        await child.ended;
        chmodSync(path, fileMode);
        chmodSync(place, folderMode);
        const before = readFileSync(path);
        const told = await tell(path);
        expect(told.failure).toEqual(failure("store_readonly", path));
        expect(told.kept).toBeUndefined();
        expect(readFileSync(path).equals(before)).toBe(true);
        chmodSync(place, 0o755);
      },
    );

    it("cannot be made in a folder that may only be read", async () => {
      const place = folder.file();
      mkdirSync(place);
      chmodSync(folder.path, 0o755);
      chmodSync(place, 0o555);
      const path = join(place, "sessions.db");
      expect((await tell(path)).failure).toEqual(failure("store_cannot_open", path));
      chmodSync(place, 0o755);
    });
  },
);

describe.skipIf(process.platform === "win32")("a file that may not grow", () => {
  it("surfaces as store_full; what was stored stays, all of it and nothing half, and the session counts as incomplete", async () => {
    const path = folder.file();
    const told = await folder.child("fill", [path], { shell: "ulimit -f 400" }).answer<Told>();
    expect(told.failure).toEqual(failure("store_full", path));
    expect(told.stored).toBeGreaterThan(10);
    expect(told.kept).toBe(told.stored);
    expect(told.incomplete).toBe(true);
    const store = folder.open({ path });
    expect(await store.load(MAIN)).toHaveLength(told.stored);
    await store.append(MAIN, entries(told.stored, 5));
    expect(await store.load(MAIN)).toHaveLength(told.stored + 5);
  });
});

describe("a file another process has locked", () => {
  async function locked() {
    const store = folder.open({ lockWaitS: 0.4 });
    await store.append(MAIN, entries(0, 1));
    const holder = folder.child("hold-lock", [store.path]);
    await holder.said(1);
    return { store, holder };
  }

  it("is waited for in bounded time, then named; nothing is stored and later appends work", async () => {
    const { store, holder } = await locked();
    const started = Date.now();
    await expect(store.append(MAIN, entries(1, 1))).rejects.toEqual(failure("store_locked", store.path));
    expect(Date.now() - started).toBeGreaterThanOrEqual(400);
    expect(Date.now() - started).toBeLessThan(3_000);
    expect(() => store.claimProject("-w", "/w")).toThrow(failure("store_locked", store.path));
    expect(await store.load(MAIN)).toHaveLength(1);
    holder.release();
    await holder.ended;
    await store.append(MAIN, entries(2, 1));
    expect((await store.load(MAIN))?.map((entry) => entry.uuid)).toEqual(["0", "2"]);
  });

  it("keeps what waits in order and lets the rest of the program run meanwhile", async () => {
    const { store, holder } = await locked();
    let ticks = 0;
    const ticking = setInterval(() => {
      ticks += 1;
      if (ticks === 2) holder.release();
    }, 5);
    const appends = [1, 2, 3].map((n) => store.append(MAIN, entries(n, 1)));
    expect(store.hasSession("-w", "s")).toBe(true);
    await Promise.all(appends);
    clearInterval(ticking);
    expect(ticks).toBeGreaterThanOrEqual(2);
    expect((await store.load(MAIN))?.map((entry) => entry.uuid)).toEqual(["0", "1", "2", "3"]);
  });

  it("keeps a mark that cannot be written, and writes it with the next append", async () => {
    const { store, holder } = await locked();
    store.markIncomplete("-w", "s", "append failed");
    expect(store.isIncomplete("-w", "s")).toBe(true);
    holder.release();
    await holder.ended;
    await store.append(MAIN, entries(1, 1));
    expect(folder.open({ path: store.path }).isIncomplete("-w", "s")).toBe(true);
  });

  it("gets a last try at closing, and what fails then says so", async () => {
    const { store, holder } = await locked();
    const refused = expect(store.append(MAIN, entries(1, 1))).rejects.toEqual(
      failure("store_locked", store.path),
    );
    store.close();
    await refused;
    holder.release();
    await holder.ended;
  });

  it("cannot be opened anew for writing while it is held", async () => {
    const { store, holder } = await locked();
    expect(() => folder.open({ path: store.path, lockWaitS: 0.2 })).toThrow(
      failure("store_locked", store.path),
    );
    holder.release();
    await holder.ended;
    expect(await folder.open({ path: store.path }).load(MAIN)).toHaveLength(1);
  });
});

describe("a store whose file is gone", () => {
  it("starts empty, as on the first day, only when there is no file at all", async () => {
    const path = await filled();
    rmSync(path);
    expect(await folder.open({ path }).load(MAIN)).toBeNull();
  });
});
