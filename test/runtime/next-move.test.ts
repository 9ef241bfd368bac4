import { describe, expect, it } from "vitest";
import { HandoffPolicy } from "../../src/agents/handoff-policy.ts";
import { HarnessError } from "../../src/core/errors.ts";
import { readTurnResult } from "../../src/harness/turn-result.ts";
import { nextMove, type Situation } from "../../src/runtime/next-move.ts";
import { Resilience } from "../../src/runtime/resilience.ts";
import { type StepHistory, startHistory } from "../../src/runtime/step-history.ts";

const NOW = 1_800_000_000;

function failed(fields: Record<string, unknown>) {
  const result = readTurnResult({ type: "result", is_error: true, subtype: "success", ...fields });
  return { kind: "failed", result, fault: undefined, stderr: "" } as const;
}

interface Given {
  readonly end: Situation["end"];
  readonly history?: Partial<StepHistory>;
  readonly resilience?: Resilience;
  readonly handoff?: HandoffPolicy;
  readonly hasSession?: boolean;
  readonly upstream?: string;
  readonly isRefused?: boolean;
}

function moveOf(given: Given) {
  return nextMove({
    end: given.end,
    upstream: given.upstream,
    isRefused: given.isRefused ?? false,
    hasSession: given.hasSession ?? true,
    history: { ...startHistory(), progressAt: NOW, ...given.history },
    resilience: given.resilience ?? new Resilience(),
    handoff: given.handoff ?? new HandoffPolicy({ window: 200_000 }),
    now: NOW,
  });
}

const OVERFLOW = failed({ terminal_reason: "prompt_too_long", result: "Prompt is too long" });
const OVERLOADED = failed({ api_error_status: 529, result: "API Error: 529 Overloaded" });
const BROKEN = failed({ api_error_status: 400, result: "API Error: 400 `tool_use` ids were found without" });
const LIMIT = failed({ api_error_status: 429, result: "Claude AI usage limit reached|1800003600" });
const STRANGE = failed({ result: "something nobody has seen" });
const REFUSED = failed({ api_error_status: 400, result: "API Error: 400 top_k: not for this" });
const off = new Resilience({ enabled: false });

describe("what follows an attempt", () => {
  it.each<readonly [string, Given, Record<string, unknown>]>([
    ["that is done", { end: { kind: "done", result: OVERLOADED.result } }, { kind: "done" }],
    ["that was stopped on request", { end: { kind: "aborted" } }, { kind: "stop" }],
    [
      "that a person interrupted while workers ran",
      { end: { kind: "interrupted", words: "wait" } },
      { kind: "go_on", prompt: "wait" },
    ],
    [
      "interrupted without a session",
      { end: { kind: "interrupted", words: "x" }, hasSession: false },
      { kind: "stop", words: { error: "interrupted-by-human" } },
    ],
    [
      "whose context is full",
      { end: { kind: "full" } },
      { kind: "hand_off", mechanical: false, brief: false },
    ],
    [
      "full, with handoff off",
      { end: { kind: "full" }, handoff: new HandoffPolicy({ enabled: false }) },
      { kind: "stop" },
    ],
    [
      "full for the ninth time",
      { end: { kind: "full" }, history: { generations: 8 } },
      { kind: "stop", words: { hint: expect.stringContaining("start-up floor") } },
    ],
    ["that overflowed", { end: OVERFLOW }, { kind: "hand_off", mechanical: true, brief: false }],
    [
      "whose successor overflowed twice",
      { end: OVERFLOW, history: { generations: 2, emptyOverflows: 2 } },
      { kind: "hand_off", brief: true },
    ],
    [
      "whose successor overflowed three times",
      { end: OVERFLOW, history: { generations: 3, emptyOverflows: 3 } },
      { kind: "stop" },
    ],
    ["that overflowed before there was a session", { end: OVERFLOW, hasSession: false }, { kind: "stop" }],
    ["that met an overload", { end: OVERLOADED }, { kind: "retry", failure: 1, isUnknown: false }],
    [
      "that met the fortieth overload within the hour",
      { end: OVERLOADED, history: { failures: 39, progressAt: NOW - 3_599 } },
      { kind: "retry", failure: 40 },
    ],
    [
      "that met an overload after an hour without progress",
      { end: OVERLOADED, history: { progressAt: NOW - 3_601 } },
      { kind: "stop" },
    ],
    ["that met an overload, resilience off", { end: OVERLOADED, resilience: off }, { kind: "stop" }],
    ["that failed strangely", { end: STRANGE }, { kind: "retry", isUnknown: true }],
    [
      "that failed strangely for the sixth time",
      { end: STRANGE, history: { unknownFailures: 5 } },
      { kind: "stop" },
    ],
    [
      "that failed strangely, retryUnknown off",
      { end: STRANGE, resilience: new Resilience({ retryUnknown: false }) },
      { kind: "stop" },
    ],
    ["that met a limit", { end: LIMIT }, { kind: "wait", resetAt: 1_800_003_600 }],
    ["that met a fourth limit", { end: LIMIT, history: { limitWaits: 3 } }, { kind: "stop" }],
    ["with a broken history", { end: BROKEN }, { kind: "heal" }],
    [
      "with a history still broken after healing",
      { end: BROKEN, history: { healed: true } },
      { kind: "hand_off", mechanical: true },
    ],
    [
      "with a wrong key",
      { end: failed({ api_error_status: 401, result: "no" }) },
      { kind: "stop", words: { hint: expect.stringContaining("setup") } },
    ],
    ["refused for a reason nobody knows", { end: REFUSED }, { kind: "retry", isUnknown: true }],
    [
      "refused for such a reason, and the API says that asking again is no use",
      { end: REFUSED, isRefused: true },
      {
        kind: "stop",
        words: { error: expect.stringContaining("top_k"), failure: { code: "request_refused" } },
      },
    ],
    [
      "refused for good in words that quote an outage",
      { end: failed({ api_error_status: 400, result: "API Error: 400 timeout" }), isRefused: true },
      { kind: "stop" },
    ],
    ["refused for good for what can be mended", { end: BROKEN, isRefused: true }, { kind: "heal" }],
    ["overloaded after a refusal", { end: OVERLOADED, isRefused: true }, { kind: "retry" }],
    ["whose budget is used up", { end: failed({ subtype: "error_max_budget_usd" }) }, { kind: "stop" }],
    ["that fell silent", { end: { ...STRANGE, stalled: true } }, { kind: "retry" }],
    [
      "whose process died while the upstream was gone",
      {
        end: { kind: "failed", result: undefined, fault: new TypeError("exit 1"), stderr: "" },
        upstream: "ECONNREFUSED",
      },
      { kind: "retry" },
    ],
    [
      "whose binary cannot start",
      {
        end: {
          kind: "failed",
          result: undefined,
          fault: new HarnessError("no", { code: "binary_cannot_start", hint: "install" }),
          stderr: "",
        },
      },
      { kind: "stop", words: { hint: "install" } },
    ],
  ])("%s", (_what, given, move) => {
    expect(moveOf(given)).toMatchObject(move);
  });
});
