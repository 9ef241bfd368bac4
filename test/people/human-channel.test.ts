import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, it, vi } from "vitest";
import type { Event } from "../../src/events/event.ts";
import { HumanChannel } from "../../src/people/human-channel.ts";
import { DEFAULT_REPLIES } from "../../src/people/replies.ts";
import cases from "../fixtures/people/asks.json" with { type: "json" };

afterEach(() => vi.useRealTimers());

const folder = () => mkdtempSync(join(tmpdir(), "flower-people-"));

function recorded(channel: HumanChannel): Event[] {
  const events: Event[] = [];
  channel.listen((event) => events.push(event));
  return events;
}

const payload = (event: Event) => event.payload as Readonly<Record<string, unknown>>;
const states = (events: Event[]) => events.map((event) => payload(event).state);

/** What a model reads when it calls a tool of the channel. */
function callTool(
  channel: HumanChannel,
  name: "ask" | "inbox",
  input: Record<string, unknown> = {},
  signal: AbortSignal = new AbortController().signal,
): Promise<string> {
  const tool = channel.mcpServers().human.tools.find((one) => one.name === name);
  if (tool === undefined) throw new TypeError(`no tool ${name}`);
  return tool.run(input, { signal });
}

const named = (id: string) => cases.find((one) => one.id === id)!;

describe("a question", () => {
  it("waits for the person and gives their words", async () => {
    const channel = new HumanChannel();
    const events = recorded(channel);
    const asking = channel.ask("Which port?", ["8080", "9090"]);
    const [pending] = channel.pending();
    expect(pending).toMatchObject({
      state: "asked",
      question: "Which port?",
      options: ["8080", "9090"],
      waitedS: 0,
    });
    expect(pending!.id).toMatch(/^q1-[0-9a-z]{4}$/);
    expect(channel.answer(pending!.id, "2")).toBe(true);
    expect(await asking).toMatchObject({ id: pending!.id, state: "answered", answer: "9090" });
    expect(states(events)).toEqual(["asked", "answered"]);
    expect(events[1]?.payload).toMatchObject({ id: pending!.id, question: "Which port?", answer: "9090" });
    expect(events[0]?.payload).not.toHaveProperty("kind");
    expect(channel.pending()).toEqual([]);
  });

  it.each([
    ["1", "a"],
    [" 2 ", "b"],
    ["２", "b"],
    ["3", "3"],
    ["0", "0"],
    ["-1", "-1"],
    ["1.", "1."],
    ["2 please", "2 please"],
    ["1e0", "1e0"],
    ["999999999999999999999", "999999999999999999999"],
  ])("takes the typed %j to mean %j", async (typed, meant) => {
    const channel = new HumanChannel();
    const asking = channel.ask("?", ["a", "b"]);
    channel.answer(channel.pending()[0]!.id, typed);
    expect((await asking).answer).toBe(meant);
  });

  it("can be answered from inside the listener that hears it", async () => {
    const channel = new HumanChannel();
    channel.onEvent = (event) => {
      if (payload(event).state === "asked") channel.answer(String(payload(event).id), "at once");
    };
    expect(await channel.ask("?")).toMatchObject({ state: "answered", answer: "at once" });
    expect(await channel.nextAsk({ timeoutS: 0 })).toBeUndefined();
  });

  it("keeps the reason of a skip and refuses to settle twice", async () => {
    const channel = new HumanChannel();
    const asking = channel.ask("?");
    const { id } = channel.pending()[0]!;
    expect(channel.decline(id, "not mine")).toBe(true);
    expect(channel.decline(id)).toBe(false);
    expect(await asking).toMatchObject({ state: "declined", answer: "not mine" });
    expect(channel.decline("q9-zzzz")).toBe(false);
  });

  it("keeps escapes out of what is stored and told", async () => {
    const channel = new HumanChannel();
    const events = recorded(channel);
    const asking = channel.ask("\u001b[31mred\u001b[0m?", ["\u001b]0;x\u0007one\ntwo"]);
    channel.answer(channel.pending()[0]!.id, "\u001b[2Jfine \ud800");
    expect(await asking).toMatchObject({ question: "red?", options: ["one two"], answer: "fine \ufffd" });
    expect(JSON.stringify(events)).not.toContain("\\u001b");
  });
});

