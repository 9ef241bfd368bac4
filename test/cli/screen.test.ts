import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  elapsed,
  fold,
  homePath,
  marked,
  money,
  rule,
  tokens,
  usableWidth,
} from "../../src/cli/screen/layout.ts";
import { createPaint, wantsColours } from "../../src/cli/screen/paint.ts";
import { renderEvent } from "../../src/cli/screen/render-event.ts";
import { RunMeter } from "../../src/cli/screen/run-meter.ts";
import type { View } from "../../src/cli/screen/view.ts";
import { createTranslator } from "../../src/config/locale/translator.ts";
import { displayWidth } from "../../src/core/cells.ts";
import { createEvent, EVENT_KINDS, type Event } from "../../src/events/event.ts";
import { Ask } from "../../src/people/ask.ts";

const cases: readonly { id: string; input: never; expected: never }[] = JSON.parse(
  readFileSync(new URL("../fixtures/cli/cases.json", import.meta.url), "utf8"),
);
function published(id: string): { input: unknown; expected: Record<string, never> } {
  const found = cases.find((each) => each.id === id);
  if (found === undefined) throw new Error(id);
  return found;
}

function view(more: Partial<View> = {}): View {
  return {
    t: createTranslator("en"),
    width: 60,
    folder: "",
    verbose: false,
    paint: createPaint(false),
    ...more,
  };
}

const speaker = { subagent: false };
const worker = { subagent: true, agent: "coder" };
const question = new Ask({ id: "q1-abcd", question: "Which?", options: ["a", "b"], askedAt: 0 });

