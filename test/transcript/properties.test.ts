// The red lines, over transcripts made up, sound and damaged, and over the recorded ones.

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { TranscriptEntry } from "../../src/transcript/entry.ts";
import { EphemeralPolicy } from "../../src/transcript/ephemeral-policy.ts";
import { PrunePolicy } from "../../src/transcript/prune-policy.ts";
import { type RewritePolicies, rewrite } from "../../src/transcript/rewrite.ts";
import { TrimPolicy } from "../../src/transcript/trim-policy.ts";
import { corpusNames, readCorpus } from "../corpus/corpus.ts";
import { damagedTranscript, soundTranscript } from "./generated.ts";
import {
  callIds,
  deepFreeze,
  expectPaired,
  expectRooted,
  expectSameMedia,
  expectUntouched,
} from "./red-lines.ts";

const policies: fc.Arbitrary<RewritePolicies> = fc.record({
  trim: fc.option(
    fc
      .record({ keepRecent: fc.nat(3), minChars: fc.integer({ min: 1, max: 250 }) })
      .map((o) => new TrimPolicy(o)),
    { nil: undefined },
  ),
  ephemeral: fc.option(
    fc.record({ keepRecent: fc.nat(3), maxChars: fc.nat(300) }).map((o) => new EphemeralPolicy(o)),
    { nil: undefined },
  ),
  prune: fc.record({ keepDenials: fc.nat(2) }).map((o) => new PrunePolicy(o)),
});

/** Every policy at its most eager. */
const EAGER: RewritePolicies = {
  trim: new TrimPolicy({ keepRecent: 0, minChars: 1 }),
  ephemeral: new EphemeralPolicy({ keepRecent: 0 }),
  prune: new PrunePolicy({ keepDenials: 0 }),
};

function expectRedLines(
  given: readonly TranscriptEntry[],
  chosen: RewritePolicies,
): readonly TranscriptEntry[] {
  const { entries } = rewrite(deepFreeze(given), chosen);
  expectPaired(entries);
  expectRooted(entries);
  expectUntouched(given, entries);
  expect(rewrite(entries, chosen).entries).toEqual(entries);
  return entries;
}

describe("any rewriting of any transcript", () => {
  it("keeps the red lines on what an unharmed harness leaves", () => {
    fc.assert(
      fc.property(soundTranscript, policies, (given, chosen) => {
        expectSameMedia(given, expectRedLines(given, chosen));
      }),
      { numRuns: 150 },
    );
  });

  it("keeps them on damaged transcripts, which come out sound", () => {
    fc.assert(
      fc.property(damagedTranscript, policies, (given, chosen) => {
        expectRedLines(given, chosen);
      }),
      { numRuns: 250 },
    );
  });

  it("keeps calls and results in pairs, and threads whole, where nothing is healed", () => {
    const prune = new PrunePolicy({ keepDenials: 0, healOrphans: false });
    fc.assert(
      fc.property(soundTranscript, policies, (given, chosen) => {
        const { entries } = rewrite(deepFreeze(given), { ...chosen, prune });
        expectPaired(entries);
        expectRooted(entries);
      }),
    );
  });

  it("hands on the very entries it does not change, and all of them when every policy is off", () => {
    fc.assert(
      fc.property(damagedTranscript, (given) => {
        const off = { trim: undefined, ephemeral: undefined, prune: undefined };
        expect(rewrite(given, off).entries).toBe(given);
      }),
    );
    fc.assert(
      fc.property(soundTranscript, (given) => {
        const { entries } = rewrite(given, {
          trim: new TrimPolicy(),
          ephemeral: undefined,
          prune: undefined,
        });
        expect(entries.every((entry, i) => entry === given[i])).toBe(true);
      }),
    );
  });

  it("takes anything that is JSON for what it may be, and throws at none", () => {
    const entry = fc.record({ type: fc.constantFrom("user", "assistant", "x"), message: fc.jsonValue() });
    fc.assert(
      fc.property(fc.array(fc.oneof(entry, fc.dictionary(fc.string(), fc.jsonValue()))), (given) => {
        rewrite(given as TranscriptEntry[], EAGER);
      }),
    );
  });

  it("takes time that grows with the transcript and no faster", () => {
    const [small, large] = [1_000, 8_000].map((turns) => {
      const entries: TranscriptEntry[] = [];
      for (let i = 0; i < turns; i += 1) {
        const link = { parentUuid: i === 0 ? null : `r${i - 1}` };
        const command = i % 2 === 0 ? "ls" : "npm test";
        const use = { type: "tool_use", id: `t${i}`, name: "Bash", input: { command } };
        const message = { id: `m${i}`, role: "assistant", content: [use] };
        entries.push({ type: "assistant", uuid: `a${i}`, ...link, message });
        if (i % 7 === 0) continue;
        const content = [{ type: "tool_result", tool_use_id: `t${i}`, content: "some words ".repeat(20) }];
        const denied = i % 5 === 0 ? { toolDenialKind: "permission-rule" } : {};
        entries.push({
          type: "user",
          uuid: `r${i}`,
          parentUuid: `a${i}`,
          message: { role: "user", content },
          ...denied,
        });
      }
      rewrite(entries.slice(0, 1000), EAGER);
      const started = performance.now();
      rewrite(entries, EAGER);
      return performance.now() - started;
    });
    expect(large! / Math.max(small!, 5)).toBeLessThan(40);
  });
});

describe("the recorded sessions", () => {
  for (const name of corpusNames()) {
    it(`${name} keeps the red lines, whatever is rewritten`, () => {
      const given = readCorpus(name);
      expectSameMedia(given, expectRedLines(given, EAGER));
      const mild = { ...EAGER, trim: undefined, ephemeral: undefined, prune: new PrunePolicy() };
      expectSameMedia(given, expectRedLines(given, mild));
      expect(callIds(rewrite(given, { ...EAGER, prune: undefined }).entries)).toEqual(callIds(given));
    });
  }
});
