import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { describeCutOff, findCutOff, loadCutOff } from "../../src/runtime/cut-off-workers.ts";
import type { SessionStore, SessionStoreEntry } from "../../src/sessions/session-store.ts";

const STOPPED = "The user doesn't want to proceed with this tool use. The tool use was rejected.";
const DIED = "Agent terminated early due to an API error: API Error: 529 Overloaded.";

function entry(fields: Record<string, unknown>): SessionStoreEntry {
  return fields as SessionStoreEntry;
}
function prompt(text: string): SessionStoreEntry {
  return entry({ type: "user", message: { role: "user", content: text } });
}
function says(text: string): SessionStoreEntry {
  return entry({
    type: "assistant",
    message: { content: [{ type: "text", text }], stop_reason: "end_turn" },
  });
}
function calls(name: string, id: string, input: Record<string, unknown> = {}): SessionStoreEntry {
  return entry({
    type: "assistant",
    message: { content: [{ type: "tool_use", id, name, input }], stop_reason: "tool_use" },
  });
}
function answers(id: string, content: unknown): SessionStoreEntry {
  return entry({
    type: "user",
    message: { content: [{ type: "tool_result", tool_use_id: id, content }] },
  });
}
function worker(agentId: string, toolUseId: string) {
  const about = { type: "agent_metadata", agentType: "coder", description: `task ${agentId}`, toolUseId };
  return { agentId, entries: [entry(about)] };
}

const A = worker("a1", "call1");
const B = worker("b1", "call2");
const sent = [prompt("go"), calls("Agent", "call1"), calls("Agent", "call2")];
const goOn = (id: string) => calls("SendMessage", id, { to: "a1", summary: "s", message: "m" });
const note = entry({
  type: "user",
  message: { content: [{ type: "text", text: "[Request interrupted by user for tool use]" }] },
});
const synthetic = entry({
  type: "assistant",
  message: { model: "<synthetic>", content: [{ type: "text", text: "No response requested." }] },
});

const CASES: readonly (readonly [string, readonly SessionStoreEntry[], readonly string[]])[] = [
  ["both open after a kill", sent, ["a1", "b1"]],
  [
    "both stopped by a person",
    [...sent, answers("call1", STOPPED), answers("call2", STOPPED), note],
    ["a1", "b1"],
  ],
  ["one reported, one open", [...sent, answers("call1", "Conclusion: done.")], ["b1"]],
  ["mended at load", [...sent, answers("call1", "[Tool call interrupted: the process ended]")], ["a1", "b1"]],
  [
    "a report that quotes an interruption",
    [...sent, answers("call1", `It said: ${STOPPED}`), answers("call2", "x")],
    [],
  ],
  [
    "gone on with and cut off again before anything was said",
    [...sent, note, synthetic, prompt("go on")],
    ["a1", "b1"],
  ],
  ["gone on with twice", [...sent, prompt("go on"), prompt("go on")], ["a1", "b1"]],
  [
    "continued, and reported",
    [...sent, prompt("go on"), goOn("c3"), answers("c3", [{ type: "text", text: "done" }])],
    ["b1"],
  ],
  ["continued, and cut off again", [...sent, prompt("go on"), goOn("c3")], ["a1", "b1"]],
  [
    "continued, and stopped again",
    [...sent, prompt("go on"), goOn("c3"), answers("c3", STOPPED), note],
    ["a1", "b1"],
  ],
  [
    "left behind by a turn that came to its end",
    [...sent, prompt("never mind"), says("fine"), prompt("next")],
    [],
  ],
  [
    "called anew after a turn that came to its end",
    [...sent, prompt("x"), says("fine"), prompt("next"), goOn("c4")],
    ["a1"],
  ],
  [
    "died of the API and nothing was said since",
    [...sent, answers("call1", DIED), answers("call2", "ok")],
    ["a1"],
  ],
  [
    "died of the API and the model went on",
    [...sent, answers("call1", DIED), answers("call2", "ok"), calls("Agent", "c5")],
    [],
  ],
  ["healed: the call is gone", [prompt("go")], []],
  ["nothing", [], []],
];

describe("workers that were cut off", () => {
  it.each(CASES)("%s", (_name, main, expected) => {
    expect(findCutOff(main, [A, B]).map((found) => found.agentId)).toEqual(expected);
  });

  it("are named with role, id and task, on one line each", () => {
    const [found] = findCutOff(sent, [
      {
        agentId: "n1",
        entries: [
          entry({
            type: "agent_metadata",
            agentType: "coder",
            description: "two\nlines",
            toolUseId: "call1",
          }),
        ],
      },
    ]);
    expect(found).toEqual({ agentId: "n1", type: "coder", description: "two lines" });
    expect(describeCutOff(found === undefined ? [] : [found])).toContain("- coder, agent id n1: two lines");
    expect(describeCutOff([])).toBe("");
  });

  it("are looked for in any history without a throw, and never without a record of their own", () => {
    const shape = fc.oneof(
      fc.anything(),
      fc.record({ type: fc.constantFrom("user", "assistant", "agent_metadata"), message: fc.anything() }),
    );
    fc.assert(
      fc.property(fc.array(shape), fc.array(shape), (main, entries) => {
        const found = findCutOff(main as SessionStoreEntry[], [
          { agentId: "x", entries: entries as SessionStoreEntry[] },
        ]);
        expect(found.length).toBeLessThanOrEqual(1);
        expect(findCutOff(main as SessionStoreEntry[], [{ agentId: "x", entries: [] }])).toEqual([]);
      }),
    );
  });

  it("cost no reading of transcripts while every call has come back", async () => {
    const read: (string | undefined)[] = [];
    const history = (main: readonly SessionStoreEntry[]): SessionStore => ({
      append: async () => {},
      listSubkeys: async () => ["subagents/agent-a1", "subagents/other"],
      load: async ({ subpath }) => {
        read.push(subpath);
        return subpath === undefined ? [...main] : [...A.entries];
      },
    });
    const whole = [...sent, answers("call1", "x"), answers("call2", "y")];
    expect(await loadCutOff(history(whole), "p", "s")).toEqual([]);
    expect(read).toEqual([undefined]);
    expect(await loadCutOff(history(sent), "p", "s")).toMatchObject([{ agentId: "a1" }]);
  });
});
