import { PassThrough } from "node:stream";
import { describe, expect, it } from "vitest";
import type { Command } from "../../src/cli/args/command-line.ts";
import { parseCommandLine } from "../../src/cli/args/parse-command-line.ts";
import { exitCodeOfSignal } from "../../src/cli/exit-codes.ts";
import { isAutomatic } from "../../src/cli/io.ts";
import { reportError } from "../../src/cli/report-error.ts";
import { AnswerDesk } from "../../src/cli/run/answer-desk.ts";
import { typeHidden } from "../../src/cli/run/ask-hidden.ts";
import { sideQuestion } from "../../src/cli/run/desk.ts";
import { endingOfStep, endingOfWorkflow } from "../../src/cli/run/ending.ts";
import { readWhole } from "../../src/cli/run/line-source.ts";
import { parseTarget } from "../../src/cli/run/load-workflow.ts";
import { canDraw, type DrawingInput } from "../../src/cli/run/open-lines.ts";
import { PlainLines } from "../../src/cli/run/plain-lines.ts";
import { presenceOf } from "../../src/cli/run/presence.ts";
import { limitsOf, limitWords, survivalOptions } from "../../src/cli/run/run-settings.ts";
import { summariseRuns } from "../../src/cli/status/run-summary.ts";
import { createTranslator } from "../../src/config/locale/translator.ts";
import { CredentialsError, OptionError } from "../../src/core/errors.ts";
import { Verdict } from "../../src/documents/verdict.ts";
import { HumanChannel } from "../../src/people/human-channel.ts";
import { startDraft } from "../../src/runtime/step-result.ts";
import type { Ctx } from "../../src/workflow/context.ts";

const t = createTranslator("en");
const stdin = () => new PassThrough() as unknown as NodeJS.ReadStream & PassThrough;
const later = () => new Promise((resolve) => setTimeout(resolve, 80));

function commandOf(...argv: string[]): Command {
  const line = parseCommandLine(argv);
  if (line.kind !== "command") throw new Error(JSON.stringify(line));
  return line;
}

describe("what the flags give a Runtime", () => {
  it.each([
    [["x y"], true],
    [["x y", "--no-trim"], false],
    [["run", "a.ts"], false],
    [["run", "a.ts", "-T"], true],
    [["once", "x"], false],
    [["once", "x", "-T"], true],
  ])("%j trims: %s", (argv, trim) => expect(survivalOptions(commandOf(...argv)).trim).toBe(trim));

  it("sets the window a person names, learns it otherwise, and hands over nothing when told so", () => {
    const named = survivalOptions(commandOf("x y", "--window", "200000")).handoff;
    expect(named).toMatchObject({ enabled: true, window: 200_000, windowIsExplicit: true });
    expect(survivalOptions(commandOf("once", "x")).handoff).toMatchObject({
      enabled: true,
      windowIsExplicit: false,
    });
    expect(survivalOptions(commandOf("run", "a.ts", "--no-handoff")).handoff).toBe(false);
  });
});

describe("the limits of a run", () => {
  const INF = Number.POSITIVE_INFINITY;
  const own = { budgetUsd: 3, deadlineS: 60 };
  it.each([
    [[], {}, { budgetUsd: 50, deadlineS: undefined }, /^budget \$50\.00; --budget USD/],
    [[], own, { budgetUsd: 3, deadlineS: 60 }, /^deadline in 0\.0167 h · budget \$3\.00;/],
    [["--budget", "7"], own, { budgetUsd: 7, deadlineS: 60 }, /· budget \$7\.00$/],
    [["--budget", "none"], own, { budgetUsd: INF, deadlineS: 60 }, /· no budget$/],
    [["--deadline", "1.5"], own, { budgetUsd: 3, deadlineS: 5400 }, /^deadline in 1\.5 h · /],
  ])("%j beside %j is %j", (argv, workflow, limits, words) => {
    const command = commandOf("x y", ...argv);
    expect(limitsOf(command, workflow)).toEqual(limits);
    expect(limitWords(t, command.flags, limitsOf(command, workflow))).toMatch(words);
  });

  it.each([
    [{}, { budgetUsd: 20, deadlineS: 7200 }],
    [own, own],
    [{ budgetUsd: 3 }, { budgetUsd: 3, deadlineS: 7200 }],
  ])("%j of a workflow goes before what a file gives", (workflow, limits) => {
    const flags = { budget: 20, deadline: 2 };
    const command = { ...commandOf("x y"), flags, fromFiles: { budget: "f", deadline: "f" } };
    expect(limitsOf(command, workflow)).toEqual(limits);
  });
});

