import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { HarnessMessage } from "../../src/harness/message.ts";
import { startDraft } from "../../src/runtime/step-result.ts";
import { TurnReader } from "../../src/runtime/turn-reader.ts";

function said(text: string, more: Record<string, unknown> = {}): HarnessMessage {
  const { id = `m-${text}`, usage, model = "m", ...outer } = more;
  return { type: "assistant", message: { id, model, usage, content: [{ type: "text", text }] }, ...outer };
}

function ended(result = "", more: Record<string, unknown> = {}): HarnessMessage {
  return { type: "result", subtype: "success", result, num_turns: 1, ...more };
}

function task(subtype: string, id: string, more: Record<string, unknown> = {}): HarnessMessage {
  return { type: "system", subtype, task_id: id, ...more };
}

function reader() {
  const draft = startDraft("work");
  const turns = new TurnReader(draft);
  return { draft, turns, read: (...messages: HarnessMessage[]) => messages.map((m) => turns.read(m)) };
}

describe("reading the messages of a turn", () => {
  it("keeps the main thread's prose and nothing of workers, of task briefs or of made-up errors", () => {
    const { draft, read } = reader();
    read(
      said("I plan."),
      said("worker talk", { parent_tool_use_id: "t1" }),
      said("API Error: 529", { model: "<synthetic>" }),
      said("I am done."),
      ended("I am done."),
    );
    expect(draft.text).toBe("I plan.\n\nI am done.");
    expect(draft.lastText).toBe("I am done.");
    expect(draft.errors).toEqual(["API Error: 529"]);
  });

  it("takes the blocks of one model message as one, although they arrive apart", () => {
    const { draft, read } = reader();
    read(said("before", { id: "a" }), said("part 1", { id: "b" }), said("part 2", { id: "b" }), ended());
    expect(draft.lastText).toBe("part 1\n\npart 2");
  });

  it("counts as context all input of the main thread's last turn, cached or not, and no worker's", () => {
    const { draft, read } = reader();
    const usage = {
      input_tokens: 8,
      cache_read_input_tokens: 62539,
      cache_creation_input_tokens: 287,
      output_tokens: 3,
    };
    read(said("x", { usage }), said("w", { usage: { input_tokens: 180_000 }, parent_tool_use_id: "t1" }));
    expect(draft.context).toBe(62_834);
    read(said("y", { usage: {} }));
    expect(draft.context).toBe(62_834);
  });

  it("waits for a background task that still runs at the first result, and then has only the last turn's prose", () => {
    const { draft, turns, read } = reader();
    read(
      task("task_started", "T1", { subagent_type: "coder", description: "build", is_backgrounded: true }),
      said("waiting for the agent"),
      ended("waiting for the agent"),
    );
    expect(turns.hasBackground()).toBe(true);
    turns.startTurn();
    read(
      task("task_notification", "T1", {
        status: "completed",
        usage: { total_tokens: 7, tool_uses: 2, duration_ms: 1500 },
      }),
      said("merged report"),
      ended("merged report"),
    );
    expect(turns.hasBackground()).toBe(false);
    expect(draft.text).toBe("merged report");
    expect(draft.numTurns).toBe(2);
    expect(draft.subagents).toEqual([
      {
        agentId: "T1",
        type: "coder",
        description: "build",
        tokens: 7,
        toolUses: 2,
        durationS: 1.5,
        ok: true,
      },
    ]);
  });

  it("notices a task that is moved to the background while it runs", () => {
    const { turns, read } = reader();
    read(task("task_started", "T1", { subagent_type: "coder" }));
    expect(turns.hasBackground()).toBe(false);
    read(task("task_updated", "T1", { patch: { is_backgrounded: true } }));
    expect(turns.hasBackground()).toBe(true);
    read(task("task_notification", "T1", { status: "stopped" }));
    expect(turns.hasBackground()).toBe(false);
  });

  it("records a worker that failed as failed, and no shell command as a worker", () => {
    const { draft, read } = reader();
    read(
      task("task_started", "T1", { subagent_type: "coder" }),
      task("task_notification", "T1", { status: "failed" }),
    );
    read(task("task_started", "T2", {}), task("task_notification", "T2", { status: "completed" }));
    read(task("task_notification", "T3", { status: "completed" }));
    expect(draft.subagents.map((worker) => [worker.agentId, worker.ok])).toEqual([["T1", false]]);
  });

  it("records a worker as failed that hands an error of the API back as its report, and no other", () => {
    const { draft, read } = reader();
    const summaries = [
      "Agent terminated early due to an API error: API Error: 529 Overloaded.",
      "Conclusion: the client retries a 529 now.",
    ];
    for (const [i, summary] of summaries.entries()) {
      read(task("task_started", `T${i}`, { subagent_type: "coder" }));
      read(task("task_notification", `T${i}`, { status: "completed", summary }));
    }
    expect(draft.subagents.map((worker) => worker.ok)).toEqual([false, true]);
  });

  it("forgets the prose of a turn that reported on a task of the last process", () => {
    const { draft, turns, read } = reader();
    read(said("Background task x was stopped"), ended("Background task x was stopped"));
    turns.startTurn();
    read(said("real answer"), ended("real answer"));
    expect(draft.text).toBe("real answer");
  });

  it("adds up tokens, turns and refusals over all results", () => {
    const { draft, read } = reader();
    const model = {
      inputTokens: 33,
      outputTokens: 904,
      cacheReadInputTokens: 1,
      cacheCreationInputTokens: 2,
    };
    const first = ended("", { model_usage_since_last_result: { m: model }, permission_denials: [{}, {}] });
    read(first, first);
    expect(draft.usage).toEqual({ input: 66, output: 1808, cacheRead: 2, cacheCreation: 4 });
    expect(draft).toMatchObject({ numTurns: 2, denials: 4 });
  });

  it("survives any message whatever", () => {
    fc.assert(
      fc.property(
        fc.record(
          {
            type: fc.constantFrom("assistant", "system", "result", "user", "new"),
            subtype: fc.constantFrom("task_started", "task_updated", "task_notification", "x"),
            message: fc.anything(),
            task_id: fc.anything(),
            patch: fc.anything(),
            usage: fc.anything(),
            modelUsage: fc.anything(),
            permission_denials: fc.anything(),
          },
          { requiredKeys: [] },
        ),
        (message) => {
          reader().read(message);
        },
      ),
    );
  });
});
