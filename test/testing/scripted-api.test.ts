import { afterEach, describe, expect, it } from "vitest";
import { COORDINATOR_RULES } from "../../src/agents/roles/coordinator.ts";
import {
  always,
  dispatch,
  dropConnection,
  hang,
  httpError,
  lastUserText,
  type Script,
  ScriptedApi,
  type ScriptedApiOptions,
  speaker,
  streamError,
  text,
  toolUse,
  turn,
} from "../../src/testing/index.ts";
import { createGate } from "./gate.ts";

const open: ScriptedApi[] = [];

async function play(script: Script, options: Partial<ScriptedApiOptions> = {}): Promise<ScriptedApi> {
  const api = await ScriptedApi.start({ script, ...options });
  open.push(api);
  return api;
}

afterEach(async () => {
  for (const api of open.splice(0)) await api.close();
});

interface Said {
  readonly words?: string;
  readonly system?: string;
  readonly stream?: boolean;
  readonly headers?: Record<string, string>;
  readonly path?: string;
  readonly messages?: readonly unknown[];
}

function say(
  api: ScriptedApi,
  { words = "go", path = "/v1/messages?beta=true", headers = {}, ...said }: Said = {},
) {
  const body = {
    model: "claude-opus-5-5",
    max_tokens: 10,
    context_management: { edits: [] },
    messages: [{ role: "user", content: words }],
    ...said,
  };
  return fetch(`${api.url}${path}`, { method: "POST", headers, body: JSON.stringify(body) });
}

async function spoken(response: Response): Promise<unknown> {
  const body = (await response.json()) as { content: { text?: string }[] };
  return body.content[0]?.text;
}

async function refusal(response: Response): Promise<{ status: number; type: string; message: string }> {
  const body = (await response.json()) as { error: { type: string; message: string } };
  return { status: response.status, ...body.error };
}

function thrown(run: () => void): unknown {
  try {
    run();
  } catch (error) {
    return error;
  }
  return undefined;
}

