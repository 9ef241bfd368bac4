import { describe, expect, it } from "vitest";
import { corpusNames, corpusText, readCorpus } from "./corpus.ts";
import { RECORDINGS } from "./recordings.ts";

/** What tells where a recording was made. */
const TRACES = [
  /\/tmp\/(?!claude-1000)/,
  /\/root\b/,
  /\/work\b/,
  /\/home\/(?!person\b)/,
  /\bflower-corpus\b/,
  /@(?!anthropic\.com)[a-z0-9-]+\.(?:com|org|net)\b/,
  /sk-ant-/,
  /127\.0\.0\.1:(?!8080\b)\d/,
  /\b20(?!26-01-)\d\d-\d\d-\d\d/,
];

describe("the recorded sessions", () => {
  it("are there, one for every script", () => {
    const mains = corpusNames().filter((name) => !name.includes(".worker"));
    expect(mains).toEqual(Object.keys(RECORDINGS).sort());
    expect(corpusNames().filter((name) => name.includes(".worker"))).toHaveLength(2);
  });

  for (const name of corpusNames()) {
    it(`${name} tells nothing of the machine it was made on`, () => {
      const text = corpusText(name);
      expect(TRACES.flatMap((trace) => text.match(new RegExp(`.{0,40}${trace.source}.{0,40}`)) ?? [])).toEqual([]);
    });
  }

  it("hold what they were recorded for", () => {
    const all = corpusNames().flatMap(readCorpus);
    const has = (test: (entry: (typeof all)[number]) => boolean) => all.some(test);
    expect(has((entry) => entry.toolDenialKind === "permission-rule")).toBe(true);
    expect(has((entry) => entry.toolDenialKind === "user-rejected")).toBe(true);
    expect(has((entry) => entry.toolDenialKind === "interrupted")).toBe(true);
    expect(has((entry) => entry.isApiErrorMessage === true && entry.apiErrorStatus === 529)).toBe(true);
    expect(has((entry) => entry.isApiErrorMessage === true && entry.apiErrorStatus === 401)).toBe(true);
    expect(has((entry) => entry.isCompactSummary === true)).toBe(true);
    expect(has((entry) => entry.isMeta === true)).toBe(true);
    expect(has((entry) => JSON.stringify(entry.message ?? "").includes('"type":"image"'))).toBe(true);
    expect(has((entry) => JSON.stringify(entry.message ?? "").includes('"signature":"'))).toBe(true);
    expect(has((entry) => entry.type === "agent_metadata")).toBe(true);
  });
});