describe("exit codes", () => {
  it.each([
    ["SIGTERM", 143],
    ["SIGHUP", 129],
    ["SIGINT", 130],
  ] as const)("%s leaves with %i", (signal, code) => expect(exitCodeOfSignal(signal)).toBe(code));

  it("says an error with its hint, a bad option as usage, and anything else without a stack", () => {
    const refused = new CredentialsError("no", { code: "no_credentials", hint: "run `flower setup`" });
    expect(reportError(t, refused, false)).toEqual({
      lines: ["x no", "  next: run `flower setup`"],
      exitCode: 1,
    });
    expect(reportError(t, new OptionError("bad", { code: "bad_option", hint: "" }), false).exitCode).toBe(2);
    const odd = reportError(t, new TypeError("odd\u001b[2J"), false);
    expect(odd.exitCode).toBe(1);
    expect(odd.lines.join()).not.toContain("\u001b");
    expect(odd.lines.join("\n")).not.toMatch(/\n\s+at /);
    expect(reportError(t, new TypeError("odd"), true).lines.join("\n")).toMatch(/\n\s+at /);
  });

  it.each([
    [{}, { kind: "done" }],
    [{ _passedBy: "person" }, { kind: "done", passedBy: "person" }],
    [
      { _failedAt: "work", _aborted: "why", _hint: "do this" },
      { kind: "stopped", reason: "why", hint: "do this" },
    ],
    [
      {
        _failedAt: "work",
        _results: { work: { ...startDraft("work#round2"), error: "HTTP 529", hint: "" } },
      },
      { reason: "work#round2 failed: HTTP 529", hint: t("end.continue") },
    ],
    [
      {
        _failedAt: "work",
        _goal_rounds: 3,
        _verdict: new Verdict({ state: "not_yet", reason: "It lacks b.", failed: [] }),
      },
      { reason: "not achieved in 3 rounds: It lacks b." },
    ],
    [
      { _failedAt: "clarify", _brief_missing: ["Boundaries"] },
      { reason: "clarify is incomplete, it lacks: Boundaries" },
    ],
  ] as [Ctx, object][])("reads the end of a workflow off its context: %#", (ctx, ending) => {
    expect(endingOfWorkflow(t, ctx)).toMatchObject(ending);
  });

  it("tells how to go on with a single step that failed", () => {
    const result = { ...startDraft("once"), sessionId: "s1", error: "HTTP 500" };
    expect(endingOfStep(t, result)).toMatchObject({
      reason: "HTTP 500",
      hint: expect.stringContaining("--resume s1"),
    });
  });
});

describe("who is there", () => {
  it.each([
    [
      { isTty: true, timeout: undefined, ended: false, lines: 0 },
      { timeoutS: undefined, nobody: false },
    ],
    [
      { isTty: true, timeout: 0, ended: false, lines: 0 },
      { timeoutS: 0, nobody: true },
    ],
    [
      { isTty: false, timeout: 60, ended: true, lines: 0 },
      { timeoutS: 60, nobody: false },
    ],
    [
      { isTty: false, timeout: undefined, ended: true, lines: 0 },
      { timeoutS: 0, nobody: true },
    ],
    [
      { isTty: false, timeout: undefined, ended: true, lines: 2 },
      { timeoutS: 0.05, nobody: false },
    ],
    [
      { isTty: false, timeout: undefined, ended: false, lines: 0 },
      { timeoutS: 5, nobody: true },
    ],
  ])("%j", (input, presence) => expect(presenceOf(input)).toEqual(presence));
});

describe("standard input", () => {
  it("joins a character whose bytes come apart", async () => {
    const input = stdin();
    const lines = new PlainLines(input);
    input.write(Buffer.from([0xe4, 0xbd]));
    input.write(Buffer.from([0xa0, 0x0a]));
    expect(await lines.ask("?")).toBe("你");
    input.end("last");
    expect(await lines.ask("?")).toBe("last");
    expect(await lines.ask("?")).toBeUndefined();
  });

  it("reads all of a pipe, refuses more than 1 MB, and does not wait for a silent one", async () => {
    const input = stdin();
    input.end("build x\n");
    expect(await readWhole(input)).toEqual({ kind: "text", text: "build x\n" });
    const large = stdin();
    large.write("x".repeat(1_000_001));
    expect(await readWhole(large)).toEqual({ kind: "too_large" });
    expect(await readWhole(stdin(), 10)).toEqual({ kind: "silent" });
  });

  it.each([
    ["abc\r", { kind: "done", text: "abc" }],
    ["ab\u007fc\n", { kind: "done", text: "ac" }],
    ["\u001b[200~secret\u001b[201~\r", { kind: "done", text: "secret" }],
    ["x\u0015y", { kind: "more", text: "y" }],
    ["x\u0003", { kind: "left" }],
  ])("hidden: %j", (chunk, typed) => expect(typeHidden("", chunk)).toEqual(typed));
});

