import { describe, expect, it } from "vitest";
import { EventPrinter } from "../../../src/cli/screen/event-printer.ts";
import { createPaint } from "../../../src/cli/screen/paint.ts";
import type { View } from "../../../src/cli/screen/view.ts";
import { createTranslator } from "../../../src/config/locale/translator.ts";
import { createEvent, type Event } from "../../../src/events/event.ts";
import { Ask, type AskState } from "../../../src/people/ask.ts";

const view: View = {
  t: createTranslator("en"),
  width: 40,
  folder: "/ws",
  verbose: false,
  paint: createPaint(false),
};

function shown(
  events: readonly Event[],
  more: Partial<View> = {},
  onScreen: readonly string[] = [],
): string[] {
  const printer = new EventPrinter();
  const own = { ...view, ...more };
  const lines = events.flatMap((event) => printer.lines(event, own, (id) => onScreen.includes(id)));
  return [...lines, ...printer.rest(own)];
}

const said = (text: string, step = "work") =>
  createEvent("text", { text, payload: { subagent: false, step } as object });
const verdict = createEvent("task", {
  text: "It lacks b.",
  payload: { notice: "verdict", state: "not_yet", round: 1, rounds: 3, failed: [] },
});
const over = (step: string) =>
  createEvent("result", { payload: { session_id: "s", cost_usd: 0, num_turns: 1, is_error: false, step } });
const handoff = (phase: "writing" | "done") =>
  createEvent("handoff", {
    payload: { phase, path: "/ws/.flower/notes/handoff-work.md", sections: { doing: "A.", next: "B." } },
  });
const question = new Ask({ id: "q1", question: "Which?", options: ["a"], askedAt: 0 });
const asked = (state: AskState, text: string) =>
  createEvent("ask", { text, payload: question.settled(state, "", 3).toPayload() });

const failed = (text: string, more: object = {}) => createEvent("error", { text, payload: more as never });
const retried = (text: string) =>
  createEvent("retry", { text, payload: { phase: "failed", failure: 1, delay_s: 4 } });

describe("what is told twice is printed once", () => {
  it("an error, with when it is tried again", () => {
    expect(shown([failed("API Error: 529"), over("work"), retried("busy: API Error: 529")])).toEqual([
      "~ busy: API Error: 529; trying again in",
      "  4 s (attempt 2)",
    ]);
  });

  it.each([
    ["another follows", [failed("one"), failed("two")], ["x one", "x two"]],
    [
      "something else is tried again",
      [failed("one"), retried("two")],
      ["x one", "~ two; trying again in 4 s (attempt 2)"],
    ],
    ["nothing follows", [failed("one"), over("work")], ["x one"]],
    ["the step speaks", [failed("one"), said("So.")], ["x one", "", "So."]],
    [
      "a judge speaks",
      [failed("one", { step: "work:verdict#1" }), said("So.", "work:verdict#1")],
      ["", "-- judging round 1", "x one", "", "So."],
    ],
    [
      "it is a worker's",
      [failed("one", { subagent: true }), retried("one")],
      ["| x one", "~ one; trying again in 4 s (attempt 2)"],
    ],
  ])("but an error is printed where %s", (_, events, lines) => {
    const printed = shown(events, { width: 80 });
    expect(printed.map((line) => line.replace(/ -{9,}$/, ""))).toEqual(lines);
  });

  it("a verdict, under a line that says that it is judged", () => {
    const ruling = said("## Conclusion\nnot yet\n\n## Reason\nIt lacks b.", "work:verdict#1");
    expect(
      shown([
        said("Done."),
        over("work"),
        ruling,
        over("work:verdict#1"),
        verdict,
        said("Again.", "work#round2"),
      ]),
    ).toEqual([
      "",
      "Done.",
      "",
      "-- judging round 1 ---------------------",
      "",
      "! round 1 of 3: not yet",
      "  It lacks b.",
      "",
      "-- round 2 -----------------------------",
      "",
      "Again.",
    ]);
  });

  it("but a judge's words are printed where no verdict came of them, and all of them with -v", () => {
    const ruling = said("I cannot say.", "work:verdict#1");
    expect(shown([ruling])).toContain("I cannot say.");
    expect(shown([ruling, said("Next.")])).toEqual(expect.arrayContaining(["I cannot say.", "Next."]));
    expect(shown([ruling, verdict], { verbose: true })).toContain("I cannot say.");
  });

  it("a handoff, as a block", () => {
    const document = said("## What I am doing\nA.");
    expect(shown([handoff("writing"), document, over("work"), handoff("done"), said("Going on.")])).toEqual([
      "",
      "# context full; writing the handoff",
      "# -- handoff ---------------------------",
      "# doing: A.",
      "# next: B.",
      "<- a fresh session takes over; handoff",
      "   in .flower/notes/handoff-work.md",
      "",
      "Going on.",
    ]);
  });
});

