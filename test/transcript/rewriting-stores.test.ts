import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { OptionError } from "../../src/core/errors.ts";
import { PruningSessionStore } from "../../src/sessions/pruning-session-store.ts";
import type { SessionKey, SessionStore } from "../../src/sessions/session-store.ts";
import { SqliteSessionStore } from "../../src/sessions/sqlite-session-store.ts";
import { trimReport } from "../../src/sessions/trim-report.ts";
import { TrimmingSessionStore } from "../../src/sessions/trimming-session-store.ts";
import { storeContract } from "../../src/testing/store-contract.ts";
import type { TranscriptEntry } from "../../src/transcript/entry.ts";
import { EphemeralPolicy } from "../../src/transcript/ephemeral-policy.ts";
import { PrunePolicy } from "../../src/transcript/prune-policy.ts";
import { TrimPolicy } from "../../src/transcript/trim-policy.ts";
import { LogOnlyStore, MemorySessionStore } from "../contracts/memory-session-store.ts";
import { assistant, call, result, text, user } from "./entries.ts";

const KEY: SessionKey = { projectKey: "-w", sessionId: "s1" };
const LONG = "a long result\n".repeat(200);
const TRIM = new TrimPolicy({ keepRecent: 0 });

let folder: string;
let workspace: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "flower-rewriting-"));
  workspace = join(folder, "ws");
  mkdirSync(workspace);
});

afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

/** A long result, a stale look, a denial, an API error and a call that was cut off. */
function history(): TranscriptEntry[] {
  return [
    user(1, "begin"),
    assistant(2, [call("t1", "npm test")]),
    user(3, [result("t1", LONG)]),
    assistant(4, [call("t2", "ls")]),
    user(5, [result("t2", "a file")]),
    assistant(6, [call("t3", "make")]),
    user(7, [result("t3", "denied")], { more: { toolDenialKind: "permission-rule" } }),
    assistant(8, [text("API Error")], { more: { isApiErrorMessage: true } }),
    assistant(9, [call("t4", "npm start")]),
  ];
}

function full(inner: SessionStore): PruningSessionStore {
  return new PruningSessionStore({
    inner,
    workspace,
    policy: TRIM,
    ephemeral: new EphemeralPolicy({ keepRecent: 0 }),
    prune: new PrunePolicy({ keepDenials: 0 }),
  });
}

for (const [name, make] of [
  [
    "a trimming store over memory",
    () => new TrimmingSessionStore({ inner: new MemorySessionStore(), workspace: "." }),
  ],
  [
    "a pruning store over memory",
    () => new PruningSessionStore({ inner: new MemorySessionStore(), workspace: "." }),
  ],
  [
    "a pruning store over one with nothing optional",
    () => new PruningSessionStore({ inner: new LogOnlyStore(), workspace: "." }),
  ],
] as const) {
  describe(`${name} keeps the contract`, () => {
    const probe: SessionStore = make();
    for (const promise of storeContract(make)) {
      const isMet = promise.requires.every((method) => typeof probe[method] === "function");
      it.skipIf(!isMet)(promise.name, () => promise.run());
    }
  });
}

