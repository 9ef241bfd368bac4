// The real harness takes up every recorded session after every rewrite, and every damaged one after mending. The
// scripted API refuses what the real one refuses.

import { describe, expect, it } from "vitest";
import { PruningSessionStore } from "../../src/sessions/pruning-session-store.ts";
import type { SessionStore } from "../../src/sessions/session-store.ts";
import { EphemeralPolicy } from "../../src/transcript/ephemeral-policy.ts";
import { PrunePolicy } from "../../src/transcript/prune-policy.ts";
import { TrimPolicy } from "../../src/transcript/trim-policy.ts";
import { corpusNames, readCorpus } from "../corpus/corpus.ts";
import { DAMAGES } from "../transcript/damages.ts";
import { PLAIN_MODEL, takeUp } from "./take-up.ts";

/** The announcement of the effort in these is behind a compaction, where the harness leaves an empty message for it. */
const WITHOUT_EFFORT = ["compacted"];

type Wrap = (inner: SessionStore, workspace: string) => PruningSessionStore;

const EAGER: Wrap = (inner, workspace) =>
  new PruningSessionStore({
    inner,
    workspace,
    policy: new TrimPolicy({ keepRecent: 0, minChars: 1 }),
    ephemeral: new EphemeralPolicy({ keepRecent: 0 }),
    prune: new PrunePolicy({ keepDenials: 0 }),
  });

const USUAL: Wrap = (inner, workspace) =>
  new PruningSessionStore({
    inner,
    workspace,
    policy: new TrimPolicy({ keepRecent: 1, minChars: 100 }),
    ephemeral: new EphemeralPolicy({ keepRecent: 1 }),
    prune: new PrunePolicy({ keepDenials: 1 }),
  });

const MENDED: Wrap = (inner, workspace) =>
  new PruningSessionStore({ inner, workspace, policy: false, ephemeral: false });

/** Where sparing the last call leaves another history than going as far as it goes. */
const SPARED = ["hook-denials", "killed", "parallel-calls"];

function mains(): readonly string[] {
  return corpusNames().filter((name) => !name.includes(".worker"));
}

function modelFor(name: string): string | undefined {
  return WITHOUT_EFFORT.includes(name) ? PLAIN_MODEL : undefined;
}

describe("a recorded session whose history was rewritten", () => {
  const runs = [
    ...mains().map((name) => [name, "as far as it goes", EAGER] as const),
    ...SPARED.map((name) => [name, "sparing the last call", USUAL] as const),
  ];
  for (const [name, degree, wrap] of runs) {
    it(`${name}, ${degree}, is taken up and answered`, async () => {
      const entries = readCorpus(name);
      const { said, refusals, stored } = await takeUp(entries, wrap, modelFor(name));
      expect(refusals).toEqual([]);
      expect(said).toBe("taken up");
      expect(stored.slice(0, entries.length)).toEqual(entries);
    });
  }

  it("sends the model the pointers and notes in place of the results, and no old denial", async () => {
    const tools = await takeUp(readCorpus("tools-and-thinking"), EAGER);
    expect(tools.raw).toMatch(/moved to \.flower\/spill\/[0-9a-f]{16}\.txt/);
    expect(tools.raw).toContain("[expired: `ls` ran");
    expect(tools.raw).not.toContain("note line 7");
    const denials = await takeUp(readCorpus("hook-denials"), USUAL);
    expect(denials.raw.split("hook error").length - 1).toBe(1);
    expect(denials.raw).toContain("make once-more");
    const interrupted = await takeUp(readCorpus("interrupted"), USUAL);
    expect(interrupted.raw).not.toContain("STOP what you are doing");
    expect(interrupted.raw).toContain("interrupted from outside");
  });

  it("is taken up again and again: what the harness writes hangs on what the rewriting made", async () => {
    const first = await takeUp(readCorpus("killed"), EAGER);
    const second = await takeUp(first.stored, EAGER);
    expect(second.refusals).toEqual([]);
    expect(second.said).toBe("taken up");
    for (const call of ["toolu_scripted_1_1", "toolu_scripted_1_2", "toolu_scripted_1_3"])
      expect(second.raw.split(`"tool_use_id":"${call}"`)).toHaveLength(2);
    expect(second.raw.split("and now?")).toHaveLength(3);
  });
});

describe("a damaged session after mending", () => {
  for (const [name, { entries, kept, gone = [] }] of Object.entries(DAMAGES)) {
    it(`with ${name} is taken up, with everything in it that can be kept`, async () => {
      const { said, refusals, raw } = await takeUp(entries, MENDED, PLAIN_MODEL);
      expect(refusals).toEqual([]);
      expect(said).toBe("taken up");
      expect(kept.filter((text) => !raw.includes(text))).toEqual([]);
      expect(gone.filter((text) => raw.includes(text)).map((text) => text.slice(0, 40))).toEqual([]);
    });
  }
});