describe("ScriptedApi", () => {
  it("answers whole or as a stream, as it is asked, with ids that are counted", async () => {
    const api = await play({ main: [text("one"), toolUse("Bash", {})] });
    const whole = await say(api);
    expect(whole.headers.get("request-id")).toMatch(/^req_scripted_\d+_1$/);
    expect(await whole.json()).toMatchObject({
      role: "assistant",
      model: "claude-opus-5-5",
      content: [{ type: "text", text: "one" }],
      usage: { input_tokens: 100, output_tokens: 20 },
    });
    const streamed = await say(api, { stream: true });
    expect(streamed.headers.get("content-type")).toMatch(/^text\/event-stream/);
    const events = await streamed.text();
    expect(events).toMatch(/^event: message_start\ndata: \{.*\}\n\nevent: ping\n/);
    expect(events).toMatch(/"id":"toolu_scripted_\d+_1"/);
    expect(events.trimEnd()).toMatch(/event: message_stop\ndata: \{"type":"message_stop"\}$/);
    api.verify();
  });

  it("gives out no tool id that the history holds already, nor one of another server", async () => {
    const called = async (api: ScriptedApi, messages?: readonly unknown[]) => {
      const answer = await say(api, messages === undefined ? {} : { messages });
      const { content } = (await answer.json()) as { content: { id: string }[] };
      return content[0]?.id ?? "";
    };
    const history = (...ids: string[]) => [
      { role: "user", content: "go" },
      { role: "assistant", content: ids.map((id) => ({ type: "tool_use", id, name: "Bash", input: {} })) },
      { role: "user", content: ids.map((id) => ({ type: "tool_result", tool_use_id: id, content: "x" })) },
    ];
    const api = await play({ main: [toolUse("Bash", {}), toolUse("Bash", {})] });
    const first = await called(api);
    const next = first.replace(/_1$/, "_2");
    expect(await called(api, history(first, next))).toBe(first.replace(/_1$/, "_3"));
    const other = await play({ main: [toolUse("Bash", {})] });
    expect(await called(other)).not.toBe(first);
  });

  it("keeps every request with its size, speaker and place in the order", async () => {
    const api = await play({ coordinator: [text("x")] });
    await say(api, { system: COORDINATOR_RULES, words: "ü" });
    await fetch(`${api.url}/`, { method: "HEAD" });
    expect(api.requests).toMatchObject([
      { index: 1, method: "POST", path: "/v1/messages?beta=true", role: "coordinator", agent: undefined },
      { index: 2, method: "HEAD", path: "/", role: "probe", bytes: 0 },
    ]);
    const [first] = api.requests;
    expect(first?.bytes).toBe(Buffer.byteLength(JSON.stringify(first?.body)));
    expect(lastUserText(first!)).toBe("ü");
  });

  it("forgets bodies when it is told to, and still lets a step read them", async () => {
    const api = await play({ main: [(request) => text(lastUserText(request))] }, { keepBodies: false });
    expect(await spoken(await say(api, { words: "secret" }))).toBe("secret");
    expect(api.requests[0]?.body).toEqual({});
    expect(api.requests[0]?.bytes).toBeGreaterThan(50);
  });

  it("lets two speakers talk at once, each from its own list", async () => {
    const gate = createGate();
    const api = await play({
      speakers: [
        speaker("slow", "slow", [
          async () => {
            await gate.opened;
            return text("slow 1");
          },
        ]),
        speaker("quick", "quick", [text("quick 1"), text("quick 2")]),
      ],
    });
    const slow = say(api, { words: "slow" });
    await api.seen(({ agent }) => agent === "slow");
    expect(await spoken(await say(api, { words: "quick" }))).toBe("quick 1");
    expect(await spoken(await say(api, { words: "quick" }))).toBe("quick 2");
    gate.open();
    expect(await spoken(await slow)).toBe("slow 1");
    api.verify();
  });

  it("lets a worker answer that an earlier turn of its own dispatched", async () => {
    const api = await play({
      coordinator: [dispatch("coder", "write the parser")],
      workers: { coder: [text("written")] },
    });
    await say(api, { system: COORDINATOR_RULES });
    const worker = await say(api, {
      words: "write the parser",
      headers: { "x-claude-code-agent-id": "a1", "x-claude-code-session-id": "s1" },
    });
    expect(await spoken(worker)).toBe("written");
    expect(api.requests[1]).toMatchObject({ role: "worker", agent: "coder", agentId: "a1", sessionId: "s1" });
    api.verify();
  });

  it("counts tokens and answers titles, searches and probes without a script, and still counts no step", async () => {
    const api = await play({});
    const count = await say(api, { path: "/v1/messages/count_tokens?beta=true" });
    expect(await count.json()).toEqual({ input_tokens: Math.ceil((api.requests[0]?.bytes ?? 0) / 4) });
    const body = { model: "m", max_tokens: 5, messages: [{ role: "user", content: "x" }] };
    const system = "You are naming a coding session so the user can find it.";
    const title = await fetch(`${api.url}/v1/messages`, {
      method: "POST",
      body: JSON.stringify({ ...body, system }),
    });
    expect(JSON.parse(String(await spoken(title)))).toEqual({ title: "Scripted session" });
    expect((await fetch(`${api.url}/api/hello`, { method: "HEAD" })).status).toBe(200);
    expect((await fetch(`${api.url}/favicon.ico`)).status).toBe(404);
    api.verify();
  });

  it("lets the script answer the harness's own requests", async () => {
    const api = await play({ side: (_, kind) => (kind === "other" ? text("by script") : undefined) });
    const body = { model: "m", max_tokens: 5, messages: [{ role: "user", content: "x" }] };
    const chore = await fetch(`${api.url}/v1/messages`, { method: "POST", body: JSON.stringify(body) });
    expect(await spoken(chore)).toBe("by script");
  });

  it("refuses what it does not know, loudly", async () => {
    const api = await play({});
    expect((await fetch(`${api.url}/v1/files`, { method: "POST", body: "{}" })).status).toBe(404);
    expect(thrown(() => api.verify())).toMatchObject({
      code: "script_unexpected",
      message: "request 1: POST /v1/files is no part of the scripted API",
    });
  });
});

