import { tmpdir } from "node:os";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { compileServers } from "../../src/harness/compile-servers.ts";
import type { HarnessMessage } from "../../src/harness/message.ts";
import { HumanChannel } from "../../src/people/human-channel.ts";
import { type AttemptInput, runAttempt } from "../../src/runtime/attempt.ts";
import { INTERRUPT_NOTE, Interrupter } from "../../src/runtime/interrupter.ts";
import { diagnoseEnd } from "../../src/runtime/next-move.ts";
import { NO_BRAKE } from "../../src/runtime/run-brake.ts";
import { startDraft } from "../../src/runtime/step-result.ts";

const init = { type: "system", subtype: "init", session_id: "s" };

function said(text: string) {
  return {
    type: "assistant",
    session_id: "s",
    message: { id: text, model: "m", content: [{ type: "text", text }] },
  };
}

function ended(result: string, more: Record<string, unknown> = {}) {
  const own = { user_message_uuid: "$PROMPT", ...more };
  return {
    type: "result",
    subtype: "success",
    session_id: "s",
    result,
    num_turns: 1,
    total_cost_usd: 0.1,
    ...own,
  };
}

function task(subtype: string, more: Record<string, unknown> = {}) {
  return { type: "system", subtype, task_id: "T1", session_id: "s", ...more };
}

/** What a turn of the harness's own making looks like: nobody's prompt, begun to report on a task. */
const OF_TASK = { user_message_uuid: undefined, origin: { kind: "task-notification" } };

interface Stop {
  readonly on: (message: HarnessMessage) => boolean;
  readonly words?: string;
}

/** What everybody hears of an attempt that nothing bounds. */
const UNBOUND = {
  contextLimit: () => Number.POSITIVE_INFINITY,
  brake: NO_BRAKE,
  outage: undefined,
  isRefused: () => false,
  halt: new AbortController().signal,
  stallS: 0,
  onProgress: () => {},
  onCutOff: () => {},
} as const;

async function attempt(
  turns: readonly (readonly unknown[])[],
  stop?: Stop & { abort?: boolean },
  { options = {}, prompt = "go" }: Partial<Pick<AttemptInput, "options" | "prompt">> = {},
) {
  const draft = startDraft("work");
  const interrupter = new Interrupter();
  const abort = new AbortController();
  const seen: HarnessMessage[] = [];
  const charged: string[] = [];
  const end = await runAttempt({
    options: {
      cwd: tmpdir(),
      pathToClaudeCodeExecutable: fileURLToPath(new URL("children/replay-harness.mjs", import.meta.url)),
      env: { PATH: process.env.PATH, HOME: process.env.HOME, REPLAY: JSON.stringify(turns) },
      ...options,
    },
    prompt,
    draft,
    interrupter,
    signal: abort.signal,
    ...UNBOUND,
    onMessage: (message) => {
      seen.push(message);
      if (stop?.on(message) !== true) return;
      if (stop.abort === true) abort.abort();
      else interrupter.request(stop.words ?? "");
    },
    onResult: (result) => charged.push(result.text),
  });
  return { end, draft, seen, charged };
}

describe("when an attempt is over", () => {
  it("is at the result that answers the prompt", async () => {
    const { end, draft, seen } = await attempt([[init, said("done"), ended("done")]]);
    expect(end.kind).toBe("done");
    expect(draft.text).toBe("done");
    expect(seen.at(-1)).toMatchObject({ subtype: "left" });
  });

  it("is at the first result of a version that does not say what it answers", async () => {
    const { end, draft } = await attempt([
      [init, said("done"), ended("done", { user_message_uuid: undefined })],
    ]);
    expect(end.kind).toBe("done");
    expect(draft.text).toBe("done");
  });

  it("is not while a background task runs: the turn after its report counts, and both are charged", async () => {
    const { end, draft, charged } = await attempt([
      [
        init,
        task("task_started", { subagent_type: "coder", is_backgrounded: true }),
        said("waiting for the agent"),
        ended("waiting for the agent"),
        task("task_notification", { status: "completed" }),
        said("merged report"),
        ended("merged report", OF_TASK),
      ],
    ]);
    expect(end).toMatchObject({ kind: "done", result: { text: "merged report" } });
    expect(draft.text).toBe("merged report");
    expect(charged).toEqual(["waiting for the agent", "merged report"]);
  });

  it("is not before a question that comes after a first result is answered: the person is still reached", async () => {
    const channel = new HumanChannel();
    channel.listen((event) => {
      if (event.kind !== "ask" || event.payload.state !== "asked") return;
      setTimeout(() => channel.answer(String(event.payload.id), "blue"), 50);
    });
    const { end, draft } = await attempt(
      [
        [
          init,
          task("task_started", { subagent_type: "coder", is_backgrounded: true }),
          said("waiting for the agent"),
          ended("waiting for the agent"),
          { call: { server: "human", name: "ask", arguments: { question: "Which colour?" } } },
          task("task_notification", { status: "completed" }),
          said("it is $ANSWER"),
          ended("it is $ANSWER", OF_TASK),
        ],
      ],
      undefined,
      { options: { mcpServers: compileServers(channel.mcpServers({ inbox: false })) } },
    );
    expect(end.kind).toBe("done");
    expect(channel.asks).toMatchObject([{ question: "Which colour?", state: "answered" }]);
    expect(draft.text).toBe("it is blue");
  });

  it("is at that result, whatever code the process ends with afterwards: flower itself may have ended it", async () => {
    const { end, draft } = await attempt([[init, said("done"), ended("done"), 143]]);
    expect(end.kind).toBe("done");
    expect(draft.errors).toEqual([]);
  });

  it.each([
    ["that says so", OF_TASK],
    ["that answers another prompt", { user_message_uuid: "an-earlier-one" }],
  ])("is not at the result for a task of the last process %s", async (_what, old) => {
    const { end, draft } = await attempt([
      [
        init,
        said("Background task x was stopped"),
        ended("Background task x was stopped", old),
        said("real answer"),
        ended("real answer"),
      ],
    ]);
    expect(end.kind).toBe("done");
    expect(draft.text).toBe("real answer");
  });
});

