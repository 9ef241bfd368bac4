import { afterEach, describe, expect, it } from "vitest";
import {
  always,
  DUMMY_KEY,
  dropConnection,
  hang,
  httpError,
  type Script,
  ScriptError,
  ScriptedApi,
  type ScriptedApiOptions,
  streamError,
  text,
  toolUse,
} from "../../src/testing/index.ts";
import { type HarnessRun, startHarness } from "../testing/start-harness.ts";

const open: ScriptedApi[] = [];

async function play(script: Script, options: Partial<ScriptedApiOptions> = {}): Promise<ScriptedApi> {
  const api = await ScriptedApi.start({ script, ...options });
  open.push(api);
  return api;
}

afterEach(async () => {
  for (const api of open.splice(0)) await api.close();
});

function retries({ messages }: HarnessRun): unknown[] {
  return messages.flatMap((message) =>
    message.type === "system" && message.subtype === "api_retry" ? [message.error_status] : [],
  );
}

function fault(api: ScriptedApi): ScriptError {
  try {
    api.verify();
  } catch (error) {
    if (error instanceof ScriptError) return error;
  }
  throw new TypeError("verify() did not throw a ScriptError");
}

describe("failures the real harness meets", () => {
  it("is overloaded once, retried, and answered", async () => {
    const api = await play({ main: [httpError(529, { headers: { "retry-after": "0" } }), text("now")] });
    const run = await startHarness(api);
    expect(run.result).toMatchObject({ subtype: "success", result: "now" });
    expect(retries(run)).toEqual([529]);
    api.verify();
  });

  it("is cut off before a byte and in the middle of an answer, and asks again each time", async () => {
    const api = await play({
      main: [dropConnection(), dropConnection({ afterEvents: 4 }), text("whole at last")],
    });
    const run = await startHarness(api);
    expect(run.result).toMatchObject({ subtype: "success", result: "whole at last" });
    expect(retries(run)).toEqual([null, null]);
    api.verify();
  });

  it("asks again without a stream after an error in mid-stream", async () => {
    const api = await play({ main: [streamError(), text("in one piece")] });
    const { result } = await startHarness(api);
    expect(result).toMatchObject({ subtype: "success", result: "in one piece" });
    expect(api.requests.map(({ body }) => body.stream)).toEqual([true, false]);
    api.verify();
  });

  it("gives up at once on a key that is not let in", async () => {
    const api = await play({ main: [text("never said")] }, { expectKey: "sk-ant-other" });
    const { result, thrown } = await startHarness(api);
    expect(result).toMatchObject({ is_error: true, terminal_reason: "api_error", api_error_status: 401 });
    expect(String(thrown)).toContain("error result");
    expect(fault(api).code).toBe("script_unused");
  });

  it("is let in with the expected key, as a key or as a bearer token", async () => {
    const api = await play({ main: [text("in"), text("in again")] }, { expectKey: DUMMY_KEY });
    expect((await startHarness(api)).result).toMatchObject({ result: "in" });
    const bearer = await startHarness(api, {
      env: { ANTHROPIC_API_KEY: "", ANTHROPIC_AUTH_TOKEN: DUMMY_KEY },
    });
    expect(bearer.result).toMatchObject({ result: "in again" });
    expect(api.requests.map(({ headers }) => [headers["x-api-key"], headers.authorization])).toEqual([
      [DUMMY_KEY, undefined],
      [undefined, `Bearer ${DUMMY_KEY}`],
    ]);
    api.verify();
  });

  it("is refused a history the real API would refuse, once, however often it repeats the request", async () => {
    const call = toolUse("Bash", { command: "true", description: "nothing" }, { id: "not an id" });
    const api = await play({ main: [call] });
    const { result } = await startHarness(api);
    expect(result).toMatchObject({ is_error: true, api_error_status: 400 });
    expect(JSON.stringify(result)).toContain("String should match pattern");
    const error = fault(api);
    expect(error.code).toBe("script_refused");
    expect(error.faults).toHaveLength(1);
    expect(api.requests.length).toBeGreaterThan(2);
  });

  it("hears the same 400 again for the same messages, and uses no further step for it", async () => {
    const api = await play({ main: [httpError(400, { message: "no reason given" }), always(text("late"))] });
    const { result } = await startHarness(api);
    expect(result).toMatchObject({ is_error: true, api_error_status: 400 });
    expect(JSON.stringify(result)).toContain("no reason given");
    api.verify();
  });

  it("fails loudly when a speaker's steps are used up, naming the speaker and the question", async () => {
    const api = await play({ main: [toolUse("Bash", { command: "echo again", description: "x" })] });
    const { result } = await startHarness(api);
    expect(result).toMatchObject({ is_error: true, api_error_status: 400 });
    const error = fault(api);
    expect(error.code).toBe("script_unexpected");
    expect(error.message).toMatch(/main asked for step 2, its script has 1.*result of Bash: again/);
    expect(JSON.stringify(result)).toContain("main asked for step 2");
  });

  it("fails loudly when somebody speaks who is not in the script", async () => {
    const api = await play({ judge: [text("never said")] });
    await startHarness(api, { prompt: "who are you?" });
    expect(fault(api).faults.map(({ message }) => message)).toEqual([
      'request 1: main is not in the script, which has judge; it was asked: "who are you?"',
      "judge: 1 of 1 steps were never asked for",
    ]);
  });

  it("waits for ever on a speaker that hangs, until it is interrupted", async () => {
    const api = await play({ main: [hang(), always(text("late"))] });
    const abort = new AbortController();
    const running = startHarness(api, { options: { abortController: abort } });
    running.catch(() => {});
    expect((await api.seen(({ role }) => role === "main", AbortSignal.timeout(20_000)))?.index).toBe(1);
    abort.abort();
    await expect(running).rejects.toThrow(/abort/i);
    expect(api.requests).toHaveLength(1);
    api.verify();
  });
});