describe("what a person sees of an event", () => {
  const table: [string, Event, string[]][] = [
    [
      "a step, woken",
      createEvent("step", { text: "work", payload: { index: 3, total: 3, resumed: true, woke: 3 } }),
      ["", "== work ================== 3/3  <- continued · wake 3"],
    ],
    [
      "isolated work, together",
      createEvent("task", {
        text: "for logs",
        payload: {
          notice: "integration",
          branch: "flower/r1",
          path: "/w/.claude/worktrees/flower-r1",
          base: "main",
          commits: 2,
          files: ["a", "b", "c"],
          conflicts: [
            { branch: "flower/r1-agent-2", files: ["a.txt"], with: ["flower/r1-agent-1"] },
            { branch: "main", files: [], with: [] },
          ],
          stuck: [{ branch: "flower/r1-agent-3", why: "locked\x1b[2J" }],
          leftOut: [{ branch: "flower/r1-agent-1", path: "/p", files: ["1", "2", "3", "4", "5", "clone/"] }],
          kept: "abc123",
        },
      }),
      [
        "# isolated work is together on flower/r1 (commits: 2, files:",
        "  3)",
        "  /w/.claude/worktrees/flower-r1",
        "  what lay in the integration worktree was put away: `git",
        "  show abc123`",
        "! flower/r1-agent-2 does not merge: a.txt; also changed by",
        "  flower/r1-agent-1",
        "! main does not merge: ?",
        "! the work of flower/r1-agent-3 is not taken: locked",
        "! no commit holds this of flower/r1-agent-1: 1, 2, 3, 4, 5,",
        "  … (6)",
      ],
    ],
    [
      "isolated work that could not be brought together",
      createEvent("task", {
        payload: { notice: "integration", branch: "flower/r1", base: "main", blocked: "why" },
      }),
      ["! isolated work could not be brought together: why"],
    ],
    [
      "the worktrees there are",
      createEvent("task", { text: "- /w/a", payload: { notice: "worktree", worktrees: [] } }),
      [],
    ],
    ["prose", createEvent("text", { text: "Hello.", payload: speaker }), ["", "Hello."]],
    ["a worker's prose", createEvent("text", { text: "Hello.", payload: worker }), []],
    [
      "a tool",
      createEvent("tool_call", { text: "ls", tool: "Bash", payload: { ...speaker, id: "1", input: {} } }),
      ["* Bash  ls"],
    ],
    [
      "a worker's tool",
      createEvent("tool_call", { text: "ls", tool: "Bash", payload: { ...worker, id: "1", input: {} } }),
      ["| * Bash  ls"],
    ],
    [
      "a dispatch",
      createEvent("tool_call", {
        tool: "Agent",
        payload: { ...speaker, id: "1", input: { subagent_type: "coder", prompt: "Write it." } },
      }),
      ["> coder  Write it."],
    ],
    [
      "a result that is fine",
      createEvent("tool_result", { text: "ok", payload: { ...speaker, tool_use_id: "1", is_error: false } }),
      [],
    ],
    [
      "a refusal",
      createEvent("tool_result", {
        text: "PreToolUse:Bash hook error: look only",
        payload: { ...speaker, tool_use_id: "1", is_error: true },
      }),
      ["x look only"],
    ],
    [
      "a call whose turn was stopped",
      createEvent("tool_result", {
        text: "The user doesn't want to proceed with this tool use. The tool use was rejected (eg. …",
        payload: { ...speaker, tool_use_id: "1", is_error: true },
      }),
      ["x stopped before it was done"],
    ],
    [
      "a question",
      createEvent("ask", { text: "Which?", payload: question.toPayload() }),
      ["", "? question q1-abcd: Which?", "    1. a", "    2. b"],
    ],
    [
      "an answer",
      createEvent("ask", { text: "a", payload: question.settled("answered", "a", 3).toPayload() }),
      ["+ answered: a"],
    ],
    [
      "mail",
      createEvent("ask", { text: "hi", payload: { kind: "mail", state: "queued", id: "m1", at: 0 } }),
      ["> hi", "+ noted; it is read at the next milestone"],
    ],
    [
      "a verdict",
      createEvent("task", {
        text: "It lacks b.",
        payload: { notice: "verdict", state: "not_yet", round: 1, rounds: 3, failed: ["b works"] },
      }),
      ["", "! round 1 of 3: not yet", "  It lacks b.", "  - missing: b works"],
    ],
    [
      "a verdict on what is here before any work",
      createEvent("task", {
        text: "Still.",
        payload: { notice: "verdict", state: "achieved", round: 0, rounds: 3, failed: [] },
      }),
      ["", "+ what is here, before any work: achieved", "  Still."],
    ],
    [
      "that nothing is left to do",
      createEvent("task", { text: "achieved", payload: { notice: "standing", standing: "holds" } }),
      ["+ achieved"],
    ],
    [
      "that a verdict has lapsed",
      createEvent("task", {
        text: "was achieved",
        payload: { notice: "standing", standing: "tree_changed" },
      }),
      ["! was achieved"],
    ],
    [
      "the commands of a goal",
      createEvent("task", {
        text: "…",
        payload: { notice: "commands", commands: ["node wc.mjs a.txt", "npm test"], folder: "/ws" },
      }),
      [
        "* before each verdict flower itself runs these commands of",
        "  the goal, in /ws; --evidence off leaves them alone",
        "    node wc.mjs a.txt",
        "    npm test",
      ],
    ],
    [
      "commands that run",
      createEvent("task", { text: "", payload: { notice: "evidence", phase: "begin", commands: 2 } }),
      ["* running the commands of the goal: 2"],
    ],
    [
      "one of them",
      createEvent("task", {
        text: "npm test",
        payload: { notice: "evidence", phase: "start", number: 2, total: 3, command: "npm test" },
      }),
      [],
    ],
    [
      "a command that held",
      createEvent("task", {
        text: "npm test",
        payload: {
          ...{ notice: "evidence", phase: "done", number: 2, total: 3, command: "npm test" },
          ...{ outcome: "held", why: "", path: "/ev/2.txt" },
        },
      }),
      ["+ 2/3  npm test  held"],
    ],
    [
      "a command that only ran",
      createEvent("task", {
        text: "npm test",
        payload: {
          ...{ notice: "evidence", phase: "done", number: 2, total: 3, command: "npm test" },
          ...{ outcome: "ran", why: "", path: "/ev/2.txt" },
        },
      }),
      ["* 2/3  npm test  ran; the judge reads what it printed"],
    ],
    [
      "a command that did not",
      createEvent("task", {
        text: "npm test",
        payload: {
          ...{ notice: "evidence", phase: "done", number: 2, total: 3, command: "npm test" },
          ...{ outcome: "failed", why: "exit code 1", path: "/ws/runs/ev/2.txt" },
        },
      }),
      ["! 2/3  npm test  failed: exit code 1", "  whole output: /ws/runs/ev/2.txt"],
    ],
    [
      "tracked files that commands changed",
      createEvent("task", { text: "changed: a.txt", payload: { notice: "evidence", phase: "changed" } }),
      ["! changed: a.txt"],
    ],
    [
      "a second judge",
      createEvent("task", { text: "asking another", payload: { notice: "judge", phase: "second" } }),
      ["! asking another"],
    ],
    [
      "a person's word",
      createEvent("task", { text: "", payload: { notice: "accepted", state: "unreachable" } }),
      ["+ accepted by you"],
    ],
    [
      "a skipped step",
      createEvent("task", { text: "clarify", payload: { notice: "skipped", step: "clarify" } }),
      [". clarify skipped: already there"],
    ],
    [
      "the harness's own progress",
      createEvent("task", { text: "x", payload: { notice: "task_started" } }),
      [],
    ],
    [
      "a failure that is waited out",
      createEvent("retry", { text: "HTTP 529", payload: { phase: "failed", failure: 1, delay_s: 4.2 } }),
      ["~ HTTP 529; trying again in 4 s (attempt 2)"],
    ],
    [
      "a network that is gone",
      createEvent("retry", { text: "a:443", payload: { phase: "waiting", host: "a:443" } }),
      ["~ offline: waiting for a:443"],
    ],
    [
      "a network that is back",
      createEvent("retry", { payload: { phase: "online", afterS: 30.4 } }),
      ["~ back online after 30 s"],
    ],
    [
      "a usage limit, with its end on this clock",
      createEvent("task", {
        text: "usage limit until …",
        payload: { notice: "limit", phase: "waiting", until: new Date(2026, 2, 1, 4, 5).getTime() / 1000 },
      }),
      ["~ usage limit reached; waiting until 2026-03-01 04:05"],
    ],
    [
      "a usage limit that is over",
      createEvent("task", { text: "x", payload: { notice: "limit", phase: "over" } }),
      ["~ the usage limit is over; going on"],
    ],
    [
      "a context that fills",
      createEvent("handoff", {
        payload: { phase: "near", context: 130_000, window: 200_000, at: 150_000 },
      }),
      ["# context nearly full: 130.0K of 200.0K"],
    ],
    [
      "a handoff begun",
      createEvent("handoff", { payload: { phase: "writing" } }),
      ["", "# context full; writing the handoff"],
    ],
    [
      "a handoff",
      createEvent("handoff", {
        text: "/n/h.md",
        payload: {
          phase: "done",
          degraded: false,
          path: "/n/h.md",
          sections: { doing: "Writing a.", decided: "x", deadends: "", next: "Test a.\nThen b." },
        },
      }),
      [
        "# -- handoff -----------------------------------------------",
        "# doing: Writing a.",
        "# next: Test a.",
        "# Then b.",
        "<- a fresh session takes over; handoff in /n/h.md",
      ],
    ],
    [
      "a handoff that was put together, without the words for its successor, and could not be kept",
      createEvent("handoff", {
        payload: { phase: "done", degraded: true, path: undefined, sections: { doing: "A.", next: "" } },
      }),
      [
        "# -- handoff -----------------------------------------------",
        "! the session could not write the handoff: it was put",
        "  together without it",
        "<- a fresh session takes over; the handoff could not be put",
        "   on disk",
      ],
    ],
    ...["budget", "progress", "guard", "worker", "store", "credentials", "frozen"].map(
      (notice): [string, Event, string[]] => [
        `a warning: ${notice}`,
        createEvent("task", { text: "Look here.", payload: { notice } }),
        ["! Look here."],
      ],
    ),
    [
      "what a loaded history left out",
      createEvent("task", { text: "3 results trimmed", payload: { notice: "store", rewritten: true } }),
      [],
    ],
    [
      "a worker that was cut off",
      createEvent("task", {
        text: "cut off in the middle of their task: coder: write a",
        payload: { notice: "cut_off", agents: ["1"] },
      }),
      ["! cut off in mid-turn: coder: write a"],
    ],
    [
      "the true window",
      createEvent("task", { text: "x", payload: { notice: "window", window: 200_000, at: 150_000 } }),
      [],
    ],
    ["an API error", createEvent("error", { text: "API Error", payload: speaker }), ["x API Error"]],
  ];
  it.each(table)("%s", (_name, event, lines) => {
    const wide = event.kind === "step" ? view({ width: 53 }) : view();
    expect(renderEvent(event, wide)).toEqual(lines);
  });

  it("shows worker prose, thoughts, results and prompts when asked to", () => {
    const verbose = view({ verbose: true });
    expect(renderEvent(createEvent("text", { text: "Hi.", payload: worker }), verbose)).toEqual(["| Hi."]);
    expect(renderEvent(createEvent("thinking", { text: "Hm.", payload: speaker }), verbose)).toEqual([
      "~ Hm.",
    ]);
    expect(renderEvent(createEvent("prompt", { text: "Do.", payload: speaker }), verbose)).toEqual(["- Do."]);
  });

  it("tells what was left out of a loaded history to whoever wants every line", () => {
    const trimmed = createEvent("task", {
      text: "3 results trimmed",
      payload: { notice: "store", rewritten: true },
    });
    expect(renderEvent(trimmed, view({ verbose: true }))).toEqual(["- 3 results trimmed"]);
  });

  it.each(["en", "zh", "pt"] as const)("says waits, handoffs and warnings in %s", (language) => {
    const own = view({ t: createTranslator(language), verbose: true, width: 110 });
    const events = [
      createEvent("retry", { text: "HTTP 529", payload: { phase: "failed", failure: 1, delay_s: 4 } }),
      createEvent("retry", { payload: { phase: "waiting", host: "a:443" } }),
      createEvent("retry", { payload: { phase: "online", afterS: 1 } }),
      createEvent("task", { payload: { notice: "limit", phase: "waiting", until: 1_800_000_000 } }),
      createEvent("task", { payload: { notice: "limit", phase: "over" } }),
      createEvent("task", { payload: { notice: "window", window: 200_000, at: 150_000 } }),
      createEvent("handoff", { payload: { phase: "near", context: 1, window: 2 } }),
      createEvent("handoff", { payload: { phase: "writing" } }),
      createEvent("handoff", {
        payload: { phase: "done", degraded: true, sections: { doing: "A", next: "B" } },
      }),
    ];
    const shown = events.map((event) => renderEvent(event, own).join("\n"));
    for (const text of shown) expect(text).toMatch(/^\n?(?:~|#|<-) /);
    for (const text of shown) expect(text).not.toMatch(/[{}]|undefined|NaN/);
    expect(shown.join("\n")).toContain("200.0K");
  });

  it("lets no escape sequence of a model or a tool through, on any kind, and is never wider than the screen", () => {
    const hostile = fc.oneof(
      fc.string({ unit: "binary" }),
      fc.constant(String(published("D-term-01").input)),
      fc.constant("\u001b]0;x\u0007\u009b2J\r\u202e"),
    );
    fc.assert(
      fc.property(
        hostile,
        fc.constantFrom(...EVENT_KINDS),
        fc.boolean(),
        fc.integer({ min: 40, max: 110 }),
        fc.constantFrom(
          ...["verdict", "limit", "cut_off", "budget", "window", "store"],
          ...["commands", "evidence", "judge", "accepted"],
        ),
        fc.constantFrom("failed", "waiting", "online", "near", "writing", "done"),
        (text, kind, verbose, width, notice, phase) => {
          const payload = {
            ...{
              state: "asked",
              id: text,
              options: [text],
              notice,
              failed: [text],
              round: 1,
              rounds: 2,
            },
            ...{
              subtype: "api_retry",
              is_error: true,
              tool_use_id: "1",
              input: { subagent_type: text, prompt: text },
            },
            ...{ index: 1, total: 2, resumed: true, woke: 1, path: text, host: text },
            ...{ command: text, commands: [text], folder: text, why: text, outcome: "failed", number: 1 },
            ...{ phase, sections: { doing: text, next: text }, degraded: true },
          };
          const event = createEvent(kind, { text, tool: text, payload: payload as never });
          const lines = renderEvent(event, view({ verbose, width }));
          // biome-ignore lint/suspicious/noControlCharactersInRegex: looked for on purpose
          for (const line of lines) expect(line).not.toMatch(/[\x00-\x1f\x7f-\x9f\u202a-\u202e]/);
          if (kind !== "step")
            for (const line of lines) expect(displayWidth(line)).toBeLessThanOrEqual(width);
        },
      ),
    );
  });

  it("keeps the visible text of a hostile result in order", () => {
    const { input, expected } = published("D-term-01");
    const event = createEvent("text", { text: String(input), payload: speaker });
    const shown = renderEvent(event, view()).join("\n");
    const visible = expected.visibleTextInOrder as unknown as string[];
    let at = 0;
    for (const part of visible) {
      expect(shown.indexOf(part, at)).toBeGreaterThanOrEqual(at);
      at = shown.indexOf(part, at) + part.length;
    }
  });
});

describe("the status line", () => {
  it("counts on over events instead of starting again", () => {
    const { input } = published("D-use-05") as { input: { events: number; elapsedS: number; cost: number } };
    let now = 1_000;
    const meter = new RunMeter(() => now);
    for (let i = 0; i < input.events; i += 1) {
      meter.read(createEvent("text", { text: "x", payload: { subagent: false, context: 71_400 } }));
    }
    meter.read(createEvent("text", { text: "x", payload: { subagent: true, context: 5 } }));
    now += input.elapsedS * 1000;
    expect(meter.line(createTranslator("en"), 0.3)).toBe("- context 71.4K · $0.30 · 0:12");
    expect(meter.line(createTranslator("en"), input.cost)).toContain("$0.03");
  });
});

describe("widths", () => {
  it.each([
    ...(published("D-term-06").input as (number | null)[]).map((given): [number, number] => [
      given ?? Number.NaN,
      given ? 40 : 80,
    ]),
    [39, 40],
    [72, 72],
    [400, 110],
    [Number.NaN, 80],
    [-3, 80],
  ])("a terminal of %s columns is used as %i", (columns, width) => {
    expect(usableWidth(columns)).toBe(width);
    expect(rule("work", "3/3", "", width).length).toBe(width);
  });

  it("folds any text to any width without losing a visible character", () => {
    fc.assert(
      fc.property(fc.string(), fc.integer({ min: 2, max: 60 }), (text, width) => {
        const lines = fold(text, width);
        for (const line of lines) expect(displayWidth(line)).toBeLessThanOrEqual(width);
        expect(lines.join("").replace(/\s/g, "")).toBe(text.replace(/\s/g, ""));
      }),
    );
  });

  it("breaks Chinese between characters, but not before a comma nor after a bracket", () => {
    expect(fold("统计单词，然后停", 8)).toEqual(["统计单", "词，然后", "停"]);
    expect(fold("统计一（单词）", 8)).toEqual(["统计一", "（单词）"]);
    expect(fold("use node 统计单词", 14)).toEqual(["use node 统计", "单词"]);
  });

  it("indents what follows a mark, and counts wide characters as two", () => {
    expect(marked("! ", "aaa bbb ccc", 9)).toEqual(["! aaa bbb", "  ccc"]);
    expect(marked("? ", "你好世界", 6)).toEqual(["? 你好", "  世界"]);
  });

  it.each([
    [0, "$0.00"],
    [0.0148, "$0.0148"],
    [0.3, "$0.30"],
    [12, "$12.00"],
  ])("%d is %s", (usd, shown) => expect(money(usd)).toBe(shown));

  it.each([
    [950, "950"],
    [71_400, "71.4K"],
    [999_999, "1.0M"],
  ])("%d tokens are %s", (count, shown) => expect(tokens(count)).toBe(shown));

  it.each([
    [12.9, "0:12"],
    [185, "3:05"],
    [3723, "1:02:03"],
  ])("%d seconds are %s", (seconds, shown) => expect(elapsed(seconds)).toBe(shown));

  it("writes the home folder as ~ and leaves others alone", () => {
    expect([homePath("/h/u/p", "/h/u"), homePath("/h/u2", "/h/u"), homePath("/x", "/")]).toEqual([
      "~/p",
      "/h/u2",
      "/x",
    ]);
  });
});

describe("colours", () => {
  it.each([
    [{ isTty: true, noColor: false, env: {} }, true],
    [{ isTty: false, noColor: false, env: {} }, false],
    [{ isTty: true, noColor: true, env: {} }, false],
    [{ isTty: true, noColor: false, env: { NO_COLOR: "1" } }, false],
  ])("%j: %s", (input, colours) => {
    expect(wantsColours(input)).toBe(colours);
    expect(createPaint(colours)("bad", "x")).toBe(colours ? "\u001b[31mx\u001b[39m" : "x");
  });
});