describe("steps side by side", () => {
  const began = (name: string, group?: string) =>
    createEvent("step", {
      text: name,
      payload: { index: 2, total: 3, resumed: false, woke: 0, ...(group === undefined ? {} : { group }) },
    });
  const call = (step: string, id: string) =>
    createEvent("tool_call", {
      text: id,
      tool: "Bash",
      payload: { subagent: false, id, input: {}, step } as never,
    });
  const dispatched = (step: string, id: string) =>
    createEvent("tool_call", {
      tool: "Agent",
      payload: { subagent: false, id, input: { subagent_type: "coder", prompt: `Do ${id}.` }, step } as never,
    });
  const worked = (step: string, parent: string) =>
    createEvent("tool_call", {
      text: "ls",
      tool: "Bash",
      payload: { subagent: true, parent_tool_use_id: parent, id: `${parent}1`, input: {}, step } as never,
    });

  it("are told apart line by line, each with its own workers, rounds and verdicts, until a step stands alone", () => {
    const lines = shown([
      began("tests", "both"),
      began("docs", "both"),
      call("tests", "a"),
      dispatched("docs", "d1"),
      dispatched("tests", "d2"),
      worked("docs", "d1"),
      worked("tests", "d2"),
      said("## Conclusion\nnot yet", "tests:verdict#1"),
      said("Words.", "docs"),
      createEvent("task", { ...verdict, payload: { ...verdict.payload, step: "tests:verdict#1" } as never }),
      said("On.", "tests#round2"),
      said("More.", "docs"),
      said("Still on.", "tests#round2"),
      began("last"),
      call("last", "z"),
    ]);
    expect(lines.filter((line) => line !== "")).toEqual([
      expect.stringMatching(/^== tests =+ 2\/3$/),
      expect.stringMatching(/^== docs =+ 2\/3$/),
      "tests: * Bash  a",
      "docs: > coder  Do d1.",
      "tests: > coder  Do d2.",
      "docs: | * Bash  ls",
      "tests: | * Bash  ls",
      "tests: -- judging round 1 --------------",
      "docs: Words.",
      "tests: ! round 1 of 3: not yet",
      "tests:   It lacks b.",
      "tests: -- round 2 ----------------------",
      "tests: On.",
      "docs: More.",
      "tests: Still on.",
      expect.stringMatching(/^== last =+ 2\/3$/),
      "* Bash  z",
    ]);
  });

  it("have their name before what was kept back, and are told before another group begins", () => {
    const lines = shown([
      began("tests", "both"),
      began("docs", "both"),
      failed("one", { step: "tests" }),
      over("tests"),
      call("docs", "a"),
      began("ship", "others"),
      call("ship", "z"),
    ]);
    expect(lines.filter((line) => line !== "").map((line) => line.replace(/ =+ /, " = "))).toEqual([
      "== tests = 2/3",
      "== docs = 2/3",
      "docs: * Bash  a",
      "tests: x one",
      "== ship = 2/3",
      "ship: * Bash  z",
    ]);
  });

  it("are told apart by whole names, also where these look alike up to a sign", () => {
    const lines = shown([
      began("build:api", "both"),
      began("build:web", "both"),
      said("Words.", "build:api"),
      said("## Conclusion\nnot yet", "build:web:verdict#1"),
      said("Other words.", "build:web#round2"),
    ]);
    expect(lines.filter((line) => line !== "").slice(2)).toEqual([
      "build:api: Words.",
      "build:web: -- judging round 1 ----------",
      "build:web: ## Conclusion",
      "build:web: not yet",
      "build:web: -- round 2 ------------------",
      "build:web: Other words.",
    ]);
  });

  it("have names of their own in the status line", () => {
    const printer = new EventPrinter();
    for (const event of [began("tests", "both"), began("docs", "both"), dispatched("docs", "d1")]) {
      printer.lines(event, view);
    }
    expect(printer.nameOf(call("tests", "a"))).toBe("tests");
    expect(printer.nameOf(worked("docs", "d1"))).toBe("docs/coder");
  });
});

describe("a question on the screen", () => {
  it("is printed with what became of it, once", () => {
    const events = [asked("asked", "Which?"), asked("answered", "a")];
    expect(shown(events, {}, ["q1"])).toEqual(["", "? question q1: Which?", "    1. a", "+ answered: a"]);
    expect(shown(events)).toEqual(["", "? question q1: Which?", "    1. a", "+ answered: a"]);
  });

  it("is not printed at all when it was withdrawn", () => {
    const gone = createEvent("ask", {
      text: "Which?",
      payload: { ...question.settled("declined", "", 3).toPayload(), withdrawn: true },
    });
    expect(shown([asked("asked", "Which?"), gone], {}, ["q1"])).toEqual([]);
  });
});

describe("files of the workspace", () => {
  const call = (text: string) =>
    shown(
      [createEvent("tool_call", { text, tool: "Bash", payload: { subagent: false, id: "1", input: {} } })],
      { width: 80 },
    );
  it.each([
    ["/ws/src/a.ts", "* Bash  src/a.ts"],
    ["cat /ws/a /ws/.env && ls '/ws/b c'", "* Bash  cat a .env && ls 'b c'"],
    ["rm -rf /ws/", "* Bash  rm -rf /ws/"],
    ["rm -rf /ws/*", "* Bash  rm -rf /ws/*"],
    ["ls /other/ws/a /ws2/b", "* Bash  ls /other/ws/a /ws2/b"],
  ])("%s", (text, line) => expect(call(text)).toEqual([line]));
});

describe("prose", () => {
  it("of models keeps its lists in shape", () => {
    expect(
      shown([
        said(
          "## Goal\n- one that is rather long and goes on below\n  1. two that is long as well, and folded",
        ),
      ]),
    ).toEqual([
      "",
      "## Goal",
      "- one that is rather long and goes on",
      "  below",
      "  1. two that is long as well, and",
      "     folded",
    ]);
    const bold = shown([said("# Goal")], { paint: (tone, text) => `<${tone}>${text}` });
    expect(bold).toContain("<strong># Goal");
  });
});
