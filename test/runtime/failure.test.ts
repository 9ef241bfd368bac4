import { describe, expect, it } from "vitest";
import { HarnessError } from "../../src/core/errors.ts";
import { readTurnResult } from "../../src/harness/turn-result.ts";
import { explainFailure } from "../../src/runtime/failure.ts";

function facts(result: Record<string, unknown>, more: { upstream?: string } = {}) {
  return {
    result: readTurnResult({ type: "result", is_error: true, ...result }),
    fault: undefined,
    stderr: "",
    upstream: more.upstream,
  };
}

describe("why an attempt failed, in words", () => {
  it.each([
    [
      "a wrong key",
      { api_error_status: 401, result: "invalid x-api-key" },
      /credential was rejected.*401.*invalid x-api-key/,
      /flower setup/,
    ],
    ["a forbidden key", { api_error_status: 403, result: "no" }, /rejected.*403/, /flower setup/],
    [
      "a model that is not there",
      { api_error_status: 404, result: "model: nope" },
      /model or the address.*404.*nope/,
      /ANTHROPIC_MODEL/,
    ],
    [
      "a model that is refused with 400",
      { api_error_status: 400, result: "unknown model x" },
      /model or the address.*400/,
      /--model/,
    ],
    ["a limit", { api_error_status: 429, result: "slow down" }, /limit.*429.*slow down/, /wait, then/],
    [
      "an overloaded API",
      { api_error_status: 529, result: "Overloaded" },
      /API failed.*529.*Overloaded/,
      /again/,
    ],
    ["a used up budget", { subtype: "error_max_budget_usd" }, /budget/, /maxBudgetUsd/],
    ["a used up budget, by its reason", { terminal_reason: "budget_exhausted" }, /budget/, /maxBudgetUsd/],
    ["used up turns", { subtype: "error_max_turns" }, /turns/, /maxTurns/],
    [
      "a full context",
      { terminal_reason: "prompt_too_long", result: "Prompt is too long" },
      /context is full/,
      /--new/,
    ],
    [
      "anything else, as it was said",
      { subtype: "error_during_execution", errors: ["odd", "thing"] },
      /odd.*thing/,
      /again/,
    ],
    [
      "a result that says nothing, by its kind",
      { subtype: "error_during_execution" },
      /error_during_execution/,
      /again/,
    ],
  ])("names %s and what to do", (_what, result, error, hint) => {
    const words = explainFailure(facts(result));
    expect(words.error).toMatch(error);
    expect(words.hint).toMatch(hint);
  });

  it("blames the network and not flower's own gateway for a broken connection", () => {
    const broken = { api_error: "connection_failed", result: "check your gateway at 127.0.0.1" };
    const words = explainFailure(facts(broken, { upstream: "ECONNREFUSED api.example:443" }));
    expect(words.error).toBe("the API cannot be reached: ECONNREFUSED api.example:443");
    expect(words.hint).toMatch(/network/);
  });

  it("passes on what flower's own errors say, and the last line of stderr of a process that died", () => {
    const own = new HarnessError("the binary cannot start", {
      code: "binary_cannot_start",
      hint: "install again",
      values: { path: "/x" },
    });
    expect(explainFailure({ result: undefined, fault: own, stderr: "x", upstream: undefined })).toEqual({
      error: "the binary cannot start",
      hint: "install again",
      failure: { code: "binary_cannot_start", values: { path: "/x" } },
    });
    const died = { result: undefined, fault: new Error("exit 1"), stderr: "one\ntwo\n", upstream: undefined };
    expect(explainFailure(died).error).toBe("exit 1: two");
    expect(explainFailure({ ...died, fault: undefined, stderr: "" }).error).toBe(
      "the harness ended without a result",
    );
  });

  it("is one short line, whatever the API said", () => {
    const said = `first\n\u001b[31mred\u0007\n${"x".repeat(5000)}`;
    const { error } = explainFailure(facts({ api_error_status: 500, result: said }));
    expect(error.length).toBeLessThan(400);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not be there
    expect(error).not.toMatch(/[\n\u001b\u0007]/);
  });
});