describe("a run that departs from its script", () => {
  it("is told who asked for what, in the answer and at the end", async () => {
    const api = await play({ main: [text("only")], judge: [text("never")] });
    await say(api);
    const words = 'request 2: main asked for step 2, its script has 1; it was asked: "and then?"';
    expect(await refusal(await say(api, { words: "and then?" }))).toEqual({
      status: 400,
      type: "invalid_request_error",
      message: `script: ${words}`,
    });
    expect(thrown(() => api.verify())).toMatchObject({
      code: "script_unexpected",
      faults: [
        { kind: "unexpected", message: words },
        { kind: "unused", message: "judge: 1 of 1 steps were never asked for" },
      ],
    });
  });

  it("is told when a step throws, and why", async () => {
    const cause = new RangeError("no result of Bash");
    const api = await play({
      main: [
        () => {
          throw cause;
        },
      ],
    });
    expect((await refusal(await say(api))).message).toContain("the step of main threw: no result of Bash");
    expect(thrown(() => api.verify())).toMatchObject({ code: "script_unexpected", cause });
  });

  it("is told when a step answers with what is no answer", async () => {
    const api = await play({ main: [() => ({ type: "text", text: "x" }) as never] });
    expect((await refusal(await say(api))).message).toContain("not an answer");
  });

  it("is told when a worker cannot be told apart", async () => {
    const api = await play({ workers: { coder: [text("x")] } });
    const { status, message } = await refusal(
      await say(api, { headers: { "x-claude-code-agent-id": "a1" } }),
    );
    expect(status).toBe(400);
    expect(message).toContain("no worker was dispatched with its prompt");
  });

  it("uses no step for an invalid history, and forgives it only when asked to", async () => {
    for (const allowRefusals of [false, true]) {
      const api = await play({ main: [text("valid now")] }, { allowRefusals });
      const bad = await refusal(await say(api, { messages: [{ role: "user", content: "" }] }));
      expect(bad).toMatchObject({
        status: 400,
        message: expect.stringMatching(/^messages\.0: all messages/),
      });
      expect(await spoken(await say(api))).toBe("valid now");
      const code = allowRefusals ? undefined : "script_refused";
      expect((thrown(() => api.verify()) as { code?: string } | undefined)?.code).toBe(code);
    }
  });

  it("refuses a body that is no JSON", async () => {
    const api = await play({}, { allowRefusals: true });
    const response = await fetch(`${api.url}/v1/messages`, { method: "POST", body: "{" });
    expect((await refusal(response)).message).toMatch(/^The request body is not valid JSON/);
  });
});