describe("patience", () => {
  it.each([
    ["half an hour when nothing is said", undefined, 1_799, 1_801],
    ["as long as was said", 60, 59, 61],
    ["forty days, beyond what one timer holds", 40 * 86_400, 40 * 86_400 - 1, 40 * 86_400 + 1],
  ])("lasts %s", async (_, timeoutS, before, after) => {
    vi.useFakeTimers();
    const channel = new HumanChannel({ timeoutS });
    const asking = channel.ask("?");
    await vi.advanceTimersByTimeAsync(before * 1000);
    expect(channel.pending()).toHaveLength(1);
    await vi.advanceTimersByTimeAsync((after - before) * 1000);
    const ask = await asking;
    expect(ask.state).toBe("timeout");
    expect(ask.waitedS).toBeGreaterThan(before);
  });

  it.each([null, Number.POSITIVE_INFINITY])("never ends with %s", async (timeoutS) => {
    vi.useFakeTimers();
    const channel = new HumanChannel({ timeoutS });
    const asking = channel.ask("?");
    await vi.advanceTimersByTimeAsync(400 * 86_400_000);
    expect(channel.pending()).toHaveLength(1);
    channel.answer(channel.pending()[0]!.id, "finally");
    expect((await asking).answer).toBe("finally");
  });

  it.each([0, -1, Number.NEGATIVE_INFINITY])(
    "of %s s means nobody is there: settled at once, never shown",
    async (timeoutS) => {
      const channel = new HumanChannel({ timeoutS });
      const events = recorded(channel);
      expect((await channel.ask("?")).state).toBe("timeout");
      expect(states(events)).toEqual(["timeout"]);
      expect(await channel.nextAsk({ timeoutS: 0 })).toBeUndefined();
    },
  );
});

describe("the quota", () => {
  it.each([
    [undefined, -1, ["timeout", "timeout", "timeout"]],
    [-1, -1, ["timeout", "timeout", "timeout"]],
    [0, 0, ["over_budget", "over_budget", "over_budget"]],
    [2, 2, ["timeout", "timeout", "over_budget"]],
  ])("of %s leaves %s and ends three questions as %j", async (maxAsks, remaining, ends) => {
    const channel = new HumanChannel({ maxAsks, timeoutS: 0 });
    expect(channel.remaining).toBe(remaining);
    const seen: string[] = [];
    for (let i = 0; i < 3; i += 1) seen.push((await channel.ask(`question ${i}`)).state);
    expect(seen).toEqual(ends);
  });

  it("is not used up by empty questions or refusals, and counts questions that still wait", async () => {
    const channel = new HumanChannel({ maxAsks: 1 });
    expect((await channel.ask("  ")).state).toBe("invalid");
    expect(channel.remaining).toBe(1);
    const first = channel.ask("first");
    expect(channel.remaining).toBe(0);
    expect((await channel.ask("second")).state).toBe("over_budget");
    channel.answer(channel.pending()[0]!.id, "yes");
    expect((await first).state).toBe("answered");
    expect(channel.remaining).toBe(0);
  });
});

describe("options", () => {
  it.each([
    [{ timeout: 3 }, "unknown_option", "timeoutS"],
    [{ maxAsk: 3 }, "unknown_option", "maxAsks"],
    [{ timeoutS: Number.NaN }, "bad_option", "timeoutS"],
    [{ timeoutS: "60" }, "bad_option", "timeoutS"],
    [{ maxAsks: 1.5 }, "bad_option", "maxAsks"],
    [{ timeoutText: "" }, "bad_option", "timeoutText"],
    [{ onEvent: "log" }, "bad_option", "onEvent"],
    [null, "bad_options", "HumanChannel"],
  ])("%j are refused", (options, code, hint) => {
    expect(() => new HumanChannel(options as never)).toThrow(
      expect.objectContaining({ code, hint: expect.stringContaining(hint) }),
    );
  });

  it("replace the fixed replies", async () => {
    const texts = { timeoutText: "T", overBudgetText: "O", declinedText: "D", invalidText: "I" };
    const channel = new HumanChannel({ ...texts, maxAsks: 1, timeoutS: 0 });
    expect(await callTool(channel, "ask", { question: "" })).toBe("I");
    expect(await callTool(channel, "ask", { question: "a" })).toBe("T");
    expect(await callTool(channel, "ask", { question: "b" })).toBe("O");
  });
});