describe("when an attempt goes wrong", () => {
  it("has failed with the result that says so", async () => {
    const { end } = await attempt([
      [init, ended("API Error: 529", { is_error: true, api_error_status: 529 })],
    ]);
    expect(end).toMatchObject({ kind: "failed", result: { apiStatus: 529 } });
  });

  it("has failed without a result when the process dies", async () => {
    const { end } = await attempt([[init, said("I begin"), 3]]);
    expect(end).toMatchObject({ kind: "failed", result: undefined });
    expect(end.kind === "failed" && String(end.fault)).toMatch(/3/);
  });

  it("has failed with the exit code of a process that reads nothing, however much it was to read", async () => {
    const options = { pathToClaudeCodeExecutable: "/bin/false" };
    const { end } = await attempt([], undefined, { options, prompt: "word ".repeat(400_000) });
    expect(end).toMatchObject({ kind: "failed", result: undefined });
    expect(end.kind === "failed" && String(end.fault)).toMatch(/code 1/);
  });

  it("has failed for good when the binary is too old to keep to flower's guards, with what to do", async () => {
    const hooks = { PreToolUse: [{ hooks: [async () => ({})], onFailure: "block" as const }] };
    const env = { PATH: process.env.PATH, HOME: process.env.HOME, OLD: "1" };
    const { end } = await attempt([[init, said("done"), ended("done")]], undefined, {
      options: { hooks, env },
    });
    expect(end.kind === "failed" && diagnoseEnd(end, undefined)).toMatchObject({ kind: "fatal" });
    expect(end).toMatchObject({ fault: { hint: expect.stringContaining("FLOWER_HARNESS") } });
  });

  it("ends at once when it is told to, and says nothing of an error", async () => {
    const { end } = await attempt([[init, said("I begin")]], {
      on: (m) => m.type === "assistant",
      abort: true,
    });
    expect(end).toEqual({ kind: "aborted" });
  });

  it("does not even start when it was told to end before", async () => {
    const abort = new AbortController();
    abort.abort();
    const none = () => {};
    const end = await runAttempt({
      options: { pathToClaudeCodeExecutable: "/nowhere" },
      prompt: "go",
      draft: startDraft("x"),
      interrupter: new Interrupter(),
      signal: abort.signal,
      ...UNBOUND,
      onMessage: none,
      onResult: none,
    });
    expect(end).toEqual({ kind: "aborted" });
  });
});

describe("an interruption by a person", () => {
  it("stops the turn, and the same process goes on with the person's words", async () => {
    const { end, draft, seen } = await attempt(
      [
        [init, said("I do it wrong")],
        [ended("", { subtype: "error_during_execution", is_error: true, errors: [] })],
        [said("Right, differently"), ended("Right, differently")],
      ],
      { on: (message) => message.type === "assistant" && seenOnce(message), words: "Do it differently." },
    );
    expect(end, String("fault" in end && end.fault)).toMatchObject({ kind: "done" });
    expect(draft.text).toBe("Right, differently");
    expect(seen.filter((message) => message.subtype === "init")).toHaveLength(1);
  });
});

const told = new WeakSet<object>();
function seenOnce(message: HarnessMessage): boolean {
  if (JSON.stringify(message).includes("differently") || told.has(message)) return false;
  told.add(message);
  return true;
}

describe("a person's words on their way to the turn", () => {
  it("are joined when several come, delivered once, and carried to a turn that begins later", () => {
    const ear = new Interrupter();
    ear.request("one");
    ear.request("");
    ear.request("two");
    let stops = 0;
    const leave = ear.connect(() => {
      stops += 1;
    });
    expect(stops).toBe(1);
    expect(ear.takePrompt()).toBe(`one\ntwo\n\n${INTERRUPT_NOTE}`);
    expect(ear.takePrompt()).toBeUndefined();
    leave();
    ear.request("three");
    expect(stops).toBe(1);
    expect(ear.isPending()).toBe(true);
  });

  it("are only the note when nothing was said", () => {
    const ear = new Interrupter();
    ear.request("");
    expect(ear.takePrompt()).toBe(INTERRUPT_NOTE);
  });
});