describe("a rewriting store", () => {
  it("rewrites what is loaded, puts the files in the workspace, and changes nothing that is stored", async () => {
    const inner = new SqliteSessionStore({ path: join(folder, "sessions.db") });
    const store = full(inner);
    await store.append(KEY, history());
    const loaded = JSON.stringify(await store.load(KEY));
    const [name] = readdirSync(join(workspace, ".flower/spill")).filter((file) => file.endsWith(".txt"));
    expect(loaded).toContain(`.flower/spill/${name}`);
    expect(readFileSync(join(workspace, ".flower/spill", name!), "utf8")).toBe(LONG);
    expect(loaded).not.toContain("a long result");
    expect(loaded).not.toContain("a file");
    expect(loaded).not.toContain("API Error");
    expect(loaded).not.toContain("denied");
    expect(loaded).toContain("no result was recorded");
    expect(await inner.load(KEY)).toEqual(history());
    store.close();
  });

  it("tells what the last load came to, in numbers and in one line", async () => {
    const store = full(new MemorySessionStore());
    await store.append(KEY, history());
    await store.load(KEY);
    expect(store.lastReport).toMatchObject({ expired: 1, cleared: 1, kept: 2 });
    expect(store.lastReport.charsSaved).toBeGreaterThan(2000);
    expect([store.pruned, store.denialsDropped]).toEqual([3, 1]);
    expect(store.repaired.orphanCalls).toBe(1);
    expect(trimReport(store)).toMatch(
      /^1 result trimmed, 2 kept; 1 stale look expired; 3 entries pruned; 1 old denial dropped; 1 fault mended; [\d,]+ characters saved$/,
    );
    await store.load({ ...KEY, subpath: "subagents/agent-a" });
    expect(store.lastReport.cleared).toBe(1);
    await store.load({ ...KEY, sessionId: "other" });
    expect(store.lastReport).toEqual({ expired: 0, cleared: 0, kept: 0, charsSaved: 0 });
    expect(store.pruned).toBe(0);
  });

  it("adds what its workers' transcripts came to", async () => {
    const store = full(new MemorySessionStore());
    await store.append(KEY, history());
    await store.append({ ...KEY, subpath: "subagents/agent-a" }, history());
    await store.load(KEY);
    await store.load({ ...KEY, subpath: "subagents/agent-a" });
    expect(store.lastReport.cleared).toBe(2);
    expect(store.denialsDropped).toBe(2);
  });

  it("leaves out what is turned off", async () => {
    const inner = new MemorySessionStore();
    await inner.append(KEY, history());
    const off = new PruningSessionStore({ inner, workspace, policy: false, ephemeral: false, prune: false });
    expect(await off.load(KEY)).toEqual(history());
    const disabled = new TrimmingSessionStore({
      inner,
      workspace,
      policy: new TrimPolicy({ enabled: false }),
      ephemeral: new EphemeralPolicy({ enabled: false, keepRecent: 0 }),
    });
    expect(await disabled.load(KEY)).toEqual(history());
    expect(existsSync(join(workspace, ".flower"))).toBe(false);
    const trimming = new TrimmingSessionStore({ inner, workspace, policy: TRIM, ephemeral: false });
    const loaded = JSON.stringify(await trimming.load(KEY));
    expect(loaded).toContain(".flower/spill/");
    expect(loaded).toContain("API Error");
  });

  it("loads untrimmed, and says why, when the files cannot be written", async () => {
    writeFileSync(join(workspace, ".flower"), "in the way");
    const store = full(new MemorySessionStore());
    await store.append(KEY, history());
    const loaded = JSON.stringify(await store.load(KEY));
    expect(loaded).toContain("a long result");
    expect(loaded).not.toContain("API Error");
    expect(store.lastReport.cleared).toBe(0);
    expect(store.lastFault).toMatch(/\.flower/);
    expect(trimReport(store)).toContain("nothing trimmed");
  });

  it("writes nothing through a link that leads out of the workspace", async () => {
    const outside = join(folder, "outside");
    mkdirSync(outside);
    symlinkSync(outside, join(workspace, ".flower"));
    const store = full(new MemorySessionStore());
    await store.append(KEY, history());
    expect(JSON.stringify(await store.load(KEY))).toContain("a long result");
    expect(store.lastFault).toContain("out of the workspace");
    expect(readdirSync(join(outside, "spill"))).toEqual([]);
  });

  it("writes a file again that was left short, and leaves one alone that is whole", async () => {
    const store = full(new MemorySessionStore());
    await store.append(KEY, history());
    await store.load(KEY);
    const spill = join(workspace, ".flower/spill");
    const file = join(spill, readdirSync(spill).find((name) => name.endsWith(".txt"))!);
    writeFileSync(file, "half");
    await store.load(KEY);
    expect(readFileSync(file, "utf8")).toBe(LONG);
    chmodSync(spill, 0o555);
    await store.load(KEY);
    chmodSync(spill, 0o755);
    expect(store.lastFault).toBeUndefined();
  });

  it("opens a file by path, and lets the store below be asked and closed", async () => {
    const path = join(folder, "own.db");
    const store = new PruningSessionStore({ path, workspace });
    await store.append(KEY, history());
    expect(store.sqlite?.hasSession("-w", "s1")).toBe(true);
    expect(new TrimmingSessionStore({ inner: store, workspace }).sqlite).toBe(store.sqlite);
    expect(new TrimmingSessionStore({ inner: new MemorySessionStore(), workspace }).sqlite).toBeUndefined();
    store.close();
    await expect(store.load(KEY)).rejects.toMatchObject({ code: "store_closed" });
  });

  it("has the optional methods that the store below has, and no others", async () => {
    expect("listSessions" in new TrimmingSessionStore({ inner: new LogOnlyStore(), workspace })).toBe(false);
    const store = new TrimmingSessionStore({ inner: new MemorySessionStore(), workspace });
    await store.append(KEY, history());
    expect(await store.listSessions?.("-w")).toHaveLength(1);
  });

  it("refuses options that cannot be", () => {
    const inner = new MemorySessionStore();
    const wrong: readonly object[] = [
      { workspace },
      { inner, path: "x", workspace },
      { inner },
      { inner: {}, workspace },
      { inner, workspace, fold: () => ({}) },
      { inner, workspace, policy: {} },
      { inner, workspace, ephemeral: "yes" },
      { inner, workspace, prunes: true },
    ];
    for (const options of wrong)
      expect(() => new PruningSessionStore(options as never), JSON.stringify(options)).toThrow(OptionError);
    expect(() => new TrimmingSessionStore({ inner, workspace, prune: false } as never)).toThrow(
      /unknown option/,
    );
  });
});