describe("the tools a model sees", () => {
  it("are named after the server, and the inbox can be left out", () => {
    const channel = new HumanChannel({ timeoutS: 100 });
    const all = channel.mcpServers().human;
    expect([channel.toolName, channel.inboxToolName]).toEqual(["mcp__human__ask", "mcp__human__inbox"]);
    expect(all.tools.map((tool) => tool.name)).toEqual(["ask", "inbox"]);
    expect(all.timeoutS).toBeGreaterThan(100);
    expect(channel.mcpServers({ inbox: false }).human.tools.map((tool) => tool.name)).toEqual(["ask"]);
    expect(new HumanChannel({ timeoutS: null }).mcpServers().human).not.toHaveProperty("timeoutS");
    expect(() => channel.mcpServers({ mail: true } as never)).toThrow(
      expect.objectContaining({ code: "unknown_option" }),
    );
  });

  it("give four different fixed replies that all say to decide, to note it down and to go on", () => {
    const replies = Object.values(DEFAULT_REPLIES);
    expect(new Set(replies).size).toBe(4);
    for (const reply of replies) {
      expect(reply).toContain("Decide it yourself");
      expect(reply).toContain('"Unknowns and assumptions"');
      expect(reply).toMatch(/not ask this again/);
      expect(reply).toMatch(/do not stop/);
    }
  });

  it("hand over mail once, and never wait", async () => {
    const channel = new HumanChannel();
    const events = recorded(channel);
    expect(await callTool(channel, "inbox")).toBe("Nothing new from the person.");
    channel.send("also add tests\n```");
    expect(channel.pendingMail()).toHaveLength(1);
    expect(await callTool(channel, "inbox")).toContain("> also add tests\n> ```");
    expect(channel.pendingMail()).toEqual([]);
    expect(channel.mail).toMatchObject([{ text: "also add tests\n```", state: "delivered" }]);
    expect(await callTool(channel, "inbox")).toBe("Nothing new from the person.");
    expect(states(events)).toEqual(["queued", "delivered"]);
    expect(events[0]?.payload).toMatchObject({ kind: "mail" });
  });
});

describe("an aborted run", () => {
  it(`settles the question: ${named("D-ask-09").scenario}`, async () => {
    const channel = new HumanChannel();
    const events = recorded(channel);
    const stop = new AbortController();
    const asking = channel.ask("?", [], { signal: stop.signal });
    const { id } = channel.pending()[0]!;
    stop.abort();
    await expect(asking).rejects.toThrow(expect.objectContaining({ name: "AbortError" }));
    expect(channel.pending()).toEqual([]);
    expect(channel.answer(id, "too late")).toBe(named("D-ask-09").expected.answerReturns);
    expect(channel.pendingMail()).toMatchObject([{ lateFor: id }]);
    expect(events[1]?.payload).toMatchObject({ state: "declined", withdrawn: true });
  });

  it("is told to the model as text, for a tool must not throw", async () => {
    const channel = new HumanChannel();
    const stop = new AbortController();
    const call = callTool(channel, "ask", { question: "?" }, stop.signal);
    stop.abort();
    expect(await call).toContain("withdrawn");
  });

  it("that is over before it asks puts no question", async () => {
    const channel = new HumanChannel({ maxAsks: 1 });
    await expect(channel.ask("?", [], { signal: AbortSignal.abort() })).rejects.toThrow();
    expect(channel.asks).toEqual([]);
    expect(channel.remaining).toBe(1);
  });
});

