import { describe, expect, it } from "vitest";
import { Activity } from "../../../src/cli/screen/activity.ts";
import { Dispatches } from "../../../src/cli/screen/dispatches.ts";
import { createPaint } from "../../../src/cli/screen/paint.ts";
import { renderEvent } from "../../../src/cli/screen/render-event.ts";
import { RunMeter } from "../../../src/cli/screen/run-meter.ts";
import { createTranslator } from "../../../src/config/locale/translator.ts";
import { createEvent, type Event } from "../../../src/events/event.ts";
import { Ask, type AskState } from "../../../src/people/ask.ts";

const t = createTranslator("en");
const view = { t, width: 80, folder: "", verbose: false, paint: createPaint(false) };

const dispatched = (id: string, role = "coder") =>
  createEvent("tool_call", {
    tool: "Agent",
    payload: { subagent: false, id, input: { subagent_type: role, prompt: `Do ${id}.` } },
  });
const called = (parent: string, text: string, id = text) =>
  createEvent("tool_call", {
    tool: "Bash",
    text,
    payload: { subagent: true, parent_tool_use_id: parent, agent: "coder", id, input: {} },
  });
const reported = (id: string, text: string) =>
  createEvent("tool_result", { text, payload: { subagent: false, tool_use_id: id, is_error: false } });
const came = (id: string) =>
  createEvent("tool_result", {
    payload: { subagent: true, parent_tool_use_id: "d1", tool_use_id: id, is_error: false },
  });
const stepBegan = createEvent("step", {
  text: "work",
  payload: { index: 3, total: 3, resumed: false, woke: 0 },
});

function shown(events: readonly Event[]): string[] {
  const dispatches = new Dispatches();
  return events.flatMap((event) => renderEvent(event, view, dispatches.place(event)));
}

describe("workers on the screen", () => {
  it("alone need no name; what one came back with stands under its calls", () => {
    expect(shown([dispatched("d1"), called("d1", "ls"), reported("d1", "Conclusion:\ndone.")])).toEqual([
      "> coder  Do d1.",
      "| * Bash  ls",
      "| + Conclusion: done.",
    ]);
  });

  it("side by side are told apart to the last of them, and numbers are free again after that", () => {
    const events = [
      dispatched("d1"),
      dispatched("d2"),
      dispatched("d3", "tester"),
      called("d2", "b"),
      called("d1", "a"),
      reported("d1", "one"),
      called("d3", "c"),
      reported("d3", "three"),
      called("d2", "b again"),
      reported("d2", "two"),
      dispatched("d4"),
      called("d4", "d"),
    ];
    expect(shown(events)).toEqual([
      "> coder  Do d1.",
      "> coder#2  Do d2.",
      "> tester  Do d3.",
      "| coder#2 * Bash  b",
      "| coder * Bash  a",
      "| coder + one",
      "| tester * Bash  c",
      "| tester + three",
      "| coder#2 * Bash  b again",
      "| coder#2 + two",
      "> coder  Do d4.",
      "| * Bash  d",
    ]);
  });

  it("that go on with an earlier dispatch are known by their role", () => {
    expect(
      shown([called("unknown", "a"), dispatched("d1"), called("d1", "b"), called("unknown", "c")]),
    ).toEqual(["| * Bash  a", "> coder#2  Do d1.", "| coder#2 * Bash  b", "| coder * Bash  c"]);
  });

  it("lost in a crash are not remembered", () => {
    const dispatches = new Dispatches();
    for (let i = 0; i < 1_000; i += 1) dispatches.place(dispatched(`d${i}`));
    const { dispatch } = dispatches.place(dispatched("last"));
    expect(Number(dispatch.replace("coder#", ""))).toBeLessThan(70);
    dispatches.place(stepBegan);
    expect(dispatches.place(dispatched("new"))).toEqual({ worker: "", dispatch: "coder" });
  });
});