describe("scripted failures", () => {
  it("are HTTP errors in the API's shape, with the headers given", async () => {
    const api = await play({
      main: [httpError(429, { headers: { "retry-after": "7" } }), httpError(502, { body: "<html>" })],
    });
    const limited = await say(api);
    expect(limited.headers.get("retry-after")).toBe("7");
    expect(await limited.json()).toEqual({
      type: "error",
      error: { type: "rate_limit_error", message: expect.stringContaining("rate limit") },
      request_id: limited.headers.get("request-id"),
    });
    const gateway = await say(api);
    expect([gateway.status, await gateway.text()]).toEqual([502, "<html>"]);
  });

  it("hold for the same messages of the same session when they are the request's fault, and for no others", async () => {
    const api = await play({
      main: [httpError(400), text("other words"), text("other session"), httpError(529), text("b")],
    });
    const s1 = { headers: { "x-claude-code-session-id": "s1" } };
    expect((await say(api, s1)).status).toBe(400);
    expect((await say(api, s1)).status).toBe(400);
    expect(await spoken(await say(api, { ...s1, words: "other" }))).toBe("other words");
    expect(await spoken(await say(api, { headers: { "x-claude-code-session-id": "s2" } }))).toBe(
      "other session",
    );
    expect((await say(api, { ...s1, words: "b" })).status).toBe(529);
    expect(await spoken(await say(api, { ...s1, words: "b" }))).toBe("b");
    api.verify();
  });

  it("cut the connection before a byte, or after some events", async () => {
    const api = await play({
      main: [dropConnection(), dropConnection({ afterEvents: 4 }), dropConnection({ afterEvents: 4 })],
    });
    await expect(say(api, { stream: true })).rejects.toThrow();
    const half = await say(api, { stream: true });
    let seen = "";
    const read = async () => {
      const decoder = new TextDecoder();
      for await (const chunk of half.body ?? []) seen += decoder.decode(chunk);
    };
    await expect(read()).rejects.toThrow();
    expect(seen).toContain("I was about to");
    expect(seen).not.toContain("message_stop");
    await expect(say(api)).rejects.toThrow();
  });

  it("end a stream with an error event, or a whole answer with its status", async () => {
    const api = await play({ main: [streamError(), streamError({ type: "api_error" })] });
    const events = await (await say(api, { stream: true })).text();
    expect(events).toMatch(/event: error\ndata: \{"type":"error","error":\{"type":"overloaded_error"/);
    expect(events).not.toContain("message_stop");
    expect(await refusal(await say(api))).toMatchObject({ status: 500, type: "api_error" });
  });

  it.each([
    [{ "x-api-key": "wrong" }, "invalid x-api-key"],
    [{ authorization: "Bearer wrong" }, "Invalid bearer token"],
    [{}, "x-api-key header is required"],
  ])("let nobody in without the expected key: %j", async (headers, message) => {
    const api = await play({ main: [text("in"), text("in")] }, { expectKey: "right" });
    for (const path of ["/v1/messages", "/v1/messages/count_tokens"]) {
      const denied = await refusal(await say(api, { headers: headers as Record<string, string>, path }));
      expect(denied).toEqual({ status: 401, type: "authentication_error", message });
    }
    expect(await spoken(await say(api, { headers: { "x-api-key": "right" } }))).toBe("in");
    expect(await spoken(await say(api, { headers: { authorization: "Bearer right" } }))).toBe("in");
    api.verify();
  });
});

describe("closing a ScriptedApi", () => {
  it("cuts what hangs or waits, ends whoever waits for a request, and may be done twice", async () => {
    const api = await play({ main: [hang(), turn(text("late"), { delayMs: 60_000 })] });
    const hanging = say(api);
    hanging.catch(() => {});
    await api.seen(() => true);
    const waiting = say(api);
    waiting.catch(() => {});
    await api.seen(({ index }) => index === 2);
    const never = api.seen(({ role }) => role === "judge");
    await api.close();
    await expect(hanging).rejects.toThrow();
    await expect(waiting).rejects.toThrow();
    expect(await never).toBeUndefined();
    await api.close();
  });

  it("waits for a request only as long as the signal lets it", async () => {
    const api = await play({ main: [always(text("x"))] });
    expect(await api.seen(({ role }) => role === "judge", AbortSignal.timeout(5))).toBeUndefined();
    expect(await api.seen(({ role }) => role === "judge", AbortSignal.abort())).toBeUndefined();
  });

  it("delays a turn by what it says", async () => {
    const api = await play({ main: [turn(text("later"), { delayMs: 60 })] });
    const before = performance.now();
    expect(await spoken(await say(api))).toBe("later");
    expect(performance.now() - before).toBeGreaterThan(50);
  });

  it("refuses options it does not know", async () => {
    await expect(ScriptedApi.start({ script: {}, prot: 1 } as never)).rejects.toMatchObject({
      code: "unknown_option",
      hint: 'did you mean "port"?',
    });
    await expect(ScriptedApi.start(undefined as never)).rejects.toMatchObject({ code: "bad_options" });
  });
});
