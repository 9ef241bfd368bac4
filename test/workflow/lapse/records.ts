// Records of verdicts for tests: a complete one, changed where a test says so.

import type { VerdictRecord } from "../../../src/workflow/lapse/verdict-record.ts";

export function record(more: Partial<VerdictRecord> = {}): VerdictRecord {
  return {
    state: "achieved",
    judged: "achieved",
    run: "20260101-101010-abcdef",
    step: "work",
    judge: "work:verdict#1",
    round: 1,
    rounds: 3,
    at: 1000,
    reason: "wc.mjs counts words.",
    failed: [],
    evidence: null,
    documents: {},
    tree: { kind: "seen", hash: "abc" },
    work: { folder: "", exclude: [".flower", "runs"], isolated: false },
    ...more,
  };
}