describe("what runs now", () => {
  function after(events: readonly (Event | number)[]): string {
    let now = 1_000_000;
    const activity = new Activity(() => now);
    const dispatches = new Dispatches();
    for (const event of events) {
      if (typeof event === "number") now += event * 1000;
      else {
        activity.read(event, dispatches.nameOf(event), "/home/me/proj");
        dispatches.place(event);
      }
    }
    return activity.words(t);
  }
  const notice = (payload: Record<string, unknown>) => createEvent("task", { payload });
  const evidence = (phase: string) =>
    createEvent("task", { text: "npm test", payload: { notice: "evidence", phase } });
  const retry = (phase: string) => createEvent("retry", { payload: { phase } });
  const question = new Ask({ id: "q1", question: "Which?", askedAt: 0 });
  const asked = (state: AskState) =>
    createEvent("ask", { payload: question.settled(state, "", 0).toPayload() });

  const table: [string, (Event | number)[], string][] = [
    ["nothing before a step", [], ""],
    ["the model", [stepBegan], "thinking"],
    ["a worker's model", [stepBegan, dispatched("d1"), called("d1", "ls"), came("ls")], "coder: thinking"],
    [
      "a command and how long",
      [stepBegan, dispatched("d1"), called("d1", "npm test"), 72],
      "coder: Bash npm test 1:12",
    ],
    [
      "two at a time",
      [stepBegan, dispatched("d1"), dispatched("d2"), called("d1", "a"), called("d2", "b"), 5],
      "2 running: coder: Bash a, coder#2: Bash b",
    ],
    ["a command of the goal", [stepBegan, evidence("begin"), evidence("start"), 9], "npm test 0:09"],
    [
      "a file in the folder, named from there however long the call is",
      [stepBegan, called("x", `/home/me/proj/src/${"a".repeat(60)}.ts /home/me/proj/b.ts`)],
      `coder: Bash src/${"a".repeat(60)}.ts b.ts`,
    ],
    ["none of them any more", [evidence("start"), evidence("done")], ""],
    ["a person", [stepBegan, asked("asked")], "waiting for your answer"],
    ["nobody any more", [stepBegan, asked("asked"), asked("answered")], "thinking"],
    ["the network", [stepBegan, retry("failed"), retry("waiting")], "waiting for the network"],
    ["the network no more", [stepBegan, retry("waiting"), retry("online")], "thinking"],
    ["another try", [stepBegan, retry("failed")], "waiting to try again"],
    [
      "a limit",
      [stepBegan, notice({ notice: "limit", phase: "waiting" })],
      "waiting for the usage limit to end",
    ],
    [
      "a limit no more",
      [stepBegan, notice({ notice: "limit", phase: "waiting" }), called("x", "ls")],
      "coder: Bash ls",
    ],
    [
      "a handoff",
      [stepBegan, createEvent("handoff", { payload: { phase: "writing" } })],
      "writing the handoff",
    ],
    [
      "nothing after a turn",
      [
        stepBegan,
        called("x", "ls"),
        createEvent("result", { payload: { session_id: "s", cost_usd: 0, num_turns: 1, is_error: false } }),
      ],
      "",
    ],
  ];
  it.each(table)("is %s", (_name, events, words) => expect(after(events)).toBe(words));

  it("stands in the status line, whose mark turns after three seconds without a word", () => {
    let now = 0;
    const meter = new RunMeter(() => now);
    meter.read(stepBegan);
    expect(meter.liveLine({ t, width: 79 }, 0.3)).toBe("- context 0 · $0.30 · 0:00 · thinking");
    now = 2_900;
    expect(meter.liveLine({ t, width: 79 }, 0.3)).toMatch(/^- /);
    const marks = [3_000, 3_500, 4_000, 4_500].map((at) => {
      now = at;
      return meter.liveLine({ t, width: 79 }, 0.3).charAt(0);
    });
    expect(new Set(marks)).toEqual(new Set(["-", "\\", "|", "/"]));
    expect(meter.liveLine({ t, width: 20 }, 0.3)).toHaveLength(20);
  });
});