describe("field cases", () => {
  it(`D-ask-03: ${named("D-ask-03").scenario}`, async () => {
    const channel = new HumanChannel();
    const servers = [channel.mcpServers(), channel.mcpServers(), channel.mcpServers({ inbox: false })];
    expect(new Set(servers.map(({ human }) => human)).size).toBe(
      (named("D-ask-03") as { input: { queries: number } }).input.queries,
    );
    const signal = new AbortController().signal;
    const calls = servers.map(({ human }, i) => human.tools[0]!.run({ question: `from ${i}` }, { signal }));
    expect(channel.pending().map((ask) => ask.question)).toEqual(["from 0", "from 1", "from 2"]);
    for (const ask of [...channel.pending()].reverse()) channel.answer(ask.id, `to ${ask.question}`);
    expect(await Promise.all(calls)).toEqual(["to from 0", "to from 1", "to from 2"]);
  });

  it(`D-ask-04: ${named("D-ask-04").scenario}`, async () => {
    vi.useFakeTimers();
    const { input } = named("D-ask-04") as { input: { timeoutS: number; answerAtS: number } };
    const channel = new HumanChannel({ timeoutS: input.timeoutS });
    const asking = channel.ask("Which one?", ["red", "blue"]);
    const { id } = channel.pending()[0]!;
    await vi.advanceTimersByTimeAsync(input.timeoutS * 1000);
    expect((await asking).state).toBe("timeout");
    await vi.advanceTimersByTimeAsync((input.answerAtS - input.timeoutS) * 1000);
    const events = recorded(channel);
    expect(channel.reply(id, "2")).toBe("late");
    expect(channel.answer(id, "2")).toBe(false);
    expect(events[0]?.payload).toMatchObject({ kind: "mail", state: "queued", late_for: id });
    expect(await callTool(channel, "inbox")).toContain('Answer to "Which one?": blue');
    expect(channel.asks[0]?.state).toBe("timeout");
    expect(channel.reply("q7-none", "x")).toBe("unknown");
  });

  it(`D-ask-05: ${named("D-ask-05").scenario}`, async () => {
    const channel = new HumanChannel({ timeoutS: 0.02 });
    const options = ["yes", "no"];
    const calls = ["one", "two", "three"].map((question) => callTool(channel, "ask", { question, options }));
    const [, skipped, empty] = channel.pending();
    channel.decline(skipped!.id);
    channel.answer(empty!.id, "  ");
    const results = await Promise.all(calls);
    expect(new Set(results).size).toBe(named("D-ask-05").expected.distinctToolResults);
    for (const result of results) expect(result).not.toMatch(/^\s*(yes|no|1|2)?\s*$/i);
    expect(channel.asks.map((ask) => [ask.state, ask.answer])).toEqual([
      ["timeout", ""],
      ["declined", ""],
      ["answered", ""],
    ]);
  });

  it(`D-ask-06: ${named("D-ask-06").scenario}`, async () => {
    const channel = new HumanChannel();
    const asks = [channel.ask("q1", ["a", "b"]), channel.ask("q2", ["x", "y", "z"])];
    const typed = (named("D-ask-06") as { input: { typed: string[] } }).input.typed;
    const shown = [await channel.nextAsk(), await channel.nextAsk()];
    for (const [i, ask] of shown.entries()) channel.answer(ask!.id, typed[i]!);
    expect((await Promise.all(asks)).map((ask) => ask.answer)).toEqual(["3", "x"]);
  });
});

describe("pulling questions", () => {
  it("gives each waiting question once, oldest first, and skips settled ones", async () => {
    const channel = new HumanChannel();
    const asks = ["a", "b", "c"].map((question) => channel.ask(question));
    channel.answer(channel.pending()[1]!.id, "done");
    expect((await channel.nextAsk())?.question).toBe("a");
    expect((await channel.nextAsk())?.question).toBe("c");
    expect(await channel.nextAsk({ timeoutS: 0 })).toBeUndefined();
    for (const ask of channel.pending()) channel.decline(ask.id);
    await Promise.all(asks);
  });

  it("waits for the next one, until time is up or the wait is aborted", async () => {
    const channel = new HumanChannel();
    const waiting = channel.nextAsk();
    const second = channel.nextAsk();
    const asking = channel.ask("now");
    expect((await waiting)?.question).toBe("now");
    channel.answer(channel.pending()[0]!.id, "ok");
    await asking;
    expect(await channel.nextAsk({ timeoutS: 0.01 })).toBeUndefined();
    const stop = new AbortController();
    const stopped = channel.nextAsk({ signal: stop.signal });
    stop.abort();
    expect(await stopped).toBeUndefined();
    const later = channel.ask("later");
    expect((await second)?.question).toBe("later");
    channel.answer(channel.pending()[0]!.id, "ok");
    await later;
  });
});