describe("what is typed", () => {
  function desk(isTty: boolean) {
    const input = stdin();
    const lines = new PlainLines(input);
    const channel = new HumanChannel();
    const prompts: string[] = [];
    const words: string[] = [];
    const made = new AnswerDesk({
      lines,
      isTty,
      channel,
      interrupt: (text) => void words.push(text),
      aside: undefined,
      showPrompt: (ask) => void prompts.push(ask.id),
    });
    made.open();
    return { input, channel, prompts, words, desk: made };
  }

  it("before a question is mail and never its answer", async () => {
    const { input, channel } = desk(true);
    input.write("also add tests\n");
    await later();
    expect(channel.pendingMail().map((mail) => mail.text)).toEqual(["also add tests"]);
    void channel.ask("Which?");
    await later();
    expect(channel.pending()).toHaveLength(1);
  });

  it("a moment before a question is mail as well", async () => {
    const { input, channel } = desk(true);
    input.write("also add tests\n");
    await new Promise((resolve) => setTimeout(resolve, 10));
    void channel.ask("Which?");
    await later();
    expect(channel.pending()).toHaveLength(1);
    expect(channel.pendingMail()).toHaveLength(1);
  });

  it("answers the question shown: digits in range pick, out of range are words; Enter skips", async () => {
    const { input, channel, prompts } = desk(true);
    const first = channel.ask("one?", ["a", "b"]);
    const second = channel.ask("two?", ["x", "y", "z"]);
    const third = channel.ask("three?");
    await later();
    input.write("3\n");
    expect((await first).answer).toBe("3");
    await later();
    input.write("1\n");
    expect((await second).answer).toBe("x");
    await later();
    input.write("\n");
    expect((await third).state).toBe("declined");
    expect(prompts).toHaveLength(3);
  });

  it("as a paste of several lines is one answer", async () => {
    const { input, channel } = desk(true);
    const ask = channel.ask("what?");
    input.write("first\nsec");
    await new Promise((resolve) => setTimeout(resolve, 10));
    input.write("ond\nthird\n");
    expect((await ask).answer).toBe("first\nsecond\nthird");
    expect(channel.mail).toEqual([]);
  });

  it("after an interruption goes to the turn at once", async () => {
    const { input, words, desk: made, channel } = desk(true);
    made.noteInterrupt();
    input.write("use node\n");
    await later();
    expect(words).toEqual(["use node"]);
    expect(channel.mail).toEqual([]);
  });

  it("in a pipe is one answer a line, in order, also ahead of its question", async () => {
    const { input, channel } = desk(false);
    input.write("a\nb\n");
    await later();
    expect((await channel.ask("one?")).answer).toBe("a");
    expect((await channel.ask("two?")).answer).toBe("b");
    const third = channel.ask("three?");
    input.write("c\n");
    expect((await third).answer).toBe("c");
    expect(channel.mail).toEqual([]);
  });
});

describe("an automatic build", () => {
  it.each([
    [{ CI: "true" }, true],
    [{ CI: "1" }, true],
    [{ CI: "woodpecker" }, true],
    [{ CI: "" }, false],
    [{ CI: "false" }, false],
    [{ CI: "0" }, false],
    [{}, false],
  ])("%j: %s", (env: Record<string, string>, is) => expect(isAutomatic(env)).toBe(is));
});

describe("a line that begins with a question mark", () => {
  it.each([
    ["?status", "status"],
    ["？can I delete this", "can I delete this"],
    [" ？ x\ny ", "x\ny"],
    ["?", undefined],
    ["why?", undefined],
    ["", undefined],
  ])("%j asks aside: %j", (line, question) => expect(sideQuestion(line)).toBe(question));
});

describe("where a line may be kept at the bottom of the screen", () => {
  const terminal: DrawingInput = {
    inIsTty: true,
    echoIsTty: true,
    outIsQuiet: true,
    term: "xterm",
    platform: "linux",
  };
  it.each<[string, Partial<DrawingInput>, boolean]>([
    ["a terminal", {}, true],
    ["a terminal without a name", { term: undefined }, false],
    ["a dumb terminal", { term: "dumb" }, false],
    ["a Windows console, which has no name", { term: undefined, platform: "win32" }, true],
    ["a pipe of answers", { inIsTty: false }, false],
    ["no terminal to draw on", { echoIsTty: false }, false],
    ["output through another program that may print on the same screen", { outIsQuiet: false }, false],
  ])("%s: %j", (_name, more, may) => expect(canDraw({ ...terminal, ...more })).toBe(may));
});

describe("names of workflows", () => {
  it.each([
    ["a.ts:flow", "file", "a.ts", "flow"],
    ["./dir/a.mjs", "file", "./dir/a.mjs", "default"],
    ["my-flows:nightly", "package", "my-flows", "nightly"],
    ["@me/flows:", "package", "@me/flows", "default"],
  ])("%s", (target, kind, module, name) => expect(parseTarget(target)).toEqual({ kind, module, name }));
});

describe("runs in the books", () => {
  it("are summed up row by row", () => {
    const row = (run: string, step: string, ok: boolean) => ({
      run,
      step,
      ok,
      session_id: null,
      cost_usd: 0.5,
      error: ok ? null : "why",
    });
    expect(
      summariseRuns([row("a", "clarify", true), row("b", "once", true), row("a", "work", false)]),
    ).toEqual([
      { run: "a", steps: ["clarify", "work"], judges: [], ok: false, error: "why", costUsd: 1 },
      { run: "b", steps: ["once"], judges: [], ok: true, error: "", costUsd: 0.5 },
    ]);
  });
});