describe("listeners", () => {
  it("that throw or reject are collected and do not disturb the question", async () => {
    const channel = new HumanChannel({
      onEvent: () => {
        throw new TypeError("screen gone");
      },
    });
    channel.listen((async () => Promise.reject(new TypeError("socket gone"))) as never);
    const asking = channel.ask("?");
    channel.answer(channel.pending()[0]!.id, "fine");
    expect((await asking).answer).toBe("fine");
    await vi.waitFor(() => expect(channel.uiErrors).toHaveLength(4));
    expect(channel.uiErrors.map(String).sort()).toEqual([
      "TypeError: screen gone",
      "TypeError: screen gone",
      "TypeError: socket gone",
      "TypeError: socket gone",
    ]);
  });

  it("can be taken off again", () => {
    const channel = new HumanChannel();
    const heard: Event[] = [];
    const stop = channel.listen((event) => heard.push(event));
    channel.send("one");
    stop();
    channel.send("two");
    expect(heard).toHaveLength(1);
  });
});

describe("the log", () => {
  it("holds questions, choices, answers and mail as Markdown that nothing can break out of", async () => {
    const logPath = join(folder(), "notes", "qa.md");
    const channel = new HumanChannel({ logPath, timeoutS: 5 });
    const asking = channel.ask("Which?\n# not a heading\n```", ["left", "right"]);
    channel.answer(channel.pending()[0]!.id, "2");
    await asking;
    channel.send("\u001b[1m## also not one");
    await channel.ask("");
    const log = readFileSync(logPath, "utf8");
    expect(log).toContain("> Which?\n> # not a heading\n> ```");
    expect(log).toContain("> 1. left\n> 2. right");
    expect(log).toMatch(/### Answer to q1-\w+ \(answered, after 0 s\)\n\n> right\n/);
    expect(log).toContain("> ## also not one");
    expect(log).toContain("not asked: empty question");
    expect(log).not.toContain("\u001b");
    expect(log.split("\n").filter((line) => line.startsWith("```"))).toEqual([]);
    const blocks = (text: string) =>
      text
        .split(/\n(?=## )/)
        .map((block) => block.trim())
        .sort();
    expect(blocks(channel.transcript())).toEqual(blocks(log));
  });

  it("that cannot be written does not stop anything", async () => {
    const file = join(folder(), "file");
    writeFileSync(file, "");
    const channel = new HumanChannel({ logPath: join(file, "qa.md"), timeoutS: 0 });
    expect((await channel.ask("?")).state).toBe("timeout");
    expect(channel.uiErrors.length).toBeGreaterThan(0);
  });
});

describe("words for the brief", () => {
  it("are appended once, quoted, under a label", () => {
    const amendPath = join(folder(), "brief.md");
    writeFileSync(amendPath, "# Brief\n\n## Goal\n\nx");
    const channel = new HumanChannel({ amendPath });
    const events = recorded(channel);
    channel.send("Use Postgres\n## Goal\n```");
    channel.send("Use Postgres\n## Goal\n```");
    expect(channel.amend("And a README", { label: "wake 2 (night)" })).toBe(true);
    expect(channel.amend("And a README")).toBe(false);
    const [head, first, second, ...rest] = readFileSync(amendPath, "utf8").split(/\n\n(?=###)/);
    expect(head).toBe("# Brief\n\n## Goal\n\nx");
    expect(first).toMatch(/^### Added by the person \(\d{4}-[^)]+\)\n\n> Use Postgres\n> ## Goal\n> ```$/);
    expect(second).toBe("### Added by the person (wake 2 night)\n\n> And a README\n");
    expect(rest).toEqual([]);
    expect(channel.mail).toHaveLength(2);
    expect(events.map((event) => payload(event).amended)).toEqual(["written", "already"]);
  });

  it("that come before there is a brief are added as soon as there is one", async () => {
    const amendPath = join(folder(), "brief.md");
    const channel = new HumanChannel({ amendPath, timeoutS: 0 });
    expect(channel.send("early word")?.state).toBe("queued");
    expect(channel.amend("second word")).toBe(false);
    writeFileSync(amendPath, "# Brief\n");
    await channel.ask("anything?");
    expect(readFileSync(amendPath, "utf8")).toMatch(
      /^# Brief\n\n### Added[^>]+> early word\n\n###[^>]+> second word\n$/,
    );
    channel.flushAmendments();
    expect(readFileSync(amendPath, "utf8").match(/early word/g)).toHaveLength(1);
  });

  it("are nothing when blank, and cost nothing without a brief", () => {
    const channel = new HumanChannel();
    expect(channel.send(" \n ")).toBeUndefined();
    expect(channel.mail).toEqual([]);
    expect(channel.amend("x")).toBe(false);
    expect(channel.uiErrors).toEqual([]);
  });
});
